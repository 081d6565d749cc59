import type { Stats } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, readdir, readlink, symlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import { type ErrorCode, GobonnieError } from '../errors.js';
import { SCRATCH_NAME } from '../scratch/file-location.js';
import { type SystemError, systemReason } from '../system-error.js';
import { display } from '../text/escape.js';

/** Number of files to copy at once. */
const BATCH = 64;
/** The space that a file takes is a multiple of this. */
const BLOCK_BYTES = 4096;
/** Lets this user fill a directory whose own mode may not. */
const OPEN_MODE = 0o700;

/** A file, directory or link, by its path in the tree. */
interface TreeEntry {
  readonly path: string;
  readonly stats: Stats;
}

/** The files that a command gets copies of. */
export interface SourceTree {
  readonly root: string;
  /** A directory precedes what is in it. */
  readonly entries: readonly TreeEntry[];
  /** The space that a copy takes. */
  readonly bytes: number;
  /** Number of sockets, pipes and devices, which a copy leaves out. */
  readonly skipped: number;
}

/** Lists a tree without following links. Leaves out entries with an excluded name or path, and scratch directories. */
export async function listTree(root: string, excluded: readonly string[]): Promise<SourceTree> {
  const entries: TreeEntry[] = [];
  const tree = { root, entries, bytes: 0, skipped: 0 };
  const isCopied = (relative: string) => {
    const name = path.basename(relative);
    return !excluded.includes(name) && !excluded.includes(relative) && !SCRATCH_NAME.test(name);
  };
  const list = async (directory: string): Promise<void> => {
    const names = await readdir(path.join(root, directory));
    const paths = names.map((name) => path.join(directory, name)).filter(isCopied);
    const found = await Promise.all(paths.map((relative) => lstat(path.join(root, relative))));
    for (const [at, stats] of found.entries()) {
      const relative = paths[at] ?? '';
      if (!stats.isFile() && !stats.isDirectory() && !stats.isSymbolicLink()) tree.skipped += 1;
      else entries.push({ path: relative, stats });
      tree.bytes += (Math.ceil(stats.size / BLOCK_BYTES) + 1) * BLOCK_BYTES;
      if (stats.isDirectory()) await list(relative);
    }
  };
  await describeErrors('directory-unusable', 'read', root, () => list(''));
  return tree;
}

/** Copies a tree into an existing empty directory, with modes and times, which build tools compare. */
export async function copyTree(tree: SourceTree, target: string, signal: AbortSignal): Promise<void> {
  const { root, entries } = tree;
  const directories = entries.filter(({ stats }) => stats.isDirectory());
  const others = entries.filter(({ stats }) => !stats.isDirectory());
  const copy = async ({ path: relative, stats }: TreeEntry) => {
    const [from, to] = [path.join(root, relative), path.join(target, relative)];
    if (stats.isSymbolicLink()) return symlink(await readlink(from), to);
    await copyFile(from, to);
    await utimes(to, stats.atime, stats.mtime);
  };
  await describeErrors('copy-failed', 'copy', root, async () => {
    for (const directory of directories) await mkdir(path.join(target, directory.path), OPEN_MODE);
    for (let start = 0; start < others.length && !signal.aborted; start += BATCH)
      await Promise.all(others.slice(start, start + BATCH).map(copy));
    // The innermost first, because a directory may be read-only, and each entry changes the time of its directory.
    for (const { path: relative, stats } of directories.toReversed()) {
      await utimes(path.join(target, relative), stats.atime, stats.mtime);
      await chmod(path.join(target, relative), stats.mode);
    }
  });
}

async function describeErrors(code: ErrorCode, verb: string, root: string, act: () => Promise<void>) {
  try {
    await act();
  } catch (cause) {
    const { path: file = root } = cause as SystemError;
    const message = `cannot ${verb} ${display(file)}: ${systemReason(cause)}`;
    throw new GobonnieError(code, message, 'use --exclude NAME, another --copy DIR, or --no-copy', { cause });
  }
}
