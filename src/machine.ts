import { constants } from 'node:fs';
import { access, lstat, readFile, realpath, stat, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { GobonnieError, shown, systemHint, systemReason } from './errors.js';
import { isInside, type Mount, parseMountInfo } from './mount.js';

/** The directory to be measured and what lies under it. */
export interface Target {
  readonly directory: string;
  /** False when it will have to be made. */
  readonly exists: boolean;
  readonly isDirectory: boolean;
  readonly writable: boolean;
  readonly totalBytes: number;
  /** What may still be written there by this user. */
  readonly availableBytes: number;
  readonly filesystem: string | null;
  readonly mount: string | null;
  readonly device: string | null;
}

/** Facts about the host, settled once. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly nodeVersion: string;
  readonly cores: number;
  readonly memoryBytes: number;
  /** The memory, or a container's limit where that is less. */
  readonly memoryLimitBytes: number;
  readonly isRoot: boolean;
  readonly target: Target;
}

/** Filesystems whose free space is the machine's free memory. */
const MEMORY_FILESYSTEMS = new Set(['tmpfs', 'ramfs']);

export async function inspect(dir: string = os.tmpdir()): Promise<Machine> {
  return {
    platform: process.platform,
    nodeVersion: process.version,
    cores: os.availableParallelism(),
    memoryBytes: os.totalmem(),
    memoryLimitBytes: memoryLimit(os.totalmem(), process.constrainedMemory()),
    isRoot: process.geteuid?.() === 0,
    target: await inspectTarget(path.resolve(dir)),
  };
}

/** Without a limit the kernel says 0, nothing, or a number larger than any memory. */
export function memoryLimit(memoryBytes: number, constrainedBytes: number | undefined): number {
  return constrainedBytes && constrainedBytes < memoryBytes ? constrainedBytes : memoryBytes;
}

async function inspectTarget(directory: string): Promise<Target> {
  try {
    const ground = await nearestExisting(directory);
    const isDirectory = (await stat(ground).catch(() => null))?.isDirectory() ?? false;
    const { bsize, blocks, bavail } = await statfs(isDirectory ? ground : path.dirname(ground));
    const mount = await mountOf(await realpath(isDirectory ? ground : path.dirname(ground)));
    const room = bsize * bavail;
    return {
      directory,
      exists: ground === directory,
      isDirectory,
      writable: await isWritable(ground),
      totalBytes: bsize * blocks,
      availableBytes: MEMORY_FILESYSTEMS.has(mount?.filesystem ?? '')
        ? Math.min(room, process.availableMemory())
        : room,
      filesystem: mount?.filesystem ?? null,
      mount: mount?.path ?? null,
      device: mount?.device || null,
    };
  } catch (cause) {
    const error = cause as NodeJS.ErrnoException;
    throw new GobonnieError(
      'directory-unusable',
      `--dir ${shown(directory)} cannot be used: ${systemReason(error)}`,
      systemHint(error),
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
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === directory) throw error;
    return nearestExisting(parent);
  }
}

async function isWritable(directory: string): Promise<boolean> {
  return access(directory, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

/**
 * Linux tells every mount itself. systeminformation's df would miss tmpfs and bind mounts, and would hang on a dead
 * network mount that has nothing to do with the target, so it is asked only where there is no mountinfo.
 */
async function mountOf(directory: string): Promise<Mount | null> {
  const mountInfo = await readFile('/proc/self/mountinfo', 'utf8').catch(() => null);
  const mounts = mountInfo === null ? await mountsOfDf() : parseMountInfo(mountInfo);
  const around = mounts.filter((mount) => isInside(directory, mount.path));
  // The longest path is the innermost mount; of two on the same path the later one covers the earlier.
  return around.toSorted((a, b) => a.path.length - b.path.length).at(-1) ?? null;
}

export async function mountsOfDf(): Promise<readonly Mount[]> {
  const { fsSize } = await import('systeminformation');
  const filesystems = await fsSize();
  return filesystems.map(({ mount, type, fs }) => ({ path: mount, filesystem: type, device: fs }));
}
