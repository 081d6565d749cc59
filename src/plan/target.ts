import type { DataPattern } from '../../workers/protocol.js';
import { GobonnieError, optionError } from '../errors.js';
import { remoteKind } from '../machine/filesystem.js';
import type { Machine, Target } from '../machine/machine-schema.js';
import type { Options } from '../options/options-schema.js';
import { isSupportedOn, platformName } from '../options/platform-support.js';
import type { Warning } from '../report/schema/report.js';
import { systemHint, systemReason } from '../system-error.js';
import { display } from '../text/escape.js';
import { flag, flagAtMost, msg } from '../text/message-template.js';
import { formatBytes, GIB, KIB, pluralize } from '../text/units.js';
import { createWarning } from '../warnings/warning-catalogue.js';
import { countSharedFiles, type RequestedSteps } from './requested-steps.js';
import type { Step } from './steps.js';

/** The space kept free: 1 GiB, or 5 % of the filesystem if that is less. */
export const MIN_FREE_BYTES = GIB;
export const MIN_FREE_SHARE = 0.05;
export const DEFAULT_SIZE_RAM_MULTIPLE = 2;
/** Where the page cache serves no read, more data than this would not change the result. */
export const MAX_UNCACHED_DEFAULT_BYTES = 8 * GIB;
/** For --step: its direct I/O does not need more data than RAM. */
const DEFAULT_STEP_DATA_BYTES = GIB;

export function rejectUnusableDirectory({ directory, accessError }: Target): void {
  if (!accessError) return;
  throw new GobonnieError(
    'directory-unusable',
    msg`${flag('dir', directory)} cannot be written to: ${systemReason(accessError)}`,
    systemHint(accessError),
  );
}

export function rejectCacheMode(cache: Options['cache'], { platform, isRoot }: Machine): void {
  const isPossible = isSupportedOn(cache, platform);
  const needsRoot = isPossible && cache === 'drop' && !isRoot;
  if (isPossible && !needsRoot) return;
  throw optionError(
    msg`${flag('cache', cache)} ${needsRoot ? 'needs root' : `does not work on ${platformName(platform)}`}`,
    msg`pass ${flag('cache', 'auto')}, which uses the best available method`,
  );
}

/**
 * Returns why only more data than RAM shows the rate of the disk. Null if the page cache is bypassed, or emptied before the
 * reads and synced after the writes.
 */
export function whyRamMatters(options: Options, { platform, isRoot }: Machine): string | null {
  const { direct, cache, noFsync } = options;
  if (direct) return null;
  if (noFsync) return 'the clock stops before the data is on the disk';
  if (cache === 'keep') return 'the page cache is kept';
  if (cache !== 'auto' || isSupportedOn('evict', platform)) return null;
  if (!isSupportedOn('drop', platform))
    return `programs cannot drop the page cache on ${platformName(platform)}`;
  return isRoot ? null : 'only root can drop the page cache';
}

/** The ranks of a host share the default amount. */
function chooseDefaultBytes({ options, sharesData, fills }: RequestedSteps, machine: Machine): number {
  // Nobody wants the RAM filled.
  if (fills && !machine.target.isMemory) return usableBytes(machine.target);
  if (sharesData) return DEFAULT_STEP_DATA_BYTES;
  const { memoryLimitBytes, ranksOnHost = 1 } = machine;
  const ramMultiple = DEFAULT_SIZE_RAM_MULTIPLE * memoryLimitBytes;
  return whyRamMatters(options, machine) === null
    ? Math.min(ramMultiple, MAX_UNCACHED_DEFAULT_BYTES / ranksOnHost)
    : ramMultiple;
}

/** The warnings about a directory whose results differ from those of a plain disk. */
export function targetWarnings(
  target: Target,
  { kind }: DataPattern,
  steps: readonly Pick<Step, 'phase'>[],
): readonly Warning[] {
  const { directory, filesystem, device, isMemory, compression } = target;
  const server = remoteKind(target);
  const warnings: Warning[] = [];
  if (isMemory) warnings.push(createWarning('memory-filesystem', { directory, filesystem, device }));
  if (server) warnings.push(createWarning('remote-filesystem', { directory, server, filesystem }));
  const hasOwnData = steps.every(({ phase }) => typeof phase.runBy === 'function');
  if (compression !== null && kind === 'same')
    warnings.push(createWarning('compressing-filesystem', { directory, compression, hasOwnData }));
  return warnings;
}

