import { constants } from 'node:fs';
import { access, lstat, readFile, realpath, stat, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { GobonnieError } from '../errors.js';
import { hasCode, type SystemError, systemHint, systemReason } from '../system-error.js';
import { shown } from '../text/escape.js';
import { type Disk, diskAmong, readDisk } from './block-device.js';
import { type Host, inspectHost } from './host.js';
import {
  bearerOf,
  compressionOf,
  encryptionOf,
  isInMemory,
  type Mount,
  mountAround,
  parseMountInfo,
} from './mount.js';

/** The directory to be measured and what lies under it. */
export interface Target {
  readonly directory: string;
  /** False when it will have to be made. */
  readonly exists: boolean;
  readonly isDirectory: boolean;
  /** Why this user cannot write there; null for one who can. */
  readonly obstacle: SystemError | null;
  readonly totalBytes: number;
  /** What may still be written there by this user. */
  readonly availableBytes: number;
  /** How many files (inodes) there may be, and how many more. Null where the filesystem makes as many as it needs. */
  readonly inodes: { readonly total: number; readonly available: number } | null;
  readonly filesystem: string | null;
  readonly mount: string | null;
  readonly mountOptions: readonly string[];
  readonly device: string | null;
  /** Whether the data stays in the machine's memory. */
  readonly isMemory: boolean;
  readonly disk: Disk | null;
  readonly compression: string | null;
  /** The device's or the filesystem's. */
  readonly encryption: string | null;
}

/** Facts about the host, settled once. */
export interface Machine extends Host {
  readonly target: Target;
}

export async function inspect(dir: string = os.tmpdir()): Promise<Machine> {
  return { ...(await inspectHost()), target: await inspectTarget(path.resolve(dir)) };
}

async function inspectTarget(directory: string): Promise<Target> {
  try {
    const ground = await nearestExisting(directory);
    const isDirectory = (await stat(ground).catch(() => null))?.isDirectory() ?? false;
    const place = isDirectory ? ground : path.dirname(ground);
    const { bsize, blocks, bavail, files, ffree } = await statfs(place);
    const mounts = await readMounts();
    const mount = mountAround(await realpath(place), mounts);
    const bearer = mount && (await bearerOf(mount, mounts));
    const isMemory = bearer !== null && isInMemory(bearer);
    const disk = bearer && !isMemory ? await diskUnder(bearer) : null;
    const room = bsize * bavail;
    return {
      directory,
      exists: ground === directory,
      isDirectory,
      obstacle: await obstacleAt(ground),
      totalBytes: bsize * blocks,
      availableBytes: isMemory ? Math.min(room, process.availableMemory()) : room,
      inodes: files > 0 ? { total: files, available: ffree } : null,
      filesystem: mount?.filesystem ?? null,
      mount: mount?.path ?? null,
      mountOptions: mount?.options ?? [],
      device: mount?.device || null,
      isMemory,
      disk,
      compression: bearer && compressionOf(bearer),
      encryption: disk?.encryption ?? (bearer && encryptionOf(bearer)),
    };
  } catch (cause) {
    throw new GobonnieError(
      'directory-unusable',
      `--dir ${shown(directory)} cannot be used: ${systemReason(cause)}`,
      systemHint(cause),
      { cause },
    );
  }
}

/** The directory itself, or the nearest above it that is there. A dangling link counts as being there. */
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

async function obstacleAt(directory: string): Promise<SystemError | null> {
  return access(directory, constants.W_OK | constants.X_OK).then(
    () => null,
    ({ code, errno, message }: SystemError) => ({ code, errno, message }),
  );
}

/**
 * Linux tells every mount itself. systeminformation's df would miss tmpfs and bind mounts, and would hang on a dead
 * network mount that has nothing to do with the target, so it is asked only where there is no mountinfo.
 */
async function readMounts(): Promise<readonly Mount[]> {
  const mountInfo = await readFile('/proc/self/mountinfo', 'utf8').catch(() => null);
  return mountInfo === null ? mountsOfDf() : parseMountInfo(mountInfo);
}

export async function mountsOfDf(): Promise<readonly Mount[]> {
  const { fsSize } = await loadSystemInformation();
  const filesystems = await fsSize();
  return filesystems.map(({ mount, type, fs }) => ({
    path: mount,
    filesystem: type,
    device: fs,
    deviceNumber: '',
    options: [],
  }));
}

async function diskUnder({ deviceNumber, device }: Mount): Promise<Disk | null> {
  switch (process.platform) {
    case 'linux':
      return readDisk(deviceNumber, device);
    case 'darwin':
    case 'win32':
      // Good to know, but nothing to fail for.
      return diskOfDrives(device).catch(() => null);
    default:
      return null;
  }
}

export async function diskOfDrives(device: string): Promise<Disk | null> {
  const { blockDevices, diskLayout } = await loadSystemInformation();
  const [volumes, drives] = await Promise.all([blockDevices(), diskLayout()]);
  return diskAmong(device, volumes, drives);
}

async function loadSystemInformation() {
  return import('systeminformation');
}
