import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { DIRECT_FLAG } from '../../workers/protocol.js';
import { GobonnieError, optionError } from '../errors.js';
import { readBlockDevice } from '../machine/block-device.js';
import { createDeviceFinder } from '../machine/system-information.js';
import { errorWithReason, hasCode, pathIndependentHint } from '../system-error.js';
import { display } from '../text/escape.js';
import { formatBytes, MIB } from '../text/units.js';

/** A raw disk is a macOS device whose reads bypass the page cache on their own. */
type SourceKind = 'file' | 'block-device' | 'raw-disk';

/** macOS exposes each disk as the block device /dev/disk2 and the character device /dev/rdisk2. */
const MACOS_DISK = /^\/dev\/(r?)(disk\d+(s\d+)*)$/;
/** `\\.\PhysicalDrive0` and `\\.\C:`, but not `\\.\C:\image.raw`. */
const WINDOWS_DEVICE = /^[\\/]{2}[.?][\\/][^\\/]+$/;

/** The targets that `zones` can read on a platform. Node cannot read a device on Windows. */
const TARGETS: Readonly<Record<string, { readonly noun: string; readonly example: string }>> = {
  darwin: { noun: 'file or disk', example: '/dev/rdisk0' },
  win32: { noun: 'file', example: 'C:\\image.raw' },
};

export function zonesTarget(platform: string) {
  return TARGETS[platform] ?? { noun: 'file or block device', example: '/dev/sda' };
}

/** A file or a device, open for reading only. */
export type ZoneSource = Awaited<ReturnType<typeof openSource>>;

/** The hint suggests a --block that gives about this many lines. */
const SUGGESTED_BLOCKS = 10;

/** Follows links such as those in /dev/disk/by-id. Throws if `file` is not a regular file, a block device or a raw disk. */
export async function openSource(file: string, blockBytes: number) {
  rejectWindowsDevice(file);
  try {
    // A pipe in /dev/stdin has no path.
    const path = await realpath(file).catch(() => file);
    // Check before opening: opening a tape or a watchdog has side effects.
    const stats = await stat(file);
    const kind = detectSourceKind(file, path, stats);
    const sizeBytes = kind === 'file' ? stats.size : await readDeviceBytes(path, kind);
    rejectSmall(file, sizeBytes, blockBytes);
    const { handle, direct } = await openReadOnly(file);
    return {
      file,
      path,
      handle,
      isDevice: kind !== 'file',
      rdev: stats.rdev,
      /** True if reads bypass the page cache. */
      direct: direct || kind === 'raw-disk',
      /** Null if the device does not report its size. */
      sizeBytes,
    };
  } catch (cause) {
    if (cause instanceof GobonnieError) throw cause;
    throw unreadableError(file, cause);
  }
}

/** Checks only the name: on Windows, Node's `stat` of a device fails without a useful cause. */
export function rejectWindowsDevice(file: string, platform: string = process.platform): void {
  if (platform === 'win32' && WINDOWS_DEVICE.test(file))
    throw optionError(
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
    throw optionError(
      `${display(file)} is read through the page cache`,
      `name /dev/r${disk}, the same disk without the cache`,
    );
  const { noun, example } = zonesTarget(platform);
  throw optionError(`${display(file)} is not a ${noun}`, `name one, such as ${example}`);
}

async function openReadOnly(file: string): Promise<{ handle: FileHandle; direct: boolean }> {
  try {
    if (DIRECT_FLAG !== null)
      return { handle: await open(file, constants.O_RDONLY | DIRECT_FLAG), direct: true };
  } catch {
    // Some filesystems reject O_DIRECT. Any other failure occurs again.
  }
  return { handle: await open(file), direct: false };
}

async function readDeviceBytes(path: string, kind: SourceKind): Promise<number | null> {
  const disk =
    kind === 'raw-disk'
      ? (await createDeviceFinder())(path.replace('/rdisk', '/disk')).disk
      : (await readBlockDevice('', path))?.disk;
  return disk?.sizeBytes ?? null;
}

/** Rejects files smaller than a block: gobonnie reads only whole blocks, like zcav. */
function rejectSmall(file: string, sizeBytes: number | null, blockBytes: number): void {
  if (sizeBytes === null || sizeBytes >= blockBytes) return;
  if (sizeBytes === 0) throw optionError(`${display(file)} is empty`, 'name a file with data in it');
  const wholeMib = Math.floor(sizeBytes / MIB);
  throw optionError(
    `${display(file)} is ${formatBytes(sizeBytes)}, smaller than one block (${formatBytes(blockBytes)})`,
    wholeMib === 0
      ? `name a ${zonesTarget(process.platform).noun} of at least 1 MiB`
      : `for example, --block ${Math.ceil(wholeMib / SUGGESTED_BLOCKS)}`,
  );
}

function unreadableError(file: string, cause: unknown): GobonnieError {
  const canBecomeRoot = process.geteuid !== undefined && process.geteuid() !== 0;
  const hint = hasCode(cause, 'EACCES', 'EPERM')
    ? `name a file that you may read${canBecomeRoot ? ', or run as root' : ''}`
    : `name an existing ${zonesTarget(process.platform).noun}`;
  const bestHint = pathIndependentHint(cause) ?? hint;
  return errorWithReason('option-invalid', `${display(file)} cannot be read`, cause, bestHint);
}