export function minFreeBytes({ totalBytes }: Target): number {
  return Math.min(MIN_FREE_BYTES, Math.floor(totalBytes * MIN_FREE_SHARE));
}

/** Returns this process's share of the free space, minus the reserve. */
export function usableBytes(target: Target): number {
  const { availableBytes, ranksSharing = 1 } = target;
  return Math.floor((availableBytes - minFreeBytes(target)) / ranksSharing);
}

/** `252 MiB free, of which 14 MiB must stay free`. */
export function freeSpaceText(target: Target): string {
  const { availableBytes, ranksSharing = 1 } = target;
  const free = `${formatBytes(availableBytes)} free${ranksSharing > 1 ? ` for ${pluralize(ranksSharing, 'rank')}` : ''}`;
  const minFree = minFreeBytes(target);
  const reserve = `${formatBytes(minFree)} must stay free`;
  return availableBytes < minFree ? `${free}, but ${reserve}` : `${free}, of which ${reserve}`;
}

/**
 * Returns the total number of blocks of the data, which fits beside the other files. A --size is kept or rejected; the
 * default is reduced to fit.
 */
export function chooseBlockCount(
  requested: RequestedSteps,
  machine: Machine,
  threads: number,
  otherBytes: number,
) {
  const { options, sharesData } = requested;
  const { target } = machine;
  const { blockSize, dataFiles } = options;
  const minBlocks = sharesData ? countSharedFiles(requested) : threads * dataFiles;
  const maxBlocks = Math.max(0, Math.floor((usableBytes(target) - otherBytes) / blockSize));
  const wantedBytes =
    options.size === undefined ? chooseDefaultBytes(requested, machine) : options.size * GIB;
  const wantedBlocks = Math.floor(wantedBytes / blockSize);
  const minimumText =
    `one block of ${formatBytes(blockSize)}` +
    (sharesData ? '' : ` for each of ${pluralize(threads, 'thread')}`) +
    (dataFiles > 1 ? ` and ${dataFiles} data files` : '');

  if (maxBlocks < minBlocks) {
    const isBelowReserve = target.availableBytes < minFreeBytes(target);
    throw new GobonnieError(
      'size-too-large',
      `${display(target.directory)} has ${freeSpaceText(target)}${isBelowReserve ? '' : `, not enough for ${minimumText}`}`,
      msg`free some space, or pass another ${flag('dir')}`,
    );
  }
  if (wantedBlocks < minBlocks) {
    throw new GobonnieError(
      'size-too-small',
      msg`${options.size === undefined ? `the default size (${formatBytes(wantedBytes)})` : flag('size', options.size)} is less than ${minimumText}`,
      msg`pass at least ${flag('size', suggestSize(minBlocks, options, minBlocks, maxBlocks))}${sharesData ? '' : msg`, or fewer ${flag('threads')}`}`,
    );
  }
  if (wantedBlocks <= maxBlocks) return { blockCount: wantedBlocks, warnings: [] };
  if (options.size !== undefined) {
    throw new GobonnieError(
      'size-too-large',
      msg`${flag('size', options.size)} (${formatBytes(wantedBytes)})${otherBytes > 0 ? ` beside other files of ${formatBytes(otherBytes)}` : ''} does not fit in ${display(target.directory)}, which has ${freeSpaceText(target)}`,
      msg`pass at most ${flagAtMost('size', suggestSize(maxBlocks, options, minBlocks, maxBlocks))} or another ${flag('dir')}`,
    );
  }
  const { directory } = target;
  const mayBeCached = !sharesData && whyRamMatters(options, machine) !== null;
  const facts = { wantedBytes, usedBytes: maxBlocks * blockSize, directory, mayBeCached };
  return { blockCount: maxBlocks, warnings: [createWarning('size-reduced', facts)] };
}

/** Returns about `blocks` as an acceptable --size: whole MiB below 1 GiB, or as few decimals as possible. */
function suggestSize(blocks: number, { blockSize }: Options, minBlocks: number, maxBlocks: number): number {
  const gib = (blocks * blockSize) / GIB;
  for (let scale = gib < 1 ? KIB : 100; scale < 1e12; scale *= 10) {
    for (const candidate of [Math.floor(gib * scale) / scale, Math.ceil(gib * scale) / scale]) {
      const candidateBlocks = Math.floor((candidate * GIB) / blockSize);
      if (candidateBlocks >= minBlocks && candidateBlocks <= maxBlocks) return candidate;
    }
  }
  return gib;
}
