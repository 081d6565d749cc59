import { constants } from 'node:fs';
import { access, open, realpath, stat, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { GobonnieError } from '../errors.js';
import { errorWithReason, hasCode, nullIfMissing, type SystemError } from '../system-error.js';
import { flag, msg } from '../text/message-template.js';
import { findWindowsNameProblem } from '../text/windows-name.js';
import { findLowerCache, formatDeviceNumber, readBlockDevice } from './block-device.js';
import { readIoLimits } from './control-groups.js';
import { hasIoAccounting, isMemoryFilesystem } from './filesystem.js';
import { inspectHost } from './host.js';
import type { Machine, Target } from './machine-schema.js';
import { findDataMount, findMount, type Mount, mountCompression, readMountInfo } from './mount.js';
import { createDeviceFinder, mountsFromDf, remoteFilesystem, resolveVolume } from './system-information.js';
import { findUringProblem, type Load } from './uring.js';

/** Platforms on which helper programs describe the disks; Linux has sysfs. */
const QUERIED_PLATFORMS = new Set<string>(['darwin', 'win32']);
/** Linux's flag for an unnamed file, which Node does not export. */
const UNNAMED_FILE_FLAG = 0o20200000;

/**
 * With `mayOpen`, also opens an unnamed file there, to find out whether files accept direct I/O. With `loads`, finds
 * out whether io_uring works for them.
 */
export async function inspectMachine(
  dir: string = os.tmpdir(),
  { mayOpen = false, loads = [] }: { mayOpen?: boolean; loads?: readonly Load[] } = {},
): Promise<Machine> {
  const problem = process.platform === 'win32' ? findWindowsNameProblem(dir) : null;
  if (problem !== null)
    throw new GobonnieError(
      'directory-unusable',
      msg`${flag('dir', dir)} cannot be used: ${problem}`,
      'pass another directory',
    );
  const host = await inspectHost();
  return {
    ...host,
    target: await inspectTarget(path.resolve(dir), mayOpen),
    ...(loads.length > 0 && { uringProblem: findUringProblem(loads, host.cores) }),
  };
}

async function inspectTarget(directory: string, mayOpen: boolean): Promise<Target> {
  try {
    const stats = await nullIfMissing(stat(directory));
    if (!stats?.isDirectory()) throw notDirectoryError(directory, stats !== null);
    const { bsize, blocks, bavail, files, ffree } = await statfs(directory);
    // Run both in parallel: system programs may take seconds.
    const [mounts, findDevice] = await Promise.all([
      readMountInfo().then((listed) => listed ?? mountsFromDf()),
      QUERIED_PLATFORMS.has(process.platform) ? createDeviceFinder() : null,
    ]);
    // On Windows, realpath fails on disks that some drivers emulate from RAM or images.
    const realDirectory = await realpath(directory).catch(() => directory);
    const mount = await resolveVolume(
      directory,
      findMount(realDirectory, mounts, formatDeviceNumber(stats.dev)),
      mounts,
    );
    const dataMount = mount && (await findDataMount(mount, mounts));
    const filesystem = mount?.filesystem ?? null;
    const isTmpfs = dataMount !== null && isMemoryFilesystem(dataMount);
    // Without /proc no list of mounts exists, but the number of a filesystem on one device is the device's number.
    const dataDevice =
      mount === null ? { deviceNumber: formatDeviceNumber(stats.dev), device: '' } : dataMount;
    const device = dataDevice && !isTmpfs ? await findBackingDevice(dataDevice, findDevice) : NO_DEVICE;
    const isMemory = isTmpfs || device.isMemory;
    const freeBytes = bsize * bavail;
    return {
      directory,
      accessError: await findAccessError(directory),
      acceptsDirect: await findDirectSupport(directory, mayOpen),
      totalBytes: bsize * blocks,
      // Without /proc, availableMemory() returns 0.
      availableBytes: isMemory ? Math.min(freeBytes, process.availableMemory() || os.freemem()) : freeBytes,
      inodes: files > 0 ? { total: files, available: ffree } : null,
      filesystem: remoteFilesystem(directory, device.isRemote) ?? filesystem,
      mount: mount?.path ?? null,
      mountOptions: mount?.options ?? [],
      device: mount?.device || null,
      isMemory,
      disk: device.disk,
      lowerCache: hasIoAccounting({ filesystem }) ? device.lowerCache : null,
      compression: dataMount && mountCompression(dataMount),
      encryption: device.disk?.encryption ?? null,
      ioLimits: await readIoLimits(device.deviceNumbers),
    };
  } catch (cause) {
    if (cause instanceof GobonnieError) throw cause;
    throw errorWithReason('directory-unusable', msg`${flag('dir', directory)} cannot be used`, cause);
  }
}

/** A benchmark that created the directory would measure another disk if its own is not mounted. */
function notDirectoryError(directory: string, exists: boolean): GobonnieError {
  const problem = exists ? 'is not a directory' : 'does not exist';
  const hint = exists
    ? 'pass the path of a directory'
    : 'pass an existing directory; perhaps its disk is not mounted';
  return new GobonnieError('directory-unusable', msg`${flag('dir', directory)} ${problem}`, hint);
}

async function findAccessError(directory: string): Promise<SystemError | null> {
  return access(directory, constants.W_OK | constants.X_OK).then(
    () => null,
    ({ code, errno, message }: SystemError) => ({ code, errno, message }),
  );
}

/**
 * Returns whether files in a directory accept direct I/O, by opening an unnamed file that leaves nothing behind. Null if
 * unknown: not every filesystem has unnamed files.
 */
async function findDirectSupport(directory: string, mayOpen: boolean): Promise<boolean | null> {
  if (process.platform !== 'linux') return process.platform === 'win32' ? null : false;
  if (!mayOpen) return null;
  try {
    const file = await open(directory, UNNAMED_FILE_FLAG | constants.O_DIRECT | constants.O_RDWR, 0o600);
    await file.close();
    return true;
  } catch (error) {
    return hasCode(error, 'EINVAL') ? false : null;
  }
}

const NO_DEVICE = { disk: null, isMemory: false, isRemote: false, lowerCache: null, deviceNumbers: [] };

async function findBackingDevice(
  { deviceNumber, device }: Pick<Mount, 'deviceNumber' | 'device'>,
  findDevice: Awaited<ReturnType<typeof createDeviceFinder>> | null,
) {
  if (findDevice) return { ...NO_DEVICE, ...findDevice(device) };
  const found = await readBlockDevice(deviceNumber, device);
  const { isMemory, lowerCache } = await findLowerCache(found);
  const disk = isMemory ? null : (found?.disk ?? null);
  return { ...NO_DEVICE, isMemory, lowerCache, disk, deviceNumbers: found?.deviceNumbers ?? [deviceNumber] };
}
