import type { Stats } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, readdir, readlink, stat, symlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import { type ErrorCode, GobonnieError } from '../errors.js';
import type { Machine, Target } from '../machine/machine-schema.js';
import { usableBytes } from '../plan/target.js';
import { SCRATCH_NAME } from '../scratch/file-location.js';
import { canOthersWrite } from '../scratch/own-files.js';
import { inBatches } from '../scratch/removal.js';
import { createScratch, type Scratch } from '../scratch/scratch.js';
import type { Watcher } from '../scratch/watcher/watcher.js';
import { errorWithReason, nullIfMissing, type SystemError } from '../system-error.js';
import { display } from '../text/escape.js';
import { groupBy } from '../text/group-by.js';
import { formatBytes } from '../text/units.js';

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
export type SourceTree = Readonly<Awaited<ReturnType<typeof listTree>>>;

/** Lists a tree without following links. Leaves out entries with an excluded name or path, and scratch directories. */
export async function listTree(root: string, excluded: readonly string[]) {
  /** Each directory comes before its entries. */
  const entries: TreeEntry[] = [];
  /** The space that a copy takes, and the number of sockets, pipes and devices, which it leaves out. */
  const tree = { root, entries, bytes: 0, skipped: 0, unmatched: [...excluded] };
  const isCopied = (relative: string) => {
    const name = path.basename(relative);
    const isMatch = (one: string) => one === name || one === relative;
    tree.unmatched = tree.unmatched.filter((one) => !isMatch(one));
    return !excluded.some(isMatch) && !SCRATCH_NAME.test(name);
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

/** Throws if the copies would not fit, or would leave too little space. Sides on the same filesystem share its space. */
export function rejectLargeTree({ root, entries, bytes }: SourceTree, targets: readonly Target[]): void {
  for (const group of groupBy(targets, ({ mount, device }) => `${mount} ${device}`)) {
    const [target] = group;
    const neededBytes = bytes * group.length;
    const neededInodes = (entries.length + 1) * group.length;
    const freeInodes = target.inodes?.available ?? Number.POSITIVE_INFINITY;
    const isTooLarge = neededBytes > usableBytes(target);
    if (!isTooLarge && neededInodes <= freeInodes) continue;
    const amounts = isTooLarge
      ? `${formatBytes(neededBytes)}, but only ${formatBytes(target.availableBytes)} are free`
      : `${neededInodes} inodes, but only ${freeInodes} are free`;
    const count = group.length;
    const place = `of ${display(root)} in ${display(target.directory)}`;
    throw new GobonnieError(
      'size-too-large',
      count > 1 ? `${count} copies ${place} need ${amounts}` : `a copy ${place} needs ${amounts}`,
      'leave something out with --exclude, or pass another DIR',
    );
  }
}

/** Creates a scratch directory for a command. Throws for root if other users could change what it runs. */
export async function createWorkScratch(machine: Machine, watcher: Watcher): Promise<Scratch> {
  const { directory } = machine.target;
  const scratch = await createScratch({ directory, scratchLayout: { files: 0, trees: [] } }, watcher);
  // Some mounts ignore the mode of new directories.
  const isOpen = canOthersWrite(await stat(scratch.directory.path), []);
  if (!machine.isRoot || !(isOpen || scratch.warnings.length > 0)) return scratch;
  await scratch.remove();
  throw new GobonnieError(
    'directory-unusable',
    `other users can write to ${display(directory)}, and could change what root runs`,
    `pass another directory, run chmod go-w ${display(directory)}, or do not run as root`,
  );
}

/** Creates the directory in which a command runs, if it is missing: the command may have removed or replaced it. */
export async function fillWorkDirectory(
  scratch: Scratch,
  tree: SourceTree | null,
  signal: AbortSignal,
): Promise<void> {
  const stats = await nullIfMissing(lstat(scratch.commandDirectory));
  if (stats?.isDirectory()) return;
  await scratch.createCommandDirectory();
  if (tree) await copyTree(tree, scratch.commandDirectory, signal);
}

/** Copies a tree into an existing empty directory, with modes and times, which build tools compare. */
async function copyTree(tree: SourceTree, target: string, signal: AbortSignal): Promise<void> {
  const { root, entries } = tree;
  const directories = entries.filter(({ stats }) => stats.isDirectory());
  const others = entries.filter(({ stats }) => !stats.isDirectory());
  const copy = async ({ path: relative, stats }: TreeEntry) => {
    if (signal.aborted) return;
    const from = path.join(root, relative);
    const to = path.join(target, relative);
    if (stats.isSymbolicLink()) return symlink(await readlink(from), to);
    await copyFile(from, to);
    await utimes(to, stats.atime, stats.mtime);
  };
  await describeErrors('copy-failed', 'copy', root, async () => {
    for (const directory of directories) await mkdir(path.join(target, directory.path), OPEN_MODE);
    await inBatches(others, copy);
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
    const hint = 'use --exclude NAME, another --copy DIR, or --no-copy';
    throw errorWithReason(code, `cannot ${verb} ${display(file)}`, cause, hint);
  }
}
