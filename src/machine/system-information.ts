import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { blockDevices, diskLayout, fsSize } from 'systeminformation';
import { type AttachedDevice, findAttachedDevice } from './block-device.js';
import type { Mount } from './mount.js';

/** PowerShell, diskutil and df with a dead network mount may take longer, and a run works without these facts. */
const QUERY_TIMEOUT_MS = 3000;
/** Where macOS keeps what users write. */
const MACOS_DATA = '/System/Volumes/Data';
const DRIVE = /^[a-z]:$/i;

/** Some programs it runs by execSync, without a limit: a thread that waits so cannot be ended. */
const QUERY_SCRIPT = `
  const { parentPort, workerData } = require('node:worker_threads');
  const programs = require('node:child_process');
  const { execSync } = programs;
  programs.execSync = (command, options) => execSync(command, { ...options, timeout: workerData.timeoutMs });
  const { [workerData.query]: query } = require(workerData.module);
  query().then((result) => parentPort.postMessage(result));
`;

interface Queries {
  readonly fsSize: typeof fsSize;
  readonly blockDevices: typeof blockDevices;
  readonly diskLayout: typeof diskLayout;
}
type QueryResult<Query extends keyof Queries> = Awaited<ReturnType<Queries[Query]>>;

/**
 * What systeminformation answers, or null if it fails or is slow. In a thread of its own: it writes to programs without
 * handling that they have ended, and an error there would end the whole process.
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
    // It may still fail while it ends.
    thread?.on('error', () => {});
    await thread?.terminate();
  }
}

/** By systeminformation, which runs df: that misses tmpfs and bind mounts. */
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

/** On macOS and Windows. Finds a device among all that are attached. */
export async function createDeviceFinder(): Promise<(device: string) => AttachedDevice> {
  const [volumes, drives] = await Promise.all([
    querySystemInformation('blockDevices'),
    querySystemInformation('diskLayout'),
  ]);
  // There are holes in the list if a program prints less than it does usually.
  return (device) =>
    findAttachedDevice(device, (volumes ?? []).filter(Boolean), (drives ?? []).filter(Boolean));
}

/** `\\server\share` and `\\?\UNC\server\share`, but not `\\?\C:\` or `\\.\pipe`. */
const WINDOWS_SHARE = /^[\\/]{2}(?:\?[\\/]UNC[\\/])?([^\\/?.][^\\/]*)/i;

/**
 * The protocol by which another system serves a directory of Windows, which shows the name of the other's filesystem, or
 * none. Null if none does.
 */
export function remoteFilesystem(
  directory: string,
  { isRemote }: Pick<AttachedDevice, 'isRemote'>,
  platform: string = process.platform,
): string | null {
  if (platform !== 'win32') return null;
  const [, server] = WINDOWS_SHARE.exec(directory) ?? [];
  if (/^wsl(\$|\.localhost$)/i.test(server ?? '')) return '9p';
  return server !== undefined || isRemote ? 'smb' : null;
}

/**
 * macOS shows two volumes as one tree. By its path /Users would be on the sealed one of the system, but its device is that
 * of the other.
 */
export async function resolveVolume(
  directory: string,
  mount: Mount | null,
  mounts: readonly Mount[],
  dataPath = MACOS_DATA,
): Promise<Mount | null> {
  const data = mounts.find(({ path }) => path === dataPath);
  if (mount?.path !== '/' || !data) return mount;
  const [directoryStats, dataStats] = await Promise.all([stat(directory), stat(data.path).catch(() => null)]);
  return directoryStats.dev === dataStats?.dev ? data : mount;
}
