import { closeSync, constants, fsyncSync, openSync } from 'node:fs';
import { closeNamed } from '../files/slice-file.js';
import { directoriesOf, filesOf, type NameOrder, type TreeFile } from '../files/tree.js';
import { OPERATIONS, STOP, type Tree } from '../protocol.js';
import type { Job, Phase, Station } from './phase.js';

/** What the phases of the tree differ in. */
export interface TreeWork {
  readonly name: string;
  readonly title: string;
  readonly done: string;
  readonly use: Phase['use'];
  readonly order: NameOrder;
  /** The files in the order in which they are dealt with; as they were made where it is left out. */
  readonly arrange?: (files: readonly TreeFile[], station: Station) => readonly TreeFile[];
  /** What is done to each of them. */
  readonly prepareAct: (tree: Tree, order: NameOrder, station: Station) => (file: TreeFile) => void;
}

/** A phase that does one thing to every file of the worker's tree. */
export function treePhase({ order, arrange, prepareAct, ...facts }: TreeWork): Phase {
  return {
    ...facts,
    figure: 'operations',
    stock: order === 'numeric' ? 'tree' : 'random-tree',
    moves: 'files',
    team: 'threads',
    ends: 'work',
    order: order === 'numeric' ? 'sequential' : 'random',
    coldCache: false,
    durable: false,

    prepare(station) {
      const { tree, treeKey, transfer, manner } = station;
      if (!tree) throw new Error(`${facts.name} was planned without a tree`);
      const files = [...filesOf(tree, order, treeKey)];
      const directories = facts.use === 'needs' ? [] : directoriesOf(tree, order);
      return treeJob(
        station,
        arrange?.(files, station) ?? files,
        prepareAct(tree, order, station),
        manner.syncEach ? openAll(directories) : new Map(),
        transfer.fsync ? directories : [],
      );
    },
  };
}

function treeJob(
  { flags, progress, latency }: Station,
  files: readonly TreeFile[],
  act: (file: TreeFile) => void,
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
