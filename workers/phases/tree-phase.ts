import { closeSync, constants, fsyncSync, openSync } from 'node:fs';
import { closeNamed } from '../files/slice-file.js';
import { directoriesOf, filesOf, type NameOrder, type SmallFile } from '../files/tree.js';
import { type FileTree, OPERATIONS, STOP } from '../protocol.js';
import type { Job, Phase, PhaseContext } from './phase.js';

/** How the phases of small files differ. */
export interface TreeWork {
  readonly name: string;
  readonly title: string;
  readonly done: string;
  readonly access: Phase['access'];
  readonly order: NameOrder;
  /** Puts the files into the order in which they are processed; by default that of their creation. */
  readonly arrange?: (files: readonly SmallFile[], context: PhaseContext) => readonly SmallFile[];
  /** Gives what is done to each file. */
  readonly prepareAct: (tree: FileTree, order: NameOrder, context: PhaseContext) => (file: SmallFile) => void;
}

/** A phase that does one thing to every file of the worker's tree. */
export function treePhase({ order, arrange, prepareAct, ...facts }: TreeWork): Phase {
  return {
    ...facts,
    figure: 'operations',
    dataset: order === 'numeric' ? 'tree' : 'random-tree',
    moves: 'files',
    runBy: 'threads',
    ends: 'work',
    order: order === 'numeric' ? 'sequential' : 'random',
    coldCache: false,
    durable: false,

    prepare(context) {
      const { tree, treeKey, transfer } = context;
      if (!tree) throw new Error(`${facts.name} was planned without a tree`);
      const files = [...filesOf(tree, order, treeKey)];
      const directories = facts.access === 'uses' ? [] : directoriesOf(tree, order);
      return treeJob(
        context,
        arrange?.(files, context) ?? files,
        prepareAct(tree, order, context),
        transfer.syncEach ? openAll(directories) : new Map(),
        transfer.fsync ? directories : [],
      );
    },
  };
}

function treeJob(
  { flags, progress, latency }: PhaseContext,
  files: readonly SmallFile[],
  act: (file: SmallFile) => void,
  syncedEach: ReadonlyMap<string, number>,
  syncedLast: readonly string[],
): Job {
  let current = '';
  return {
    work() {
      let operations = 0;
      for (const file of files) {
        if (Atomics.load(flags, STOP) !== 0) return;
        current = file.path;
        const began = latency.begin();
        act(file);
        const directory = syncedEach.get(file.directory);
        if (directory !== undefined) fsyncSync(directory);
        latency.end(began);
        operations++;
        progress[OPERATIONS] = operations;
      }
      for (const directory of syncedLast) {
        current = directory;
        syncDirectory(directory);
      }
    },
    close() {
      for (const [directory, fd] of syncedEach) closeNamed(fd, directory);
    },
    file: () => current,
  };
}

function openAll(directories: readonly string[]): ReadonlyMap<string, number> {
  return new Map(directories.map((directory) => [directory, openSync(directory, constants.O_RDONLY)]));
}

function syncDirectory(directory: string): void {
  const fd = openSync(directory, constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
