import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { GobonnieError } from '../errors.js';
import type { Machine } from '../machine/machine-schema.js';
import { usableBytes } from '../plan/target.js';
import { Scratch } from '../scratch/scratch.js';
import type { Watcher } from '../scratch/watcher/watcher.js';
import { nullIfMissing } from '../system-error.js';
import { display } from '../text/escape.js';
import { groupBy } from '../text/group-by.js';
import { formatBytes } from '../text/units.js';
import { copyTree, type SourceTree } from './tree.js';

/** Throws if the copies would not fit, or would leave too little space. Sides on the same filesystem share its space. */
export function rejectLargeTree({ root, entries, bytes }: SourceTree, machines: readonly Machine[]): void {
  const targets = machines.map(({ target }) => target);
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
    const copies = group.length > 1 ? `${group.length} copies` : 'a copy';
    throw new GobonnieError(
      'size-too-large',
      `${copies} of ${display(root)} in ${display(target.directory)} need ${amounts}`,
      'leave something out with --exclude, or pass another DIR',
    );
  }
}

/** The place where a command runs on one side: a copy of the user's files, or an empty directory. */
export class WorkDirectory implements AsyncDisposable {
  readonly machine: Machine;
  readonly #scratch: Scratch;
  readonly #tree: SourceTree | null;

  private constructor(machine: Machine, scratch: Scratch, tree: SourceTree | null) {
    this.machine = machine;
    this.#scratch = scratch;
    this.#tree = tree;
  }

  static async create(machine: Machine, tree: SourceTree | null, watcher: Watcher): Promise<WorkDirectory> {
    const { directory } = machine.target;
    const layout = { files: 0, trees: [] };
    const scratch = await Scratch.create({ directory, scratchLayout: layout, machine }, watcher);
    const work = new WorkDirectory(machine, scratch, tree);
    if (machine.isRoot && (await scratch.canOthersWrite())) {
      await scratch.remove();
      throw new GobonnieError(
        'directory-unusable',
        `other users can write to files created in ${display(directory)}, and could change what root runs`,
        'pass another directory, or do not run as root',
      );
    }
    return work;
  }

  get path(): string {
    return this.#scratch.commandDirectory;
  }

  /** The value of SCRATCH_VARIABLE for its processes. */
  get scratchDirectory(): string {
    return this.#scratch.resolvedPath;
  }

  /** Fills it anew if it is missing: the command may have removed or replaced it. */
  async prepare(signal: AbortSignal): Promise<void> {
    const stats = await nullIfMissing(lstat(this.path));
    if (stats?.isDirectory()) return;
    await this.#scratch.createCommandDirectory();
    if (this.#tree) await copyTree(this.#tree, this.path, signal);
  }

  /** Returns the files that are now in it. */
  async listFiles(): Promise<readonly string[]> {
    const entries = await readdir(this.path, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  }

  /** Ends what the command left in the background. */
  endProcesses(): Promise<void> {
    return this.#scratch.endProcesses();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#scratch.remove();
  }
}
