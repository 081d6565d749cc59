import { stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { type Disk, diskAmong } from './block-device.js';
import type { Mount } from './mount.js';

/** PowerShell, diskutil and df with a dead network mount may take longer, and a run works without these facts. */
const PATIENCE_MS = 3000;
/** Where macOS keeps what users write. */
const MACOS_DATA = '/System/Volumes/Data';
const DRIVE = /^[a-z]:$/i;

/** What programs of the system tell, or `otherwise` if they fail, are slow or must not be started. */
export async function told<Fact>(
  ask: () => Promise<Fact>,
  otherwise: Fact,
  patienceMs = PATIENCE_MS,
): Promise<Fact> {
  // systeminformation would throw outside of its promise.
  if (process.permission?.has('child') === false) return otherwise;
  const over = new AbortController();
  const late = setTimeout(patienceMs, otherwise, { signal: over.signal });
  // When it is no longer waited for.
  late.catch(() => {});
  try {
    return await Promise.race([ask().catch(() => otherwise), late]);
  } finally {
    over.abort();
  }
}

/** By systeminformation, which runs df: that misses tmpfs and bind mounts. */
export async function mountsOfDf(): Promise<readonly Mount[]> {
  const { fsSize } = await import('systeminformation');
  const filesystems = await fsSize();
  return filesystems.map(({ mount, type, fs }) => ({
    // To Windows, `C:` is the current directory of that drive.
    path: DRIVE.test(mount) ? `${mount}\\` : mount,
    filesystem: type,
    device: fs,
    deviceNumber: '',
    options: [],
  }));
}

export async function diskOfDrives(device: string): Promise<Disk | null> {
  const { blockDevices, diskLayout } = await import('systeminformation');
  const [volumes, drives] = await Promise.all([blockDevices(), diskLayout()]);
  return diskAmong(device, volumes, drives);
}

/**
 * macOS shows two volumes as one tree. By its path /Users would be on the sealed one of the system, but its device is that
 * of the other.
 */
export async function volumeOf(
  directory: string,
  mount: Mount | null,
  mounts: readonly Mount[],
  dataPath = MACOS_DATA,
): Promise<Mount | null> {
  const data = mounts.find(({ path }) => path === dataPath);
  if (mount?.path !== '/' || !data) return mount;
  const [here, there] = await Promise.all([stat(directory), stat(data.path).catch(() => null)]);
  return here.dev === there?.dev ? data : mount;
}
