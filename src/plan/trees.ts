import type { Phase, Stock } from '../../workers/phases/phase.js';
import type { Tree } from '../../workers/protocol.js';
import { GobonnieError } from '../errors.js';
import type { Machine } from '../machine/machine.js';
import type { Options } from '../options/schema.js';
import { shown } from '../text/escape.js';
import { showBytes } from '../text/units.js';
import { freeWords, roomBytes } from './size.js';

/** What a filesystem gives a file at least, and a directory's entry for it. */
const LEAST_FILE_BYTES = 4096;

/** How often the files are there at the same time: those of one order may not be deleted before the other's are made. */
export function mostTrees(phases: readonly Phase[]): number {
  const standing = new Set<Stock>();
  let most = 0;
  for (const { stock, use } of phases) {
    if (stock === 'data') continue;
    if (use === 'makes') standing.add(stock);
    if (use === 'takes') standing.delete(stock);
    most = Math.max(most, standing.size);
  }
  return most;
}

export function treeName(index: number): string {
  return `tree.${index}`;
}

/** The small files of each thread; together as many as were asked for. */
export function treesOf(options: Options, threads: number): readonly Tree[] {
  const { files, fileKind, fileSize, fileMinSize, directories } = options;
  return Array.from({ length: threads }, (_, index) => ({
    root: treeName(index),
    count: Math.floor(files / threads) + (index < files % threads ? 1 : 0),
    directories,
    kind: fileKind,
    minBytes: fileMinSize,
    maxBytes: fileSize,
  }));
}

/** They have to fit beside the data, at their largest and when most of them are there. */
export function refuseLargeTrees(
  { files, fileSize }: Options,
  { target }: Machine,
  phases: readonly Phase[],
  dataBytes: number,
): void {
  const eachBytes = Math.ceil((fileSize + 1) / LEAST_FILE_BYTES) * LEAST_FILE_BYTES;
  const neededBytes = mostTrees(phases) * files * eachBytes + dataBytes;
  if (neededBytes <= roomBytes(target)) return;
  throw new GobonnieError(
    'size-too-large',
    `--files ${files} of up to ${showBytes(fileSize)} need ${showBytes(neededBytes)} with the data in ` +
      `${shown(target.directory)}, which has ${freeWords(target, neededBytes)}`,
    'pass fewer --files, a smaller --file-size or another --dir',
  );
}
