import { SECTOR_BYTES } from '../../workers/data/test-data.js';
import type { Transfer } from '../../workers/protocol.js';
import { GobonnieError } from '../errors.js';
import { cachesSmallDirect } from '../machine/filesystem.js';
import type { Machine } from '../machine/machine.js';
import type { Options } from '../options/schema.js';
import type { Warning } from '../report/schema/report.js';
import { showBytes } from '../text/units.js';

/** Where the device does not tell its logical block, this suits every one of them; so it does every filesystem. */
const SAFE_ALIGN_BYTES = 4096;

/** How the data is moved, and what had to be changed for it. */
export function transferOf(
  options: Options,
  { platform, target }: Machine,
  stampBytes: number,
): { readonly transfer: Transfer; readonly warnings: readonly Warning[] } {
  const { direct, fsync, blockSize } = options;
  if (direct && platform !== 'linux') {
    throw new GobonnieError(
      'option-invalid',
      `--direct does not work on ${platform}`,
      'leave it out; it needs Linux',
    );
  }
  const deviceBytes = direct ? directUnitBytes(target) : 1;
  const unitBytes = Math.max(deviceBytes, stampBytes);
  const blockUnitBytes = Math.max(unitBytes, options.compressible > 0 ? SECTOR_BYTES : 1);
  if (blockSize % blockUnitBytes !== 0) {
    const why =
      blockSize % deviceBytes === 0
        ? `the sectors that ${marker(options)} marks, ${showBytes(SECTOR_BYTES)}`
        : `the device's block, ${showBytes(deviceBytes)}, as --direct needs it`;
    throw new GobonnieError(
      'option-invalid',
      `--block-size ${blockSize} is not a multiple of ${why}`,
      `pass for example --block-size ${Math.ceil(blockSize / blockUnitBytes) * blockUnitBytes}`,
    );
  }
  const ioSizeBytes = Math.ceil(options.ioSize / unitBytes) * unitBytes;
  // A device that is spoken to directly is spoken to in whole operations, as its users do and as fio does.
  const alignBytes = direct ? ioSizeBytes : unitBytes;
  return {
    transfer: { blockSizeBytes: blockSize, ioSizeBytes, alignBytes, direct, fsync },
    warnings: ioSizeBytes === options.ioSize ? [] : [raised(options, ioSizeBytes, deviceBytes >= stampBytes)],
  };
}

/** What has to be moved as a whole. */
function directUnitBytes(target: Machine['target']): number {
  const logicalBytes = target.disk?.logicalBlockBytes ?? SAFE_ALIGN_BYTES;
  return cachesSmallDirect(target) ? Math.max(SAFE_ALIGN_BYTES, logicalBytes) : logicalBytes;
}

function marker({ verify, unique }: Options): string {
  if (verify) return '--verify';
  return unique ? '--unique' : '--compressible';
}

function raised(options: Options, ioSizeBytes: number, byDevice: boolean): Warning {
  const why = byDevice
    ? '--direct moves whole blocks of the device or its filesystem'
    : `${marker(options)} marks whole sectors`;
  return {
    code: 'io-size-raised',
    phase: 'iops',
    message: `the random operations move ${ioSizeBytes} instead of ${options.ioSize} bytes: ${why}`,
    hint: `pass --io-size ${ioSizeBytes} to say so yourself`,
  };
}

/** An operation has to fit into the smallest slice. */
export function refuseLargeIo(ioSizeBytes: number, sliceBytes: number): void {
  if (ioSizeBytes <= sliceBytes) return;
  throw new GobonnieError(
    'option-invalid',
    `--io-size ${ioSizeBytes} is larger than a thread's share of the data, ${showBytes(sliceBytes)}`,
    'pass a smaller --io-size, a larger --size or fewer --threads',
  );
}
