import { constants } from 'node:fs';
import { access, lstat, readFile, realpath, stat, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { GobonnieError } from '../errors.js';
import { hasCode, type SystemError, systemHint, systemReason } from '../system-error.js';
import { flag, msg } from '../text/sentence.js';
import { findWindowsNameProblem } from '../text/windows-name.js';
import { type Attached, type Disk, deviceNumberOf, readDisk } from './block-device.js';
import { type Doubt, isCounted } from './filesystem.js';
import { filesystemOfType } from './filesystem-type.js';
import { type Host, inspectHost } from './host.js';
import { memoryBelow } from './memory-below.js';
import {
  compressionOf,
  dataMountOf,
  encryptionOf,
  isInMemory,
  type Mount,
  mountAround,
  parseMountInfo,
} from './mount.js';
import { askForDevices, mountsOfDf, remoteFilesystemOf, volumeOf } from './system-facts.js';

/** Where programs describe the disks; Linux has sysfs. */
const ASKED_ON = new Set<string>(['darwin', 'win32']);

/** What a running gobonnie has claimed on a filesystem and not written yet. */
export interface Claim {
  /** Its temporary directory. */
  readonly directory: string;
  readonly bytes: number;
}

/** The directory to measure, with its filesystem and device. */
export interface Target {
  readonly directory: string;
  /** False if the run will create it. */
  readonly exists: boolean;
  readonly isDirectory: boolean;
  /** Why this user cannot write there, or null. For a missing directory it is about the nearest existing parent. */
  readonly accessError: SystemError | null;
  readonly totalBytes: number;
  /** How much this user can still write there. */
  readonly availableBytes: number;
  /** What this user's other runs will still write on the same filesystem. Absent if nobody looked. */
  readonly claims?: readonly Claim[];
  /** How many ranks of a job share this free space. Absent if there are no others. */
  readonly ranksSharing?: number;
  /** The number of files (inodes) that fit in all, and that still fit. Null if there is no limit. */
  readonly inodes: { readonly total: number; readonly available: number } | null;
  readonly filesystem: string | null;
  readonly mount: string | null;
  readonly mountOptions: readonly string[];
  readonly device: string | null;
  /** Whether files there are kept in RAM, as on tmpfs. */
  readonly isMemory: boolean;
  readonly disk: Disk | null;
  /** Null or absent if the device does not answer from memory, as far as this system shows. */
  readonly lowerCache?: Doubt | null | undefined;
  readonly compression: string | null;
  /** How the device or the filesystem encrypts, or null. */
  readonly encryption: string | null;
}

/** The host and the target directory, inspected once per run. */
export interface Machine extends Host {
  readonly target: Target;
}

export async function inspect(dir: string = os.tmpdir()): Promise<Machine> {
  refuseWindowsName(dir);
  return { ...(await inspectHost()), target: await inspectTarget(path.resolve(dir)) };
}

function refuseWindowsName(dir: string): void {
  const problem = process.platform === 'win32' ? findWindowsNameProblem(dir) : null;
  if (problem !== null)
    throw new GobonnieError(
      'directory-unusable',
      msg`${flag('dir', dir)} cannot be used: ${problem}`,
      'pass another directory',
    );
}

async function inspectTarget(directory: string): Promise<Target> {
  try {
    const existing = await nearestExisting(directory);
    const isDirectory = (await stat(existing).catch(() => null))?.isDirectory() ?? false;
    const nearest = isDirectory ? existing : path.dirname(existing);
    const { type, bsize, blocks, bavail, files, ffree } = await statfs(nearest);
    const { dev } = await stat(nearest);
    // Both at once, as programs of the system may take seconds.
    const [mounts, deviceOf] = await Promise.all([
      readMounts(),
      ASKED_ON.has(process.platform) ? askForDevices() : null,
    ]);
    // Windows finds no real path on disks that some drivers make of memory or images.
    const real = await realpath(nearest).catch(() => nearest);
    const mount = await volumeOf(nearest, mountAround(real, mounts, deviceNumberOf(dev)), mounts);
    const dataMount = mount && (await dataMountOf(mount, mounts));
    const filesystem = mount?.filesystem ?? filesystemOfType(type);
    const holder = mount === null ? filesystem : dataMount?.filesystem;
    const isTmpfs = Boolean(holder && isInMemory({ filesystem: holder }));
    // Without /proc nothing lists the mounts, but a filesystem on one device has its number.
    const below = mount === null ? { deviceNumber: deviceNumberOf(dev), device: '' } : dataMount;
    const device = below && !isTmpfs ? await deviceUnder(below, deviceOf) : NO_DEVICE;
    const isMemory = isTmpfs || device.isMemory;
    const freeBytes = bsize * bavail;
    return {
      directory,
      exists: existing === directory,
      isDirectory,
      accessError: await accessErrorOf(existing),
      totalBytes: bsize * blocks,
      // Without /proc the first is 0.
      availableBytes: isMemory ? Math.min(freeBytes, process.availableMemory() || os.freemem()) : freeBytes,
      inodes: files > 0 ? { total: files, available: ffree } : null,
      filesystem: remoteFilesystemOf(directory, device) ?? filesystem,
      mount: mount?.path ?? null,
      mountOptions: mount?.options ?? [],
      device: mount?.device || null,
      isMemory,
      disk: device.disk,
      lowerCache: isCounted({ filesystem }) ? device.lowerCache : null,
      compression: dataMount && compressionOf(dataMount),
      encryption: device.disk?.encryption ?? (dataMount && encryptionOf(dataMount)),
    };
  } catch (cause) {
    throw new GobonnieError(
      'directory-unusable',
      msg`${flag('dir', directory)} cannot be used: ${systemReason(cause)}`,
      systemHint(cause),
      { cause },
    );
  }
}

/** The directory itself, or its nearest parent that exists. A dangling link counts as existing. */
async function nearestExisting(directory: string): Promise<string> {
  try {
    await lstat(directory);
    return directory;
  } catch (error) {
    const parent = path.dirname(directory);
    if (!hasCode(error, 'ENOENT') || parent === directory) throw error;
    return nearestExisting(parent);
  }
}

async function accessErrorOf(directory: string): Promise<SystemError | null> {
  return access(directory, constants.W_OK | constants.X_OK).then(
    () => null,
    ({ code, errno, message }: SystemError) => ({ code, errno, message }),
  );
}

/** Linux lists its mounts in /proc. Other systems need a program that tells them. */
async function readMounts(): Promise<readonly Mount[]> {
  const mountInfo =
    process.platform === 'linux' ? await readFile('/proc/self/mountinfo', 'utf8').catch(() => null) : null;
  return mountInfo === null ? mountsOfDf() : parseMountInfo(mountInfo);
}

interface DeviceUnder extends Attached {
  readonly lowerCache: Doubt | null;
}

const NO_DEVICE: DeviceUnder = { disk: null, isMemory: false, isRemote: false, lowerCache: null };

async function deviceUnder(
  { deviceNumber, device }: Pick<Mount, 'deviceNumber' | 'device'>,
  attachedAs: ((device: string) => Attached) | null,
): Promise<DeviceUnder> {
  if (attachedAs) return { ...NO_DEVICE, ...attachedAs(device) };
  const { isMemory, lowerCache } = await memoryBelow(deviceNumber, device);
  return { ...NO_DEVICE, isMemory, lowerCache, disk: isMemory ? null : await readDisk(deviceNumber, device) };
}
