import type { Phase } from '../../workers/phases/phase.js';
import type { Slice } from '../../workers/protocol.js';
import { GobonnieError } from '../errors.js';
import type { Options } from '../options/schema.js';

/** The data of all threads may lie in one file, or that of each in several. */
export function fileName(index: number): string {
  return `bonnie.${index}`;
}

/** Whole blocks, spread evenly: no slice is more than a block longer than another. A thread's volumes come in a row. */
export function share(
  blockCount: number,
  threads: number,
  { blockSize, oneFile, volumes }: Options,
): readonly Slice[] {
  if (oneFile && volumes > 1)
    throw new GobonnieError(
      'option-invalid',
      `--one-file and --volumes ${volumes} exclude each other`,
      'leave one out',
    );
  let offsetBytes = 0;
  const count = threads * volumes;
  return Array.from({ length: count }, (_, index) => {
    const blocks = Math.floor(blockCount / count) + (index < blockCount % count ? 1 : 0);
    const slice = {
      index,
      file: fileName(oneFile ? 0 : index),
      offsetBytes,
      lengthBytes: blocks * blockSize,
    };
    if (oneFile) offsetBytes += slice.lengthBytes;
    return slice;
  });
}

/** Who works on what in a phase: a list of slices for each worker that takes part. */
export function slicesOfTeam(
  { team, stock }: Pick<Phase, 'team' | 'stock'>,
  slices: readonly Slice[],
  threads: number,
  { seekers, volumes }: Pick<Options, 'seekers' | 'volumes'>,
): readonly (readonly Slice[])[] {
  if (stock !== 'data') return Array.from({ length: threads }, () => []);
  if (team === 'seekers' && seekers !== undefined) return Array.from({ length: seekers }, () => slices);
  return Array.from({ length: threads }, (_, index) => slices.slice(index * volumes, (index + 1) * volumes));
}
