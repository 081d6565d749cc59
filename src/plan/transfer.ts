import { SECTOR_BYTES } from '../../workers/data/test-data.js';
import { DIRECT_UNIT_BYTES, type Slice, type Transfer } from '../../workers/protocol.js';
import { optionError } from '../errors.js';
import { cachesSmallDirectIo } from '../machine/filesystem.js';
import type { Machine, Target } from '../machine/machine-schema.js';
import type { Options } from '../options/options-schema.js';
import { isSupportedOn, platformName } from '../options/platform-support.js';
import type { Warning } from '../report/schema/report.js';
import { display } from '../text/escape.js';
import { flag, msg } from '../text/message-template.js';
import { formatBytes } from '../text/units.js';
import { createWarning } from '../warnings/warning-catalogue.js';
import { planEngine } from './engine.js';
import type { RequestedSteps } from './requested-steps.js';
import type { Step } from './steps.js';

export function planTransfer(options: Options, machine: Machine, slices: readonly Slice[]): Transfer {
  const { platform, target } = machine;
  const { direct, noFsync, blockSize } = options;
  if (direct && !isSupportedOn('direct', platform)) {
    throw optionError(
      msg`${flag('direct')} does not work on ${platformName(platform)}`,
      'leave it out, or measure on Linux or Windows',
    );
  }
  if (direct && target.acceptsDirect === false) {
    throw optionError(
      msg`${flag('direct')} does not work in ${display(target.directory)}: its filesystem rejects O_DIRECT`,
      msg`leave it out, or pass another ${flag('dir')}`,
    );
  }
  const stampBytes = options.unique || options.verify ? SECTOR_BYTES : 1;
  const deviceBytes = direct ? directUnitBytes(target) : 1;
  const unitBytes = Math.max(deviceBytes, stampBytes);
  const blockUnitBytes = Math.max(unitBytes, options.compressible > 0 ? SECTOR_BYTES : 1);
  if (blockSize % blockUnitBytes !== 0) {
    const sectorOption = (['verify', 'unique'] as const).find((name) => options[name]) ?? 'compressible';
    const unit =
      blockSize % deviceBytes === 0
        ? msg`${formatBytes(SECTOR_BYTES)}, the unit of ${flag(sectorOption)}`
        : msg`${formatBytes(deviceBytes)}, the unit of ${flag('direct')} in ${display(target.directory)}`;
    throw optionError(
      msg`${flag('blockSize', blockSize)} is not a multiple of ${unit}`,
      msg`for example, ${flag('blockSize', Math.ceil(blockSize / blockUnitBytes) * blockUnitBytes)}`,
    );
  }
  const ioSizeBytes = Math.ceil(options.ioSize / unitBytes) * unitBytes;
  return {
    blockSizeBytes: blockSize,
    ioSizeBytes,
    strideBytes: blockSize,
    // Operations are aligned to their size, as in applications and fio; those of gobonniego are not.
    alignBytes: direct || options.steps ? ioSizeBytes : unitBytes,
    readPercent: options.mix,
    direct,
    ...planEngine(options, machine),
    fsync: !noFsync,
    syncPerWrite: options.fsyncPerWrite ? 'fsync' : null,
    byteWiseBytes: byteWiseBytes(options, slices),
    intervalMs: null,
    repeats: false,
    seeks: options.seeks,
    fileBlockBytes: options.fileBlockSize ?? blockSize,
  };
}

export function ioSizeWarnings(steps: readonly Step[], requested: RequestedSteps): readonly Warning[] {
  return steps.flatMap((step, at) => ioSizeWarning(step, requested.steps[at]?.options.ioSize));
}

/** Returns a warning if the operations of a random step are larger than requested. */
export function ioSizeWarning(
  { name, phase, transfer: { ioSizeBytes, direct } }: Step,
  askedBytes = ioSizeBytes,
): readonly Warning[] {
  if (ioSizeBytes === askedBytes || phase.ioUnit !== 'random-blocks') return [];
  const why = direct
    ? 'direct I/O moves whole blocks of the device or its filesystem'
    : 'the data is stamped in whole sectors';
  return [createWarning('io-size-raised', { ioSizeBytes, askedBytes, why }, name)];
}

/** Returns the part of each slice that the byte-wise phases move, in whole blocks: together about --byte-size. */
function byteWiseBytes(options: Options, slices: readonly Slice[]): number {
  const { byteSize = Number.POSITIVE_INFINITY, blockSize } = options;
  const bytesPerSlice = byteSize / slices.length;
  const largestBytes = Math.max(0, ...slices.map(({ lengthBytes }) => lengthBytes));
  return Math.min(largestBytes, Math.ceil(bytesPerSlice / blockSize) * blockSize);
}

export function directUnitBytes(target: Target): number {
  const logicalBytes = target.disk?.logicalBlockBytes ?? DIRECT_UNIT_BYTES;
  return cachesSmallDirectIo(target) ? Math.max(DIRECT_UNIT_BYTES, logicalBytes) : logicalBytes;
}

export function rejectLargeIo(ioSizeBytes: number, slices: readonly Slice[]): void {
  const smallestBytes = Math.min(...slices.map(({ lengthBytes }) => lengthBytes));
  if (ioSizeBytes <= smallestBytes) return;
  throw optionError(
    msg`${flag('ioSize', ioSizeBytes)} is larger than a thread's share of the data, ${formatBytes(smallestBytes)}`,
    msg`pass a smaller ${flag('ioSize')}, a larger ${flag('size')} or fewer ${flag('threads')}`,
  );
}
