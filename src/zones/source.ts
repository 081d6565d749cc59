import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { GobonnieError } from '../errors.js';
import { readDisk } from '../machine/block-device.js';
import { hasCode, systemReason } from '../system-error.js';
import { shown } from '../text/escape.js';
import { MIB, showBytes } from '../text/units.js';

/** What is read: a file or a block device, open for reading and nothing else. */
export interface Source {
  /** As the user named it. */
  readonly file: string;
  /** Where its links lead. */
  readonly path: string;
  readonly handle: FileHandle;
  readonly isDevice: boolean;
  /** Whether the reads pass the page cache by. */
  readonly direct: boolean;
  /** Null where a device does not tell. */
  readonly sizeBytes: number | null;
}

/** Of what came in the place of the file meanwhile, a FIFO would be waited for without end. */
const READ_ONLY = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
/** Only Linux has it. */
const DIRECT: number | undefined = constants.O_DIRECT;
/** For the hint to a smaller --block: so many lines make a picture. */
const GOOD_COUNT = 10;

/** Follows links, as those in /dev/disk/by-id, and makes nothing. Throws where there is nothing to be read in blocks. */
export async function openSource(file: string, blockBytes: number): Promise<Source> {
  try {
    // Before it is opened: that alone does something to a tape or a watchdog.
    refuseKind(file, await stat(file));
    const { handle, direct } = await openReadOnly(file);
    try {
      const stats = await handle.stat();
      refuseKind(file, stats);
      const path = await realpath(file);
      const isDevice = stats.isBlockDevice();
      const sizeBytes = isDevice ? await deviceBytes(path) : stats.size;
      refuseSmall(file, sizeBytes, blockBytes);
      return { file, path, handle, isDevice, direct, sizeBytes };
    } catch (error) {
      await handle.close();
      throw error;
    }
  } catch (cause) {
    if (cause instanceof GobonnieError) throw cause;
    throw unreadable(file, cause);
  }
}

async function openReadOnly(file: string): Promise<Pick<Source, 'handle' | 'direct'>> {
  try {
    if (DIRECT !== undefined) return { handle: await open(file, READ_ONLY | DIRECT), direct: true };
  } catch (error) {
    // Some filesystems refuse it; every other reason will be met again.
    if (!hasCode(error, 'EINVAL')) throw error;
  }
  return { handle: await open(file, READ_ONLY), direct: false };
}

async function deviceBytes(path: string): Promise<number | null> {
  const disk = await readDisk('', path);
  return disk?.sizeBytes ?? null;
}

function refuseKind(file: string, stats: Stats): void {
  if (stats.isFile() || stats.isBlockDevice()) return;
  throw refusal(`${shown(file)} is ${kindOf(stats)}`, 'name a file or a block device');
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a directory';
  if (stats.isCharacterDevice()) return 'a character device';
  return stats.isFIFO() ? 'a FIFO' : 'a socket';
}

/** zcav reads whole blocks only, too. */
function refuseSmall(file: string, sizeBytes: number | null, blockBytes: number): void {
  if (sizeBytes === null || sizeBytes >= blockBytes) return;
  if (sizeBytes === 0) throw refusal(`${shown(file)} is empty`, 'name one that holds something');
  const wholeMib = Math.floor(sizeBytes / MIB);
  throw refusal(
    `${shown(file)} holds ${showBytes(sizeBytes)}, which is less than a block of ${showBytes(blockBytes)}`,
    wholeMib === 0
      ? 'name one that holds 1 MiB at least'
      : `pass for example --block ${Math.ceil(wholeMib / GOOD_COUNT)}`,
  );
}

function unreadable(file: string, cause: unknown): GobonnieError {
  const hint = hasCode(cause, 'EACCES', 'EPERM')
    ? 'name one that you may read, or run as root'
    : 'name a file or a block device that is there';
  return refusal(`${shown(file)} cannot be read: ${systemReason(cause)}`, hint, { cause });
}

function refusal(message: string, hint: string, options?: ErrorOptions): GobonnieError {
  return new GobonnieError('option-invalid', message, hint, options);
}
