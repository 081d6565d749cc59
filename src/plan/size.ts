import { GobonnieError } from '../errors.js';
import type { Claim, Machine, Target } from '../machine/machine.js';
import type { Options } from '../options/schema.js';
import { warningOf } from '../report/warning-catalogue.js';
import { shown } from '../text/escape.js';
import { atMost, flag, sentence } from '../text/sentence.js';
import { counted, GIB, showBytes } from '../text/units.js';

/** The space kept free: 1 GiB, or 5 % of the filesystem when that is less. */
export const KEEP_FREE_BYTES = GIB;
export const KEEP_FREE_SHARE = 0.05;
export const DEFAULT_SIZE_IN_MEMORIES = 2;

/** The space on this filesystem that must stay free. */
export function keptBytes({ totalBytes }: Pick<Target, 'totalBytes'>): number {
  return Math.min(KEEP_FREE_BYTES, Math.floor(totalBytes * KEEP_FREE_SHARE));
}

/** Of the free space without what is kept free and what other runs will still write, this process's part. */
export function usableBytes(target: Target): number {
  const { availableBytes, sharers = 1 } = target;
  return Math.floor((availableBytes - keptBytes(target) - claimedBytes(target)) / sharers);
}

function claimedBytes({ claims = [] }: Target): number {
  return claims.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** For the start of a hint: another run will free its space. */
export function waitHint({ claims = [] }: Target): string {
  return claims.length > 0 ? 'wait until that run has ended, or ' : '';
}

/** How much space is free, for a message that it is not enough. */
export function freeSpaceText(target: Target, neededBytes: number): string {
  const { availableBytes, claims = [], sharers = 1 } = target;
  const free = `${showBytes(availableBytes)} free${sharers > 1 ? ` for ${counted(sharers, 'rank')}` : ''}`;
  const kept = `${showBytes(keptBytes(target))} must stay free`;
  if (claims.length > 0)
    return `${free}, of which ${showBytes(claimedBytes(target))} is for ${otherRuns(claims)} and ${kept}`;
  return neededBytes * sharers > availableBytes ? free : `${free}, of which ${kept}`;
}

function otherRuns([first, ...others]: readonly Claim[]): string {
  const more = others.length > 0 ? ` and ${counted(others.length, 'other')}` : '';
  return `the gobonnie run in ${shown(first?.directory ?? '')}${more}`;
}

/** How many blocks to write in total. A size from the user is kept or refused; the default is cut to what fits. */
export function sizeUp(options: Options, { memoryLimitBytes, target }: Machine, threads: number) {
  const { blockSize, dataFiles } = options;
  const minBlocks = threads * dataFiles;
  const maxBlocks = Math.max(0, Math.floor(usableBytes(target) / blockSize));
  const wantedBytes =
    options.size === undefined ? DEFAULT_SIZE_IN_MEMORIES * memoryLimitBytes : options.size * GIB;
  const wantedBlocks = Math.floor(wantedBytes / blockSize);
  const fits = wantedBlocks <= maxBlocks;
  const least =
    `one block of ${showBytes(blockSize)} for each of ${counted(threads, 'thread')}` +
    (dataFiles > 1 ? ` and ${dataFiles} data files` : '');

  if (maxBlocks < minBlocks) {
    throw new GobonnieError(
      'size-too-large',
      `${shown(target.directory)} has ${freeSpaceText(target, minBlocks * blockSize)}, not enough for ${least}`,
      sentence`${waitHint(target)}free some space, or pass another ${flag('dir')}`,
    );
  }
  if (wantedBlocks < minBlocks) {
    throw new GobonnieError(
      'size-too-small',
      sentence`${options.size === undefined ? `twice the memory (${showBytes(wantedBytes)})` : flag('size', options.size)} is less than ${least}`,
      sentence`pass for example ${flag('size', sizeFlag(minBlocks, options, minBlocks, maxBlocks))}, or fewer ${flag('threads')}`,
    );
  }
  if (!fits && options.size !== undefined) {
    throw new GobonnieError(
      'size-too-large',
      sentence`${flag('size', options.size)} needs ${showBytes(wantedBytes)} in ${shown(target.directory)}, which has ${freeSpaceText(target, wantedBytes)}`,
      sentence`${waitHint(target)}pass at most ${atMost('size', sizeFlag(maxBlocks, options, minBlocks, maxBlocks))} or another ${flag('dir')}`,
    );
  }
  const blockCount = Math.min(wantedBlocks, maxBlocks);
  return {
    blockCount,
    warnings: fits
      ? []
      : [
          warningOf('size-reduced', {
            wantedBytes,
            usedBytes: blockCount * blockSize,
            directory: target.directory,
            beside: target.claims?.length ? otherRuns(target.claims) : null,
          }),
        ],
  };
}

/** About `blocks` as a --size that will be accepted, with as few decimals as possible. */
function sizeFlag(blocks: number, { blockSize }: Options, minBlocks: number, maxBlocks: number): number {
  const gib = (blocks * blockSize) / GIB;
  for (let scale = 100; scale < 1e12; scale *= 10) {
    for (const candidate of [Math.floor(gib * scale) / scale, Math.ceil(gib * scale) / scale]) {
      const got = Math.floor((candidate * GIB) / blockSize);
      if (got >= minBlocks && got <= maxBlocks) return candidate;
    }
  }
  return gib;
}
