import { chmod, copyFile, lstat, mkdir, readdir, readlink, symlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import { GobonnieError } from '../errors.js';
import { SCRATCH_NAME } from '../scratch/file-location.js';
import { type SystemError, systemHint, systemReason } from '../system-error.js';
import { display } from '../text/escape.js';

/** Number of files to copy at once. */
const BATCH = 64;
/** The space that a file takes is a multiple of this. */
const BLOCK_BYTES = 4096;
const PERMISSIONS = 0o7777;
/** Lets this user fill a directory whose own mode may not. */
const OPEN_MODE = 0o700;

/** A file, directory or link of a tree, by its path in the tree. */
interface TreeEntry {
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'link';
  readonly mode: number;
  readonly accessed: Date;
  readonly modified: Date;
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
  const list = async (directory: string): Promise<void> => {
    for (const name of await readdir(path.join(root, directory))) {
      const relative = path.join(directory, name);
      if (excluded.includes(name) || excluded.includes(relative) || SCRATCH_NAME.test(name)) continue;
      const stats = await lstat(path.join(root, relative));
      const known = {
        path: relative,
        mode: stats.mode & PERMISSIONS,
        accessed: stats.atime,
        modified: stats.mtime,
      };
      if (stats.isFile()) entries.push({ ...known, kind: 'file' });
      else if (stats.isSymbolicLink()) entries.push({ ...known, kind: 'link' });
      else if (stats.isDirectory()) entries.push({ ...known, kind: 'directory' });
      else tree.skipped += 1;
      tree.bytes += (Math.ceil(stats.size / BLOCK_BYTES) + 1) * BLOCK_BYTES;
      if (stats.isDirectory()) await list(relative);
    }
  };
  try {
    await list('');
  } catch (cause) {
    const { path: file = root } = cause as SystemError;
    const message = `cannot read ${display(file)}: ${systemReason(cause)}`;
    throw new GobonnieError(
      'directory-unusable',
      message,
      'pass another --copy DIR, --exclude or --no-copy',
      {
        cause,
      },
    );
  }
  return tree;
}

/** Copies a tree into an existing empty directory, with modes and times, which build tools compare. */
export async function copyTree(
  { root, entries }: SourceTree,
  target: string,
  signal: AbortSignal,
): Promise<void> {
  const directories = entries.filter(({ kind }) => kind === 'directory');
  const others = entries.filter(({ kind }) => kind !== 'directory');
  const copy = async (entry: TreeEntry) => {
    const from = path.join(root, entry.path);
    const to = path.join(target, entry.path);
    if (entry.kind === 'link') return symlink(await readlink(from), to);
    await copyFile(from, to);
    await utimes(to, entry.accessed, entry.modified);
  };
  try {
    for (const directory of directories) await mkdir(path.join(target, directory.path), OPEN_MODE);
    for (let start = 0; start < others.length && !signal.aborted; start += BATCH)
      await Promise.all(others.slice(start, start + BATCH).map(copy));
    // The innermost first, because a directory may be read-only, and each entry changes the time of its directory.
    for (const { path: relative, mode, accessed, modified } of directories.toReversed()) {
      await utimes(path.join(target, relative), accessed, modified);
      await chmod(path.join(target, relative), mode);
    }
  } catch (cause) {
    throw copyError(root, cause);
  }
}

function copyError(root: string, cause: unknown): GobonnieError {
  const { path: file = root } = cause as SystemError;
  return new GobonnieError(
    'copy-failed',
    `cannot copy ${display(root)}: ${display(file)}: ${systemReason(cause)}`,
    systemHint(cause),
    { cause },
  );
}
