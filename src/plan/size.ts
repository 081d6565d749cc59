import { GobonnieError } from '../errors.js';
import type { Machine } from '../machine/machine.js';
import type { Options } from '../options/schema.js';
import type { Warning } from '../report/schema/report.js';
import { shown } from '../text/escape.js';
import { counted, GIB, showBytes } from '../text/units.js';

/** Of the free space so much stays free: 1 GiB, or 5 % of the filesystem where that is less. */
export const KEEP_FREE_BYTES = GIB;
export const KEEP_FREE_SHARE = 0.05;
export const DEFAULT_SIZE_IN_MEMORIES = 2;

function keptBytes({ totalBytes }: Machine['target']): number {
  return Math.min(KEEP_FREE_BYTES, Math.floor(totalBytes * KEEP_FREE_SHARE));
}

/** What may be used of the free space. */
export function roomBytes(target: Machine['target']): number {
  return target.availableBytes - keptBytes(target);
}

/** What is free, in words that tell why so much is not enough. */
export function freeWords(target: Machine['target'], neededBytes: number): string {
  const free = `${showBytes(target.availableBytes)} free`;
  return neededBytes > target.availableBytes
    ? free
    : `${free}, of which ${showBytes(keptBytes(target))} stay free`;
}

/** How many blocks in all. A size that the user gave is kept or refused; the default is cut to what fits. */
export function sizeUp(options: Options, { memoryLimitBytes, target }: Machine, threads: number) {
  const { blockSize, volumes } = options;
  const leastBlocks = threads * volumes;
  const roomBlocks = Math.max(0, Math.floor(roomBytes(target) / blockSize));
  const wantedBytes =
    options.size === undefined ? DEFAULT_SIZE_IN_MEMORIES * memoryLimitBytes : options.size * GIB;
  const wantedBlocks = Math.floor(wantedBytes / blockSize);
  const fits = wantedBlocks <= roomBlocks;
  const least =
    `one block of ${showBytes(blockSize)} for each of ${counted(threads, 'thread')}` +
    (volumes > 1 ? ` and ${volumes} volumes` : '');

  if (roomBlocks < leastBlocks) {
    throw new GobonnieError(
      'size-too-large',
      `${shown(target.directory)} has ${freeWords(target, leastBlocks * blockSize)}, which is not enough for ${least}`,
      'free some space, or pass another --dir',
    );
  }
  if (wantedBlocks < leastBlocks) {
    throw new GobonnieError(
      'size-too-small',
      `${options.size === undefined ? `twice the memory (${showBytes(wantedBytes)})` : `--size ${options.size}`} is less than ${least}`,
      `pass for example --size ${sizeFlag(leastBlocks, options, leastBlocks, roomBlocks)}, or fewer --threads`,
    );
  }
  if (!fits && options.size !== undefined) {
    throw new GobonnieError(
      'size-too-large',
      `--size ${options.size} needs ${showBytes(wantedBytes)} in ${shown(target.directory)}, which has ` +
        freeWords(target, wantedBytes),
      `pass at most --size ${sizeFlag(roomBlocks, options, leastBlocks, roomBlocks)} or another --dir`,
    );
  }
  const blockCount = Math.min(wantedBlocks, roomBlocks);
  return {
    blockCount,
    warnings: fits ? [] : [cutWarning(wantedBytes, blockCount * blockSize, target.directory)],
  };
}

function cutWarning(wantedBytes: number, planBytes: number, directory: string): Warning {
  return {
    code: 'size-cut',
    phase: null,
    message:
      `twice the memory (${showBytes(wantedBytes)}) does not fit in ${shown(directory)}: ` +
      `measuring with ${showBytes(planBytes)}, so memory may serve a part of the reads`,
    hint: 'free some space, or pass another --dir, to measure with twice the memory',
  };
}

/** About so many blocks in GiB as one would type them: with as few decimals as a number has that will be accepted. */
function sizeFlag(blocks: number, { blockSize }: Options, leastBlocks: number, mostBlocks: number): number {
  const gib = (blocks * blockSize) / GIB;
  for (let scale = 100; scale < 1e12; scale *= 10) {
    for (const candidate of [Math.floor(gib * scale) / scale, Math.ceil(gib * scale) / scale]) {
      const got = Math.floor((candidate * GIB) / blockSize);
      if (got >= leastBlocks && got <= mostBlocks) return candidate;
    }
  }
  return gib;
}
