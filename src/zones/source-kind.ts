import type { Stats } from 'node:fs';
import { GobonnieError } from '../errors.js';
import { zonesTarget } from '../options/zones-options.js';
import { display } from '../text/escape.js';

/** A raw disk is a macOS device whose reads bypass the page cache on their own. */
export type SourceKind = 'file' | 'block-device' | 'raw-disk';

/** macOS exposes each disk as the block device /dev/disk2 and the character device /dev/rdisk2. */
const MACOS_DISK = /^\/dev\/(r?)(disk\d+(s\d+)*)$/;
/** `\\.\PhysicalDrive0` and `\\.\C:`, but not `\\.\C:\image.raw`. */
const WINDOWS_DEVICE = /^[\\/]{2}[.?][\\/][^\\/]+$/;

/** Checks only the name: on Windows, Node's `stat` of a device fails without a useful cause. */
export function rejectWindowsDevice(file: string, platform: string = process.platform): void {
  if (platform === 'win32' && WINDOWS_DEVICE.test(file))
    throw sourceError(
      `${display(file)} is a device`,
      'name a file: zones reads devices only on Linux and macOS',
    );
}

/** `path` is the file with all links resolved. Throws if it cannot be read from front to back. */
export function detectSourceKind(
  file: string,
  path: string,
  stats: Stats,
  platform: string = process.platform,
): SourceKind {
  if (stats.isFile()) return 'file';
  const [, raw, disk] = (platform === 'darwin' && MACOS_DISK.exec(path)) || [];
  if (stats.isCharacterDevice() && raw) return 'raw-disk';
  if (stats.isBlockDevice() && !disk) return 'block-device';
  if (stats.isBlockDevice())
    throw sourceError(
      `${display(file)} is read through the page cache`,
      `name /dev/r${disk}, the same disk without the cache`,
    );
  throw sourceError(`${display(file)} is ${describeFileType(stats)}`, `name a ${zonesTarget(platform).noun}`);
}

function describeFileType(stats: Stats): string {
  if (stats.isDirectory()) return 'a directory';
  if (stats.isCharacterDevice()) return 'a character device';
  return stats.isFIFO() ? 'a FIFO' : 'a socket';
}

export function sourceError(message: string, hint: string, options?: ErrorOptions): GobonnieError {
  return new GobonnieError('option-invalid', message, hint, options);
}
