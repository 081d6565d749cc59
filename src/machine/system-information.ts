import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type * as systeminformation from 'systeminformation';
import type { Systeminformation } from 'systeminformation';
import { UNKNOWN_ATTACHMENT } from './attachment.js';
import type { Disk } from './machine-schema.js';
import type { Mount } from './mount.js';

/** PowerShell, diskutil and df may hang on a dead network mount, and a run works without these facts. */
const QUERY_TIMEOUT_MS = 3000;
/** The volume of users' files on macOS. */
const MACOS_DATA = '/System/Volumes/Data';
const DRIVE = /^[a-z]:$/i;

/** Adds a timeout to execSync, which systeminformation calls without one: a blocked thread cannot be terminated. */
const QUERY_SCRIPT = `
  const { parentPort, workerData } = require('node:worker_threads');
  const programs = require('node:child_process');
  const { execSync } = programs;
  programs.execSync = (command, options) => execSync(command, { ...options, timeout: workerData.timeoutMs });
  const { [workerData.query]: query } = require(workerData.module);
  query().then((result) => parentPort.postMessage(result));
`;

type Queries = Pick<typeof systeminformation, 'fsSize' | 'blockDevices' | 'diskLayout'>;
type QueryResult<Query extends keyof Queries> = Awaited<ReturnType<Queries[Query]>>;

/**
 * Returns the result of systeminformation, or null if it fails or is slow. Runs in its own thread, because it writes to
 * programs without handling their exit, and that error would end the whole process.
 */
export async function querySystemInformation<Query extends keyof Queries>(
  query: Query,
  timeoutMs = QUERY_TIMEOUT_MS,
  module = 'systeminformation',
): Promise<QueryResult<Query> | null> {
  let thread: Worker | null = null;
  try {
    const workerData = { query, timeoutMs, module: createRequire(import.meta.url).resolve(module) };
    thread = new Worker(QUERY_SCRIPT, { eval: true, workerData, execArgv: [], stderr: true });
    const exited = new AbortController();
    thread.once('exit', () => exited.abort());
    const signal = AbortSignal.any([exited.signal, AbortSignal.timeout(timeoutMs)]);
    const [result] = await once(thread, 'message', { signal });
    return result as QueryResult<Query>;
  } catch {
    return null;
  } finally {
    // The thread may still fail while it ends.
    thread?.on('error', () => {});
    await thread?.terminate();
  }
}

/** Lists the mounts with systeminformation, which runs df: that misses tmpfs and bind mounts. */
export async function mountsFromDf(): Promise<readonly Mount[]> {
  const filesystems = (await querySystemInformation('fsSize')) ?? [];
  return filesystems.map(({ mount, type, fs }) => ({
    // To Windows, `C:` is the current directory of that drive.
    path: DRIVE.test(mount) ? `${mount}\\` : mount,
    filesystem: type,
    device: fs,
    deviceNumber: '',
    options: [],
  }));
}

type Volume = Pick<Systeminformation.BlockDevicesData, 'name' | 'model' | 'device'> & {
  /** A string on Windows. */
  readonly size: number | string;
  /** Its kind. On Windows, `Network` and `RAM` are possible. */
  readonly physical?: string;
};
type Drive = Pick<Systeminformation.DiskLayoutData, 'device' | 'type' | 'name'> & {
  readonly bytesPerSector: number | null;
};

const ROTATIONAL_TYPES: Readonly<Record<string, boolean>> = { HD: true, SSD: false, NVMe: false, SCM: false };

/** Returns the device of a mounted `/dev/disk3s5` or `C:`, on systems without sysfs. */
export function findAttachedDevice(mounted: string, volumes: readonly Volume[], drives: readonly Drive[]) {
  const name = path.posix.basename(mounted);
  const volume = volumes.find((row) => path.posix.basename(row.name) === name);
  const isMemory = volume?.physical === 'RAM';
  /** True if it is on another machine. */
  const isRemote = volume?.physical === 'Network';
  if (!volume || isMemory || isRemote) return { disk: null, isMemory, isRemote };
  const wholeDisk = path.posix.basename(volume.device || name);
  const drive = drives.find((row) => path.posix.basename(row.device) === wholeDisk);
  const disk: Disk = {
    name,
    diskstatsName: wholeDisk,
    model: drive?.name || volume.model || null,
    rotational: ROTATIONAL_TYPES[drive?.type ?? ''] ?? null,
    scheduler: null,
    logicalBlockBytes: drive?.bytesPerSector || null,
    physicalBlockBytes: null,
    sizeBytes: Number(volume.size) || null,
    encryption: null,
    ...UNKNOWN_ATTACHMENT,
  };
  return { disk, isMemory, isRemote };
}

/** Returns a function that finds an attached device, on macOS and Windows. */
export async function createDeviceFinder() {
  const [volumes, drives] = await Promise.all([
    querySystemInformation('blockDevices'),
    querySystemInformation('diskLayout'),
  ]);
  // The lists have holes if a program prints less than usual.
  return (device: string) =>
    findAttachedDevice(device, (volumes ?? []).filter(Boolean), (drives ?? []).filter(Boolean));
}

/** `\\server\share` and `\\?\UNC\server\share`, but not `\\?\C:\` or `\\.\pipe`. */
const WINDOWS_SHARE = /^[\\/]{2}(?:\?[\\/]UNC[\\/])?([^\\/?.][^\\/]*)/i;

/**
 * Returns the protocol of a remote directory on Windows, which shows only the filesystem of the other system, or none.
 * Null for a local directory.
 */
export function remoteFilesystem(directory: string, isRemote: boolean, platform: string = process.platform) {
  if (platform !== 'win32') return null;
  const [, server] = WINDOWS_SHARE.exec(directory) ?? [];
  if (/^wsl(\$|\.localhost$)/i.test(server ?? '')) return '9p';
  return server !== undefined || isRemote ? 'smb' : null;
}

/**
 * Returns the volume of a directory on macOS, which shows two volumes as one tree. By its path, /Users would be on the
 * sealed system volume, but its device is that of the data volume.
 */
export async function resolveVolume(
  directory: string,
  mount: Mount | null,
  mounts: readonly Mount[],
  dataPath = MACOS_DATA,
): Promise<Mount | null> {
  const data = mounts.find((one) => one.path === dataPath);
  if (mount?.path !== '/' || !data) return mount;
  const [directoryStats, dataStats] = await Promise.all([stat(directory), stat(data.path).catch(() => null)]);
  return directoryStats.dev === dataStats?.dev ? data : mount;
}
