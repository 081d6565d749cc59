import { closeSync, constants, fsyncSync, openSync } from 'node:fs';
import { closeNamed } from '../files/slice-file.js';
import { directoriesOf, filesOf, type NameOrder, type SmallFile } from '../files/tree.js';
import { type FileTree, goesOn, isStopped, OPERATIONS, syncsDirectories } from '../protocol.js';
import type { Phase, PhaseContext } from './phase.js';

export interface TreeContext extends PhaseContext {
  readonly tree: FileTree;
  readonly names: NameOrder;
}

/** How the phases of small files differ. */
interface TreeWork extends Pick<Phase, 'name' | 'title' | 'done' | 'access'> {
  readonly names: NameOrder;
  /** Puts the files into the order in which they are processed; by default that of their creation. */
  readonly arrange?: (files: readonly SmallFile[], context: PhaseContext) => readonly SmallFile[];
  /** Returns what is done to each file. */
  readonly prepareAct: (context: TreeContext) => (file: SmallFile) => void;
}

/** A phase that does one thing to every file of the worker's tree. */
export function treePhase({ names, arrange, prepareAct, ...facts }: TreeWork): Phase {
  return {
    ...facts,
    primaryRate: 'operations',
    dataset: names === 'numeric' ? 'tree' : 'random-tree',
    moves: 'files',
    runBy: 'threads',
    ends: 'work',
    order: names === 'numeric' ? 'sequential' : 'random',
    coldCache: false,
    durable: false,

    prepare(context) {
      const { tree, treeKey, transfer, flags, progress, latency } = context;
      if (!tree) throw new Error(`${facts.name} was planned without a tree`);
      const created = [...filesOf(tree, names, treeKey)];
      const files = arrange?.(created, context) ?? created;
      const act = prepareAct({ ...context, tree, names });
      const changed = facts.access === 'uses' ? [] : directoriesOf(tree, names);
      const directories = syncsDirectories(process.platform) ? changed : [];
      const syncedEach = transfer.fsyncPerWrite ? openAll(directories) : new Map<string, number>();
      let current = '';
      return {
        work() {
          let operations = 0;
          for (const file of files) {
            if (!goesOn(flags, operations)) break;
            current = file.path;
            const began = latency.begin();
            act(file);
            const directory = syncedEach.get(file.directory);
            if (directory !== undefined) fsyncSync(directory);
            latency.end(began);
            operations++;
            progress[OPERATIONS] = operations;
          }
          for (const directory of transfer.fsync && !isStopped(flags) ? directories : []) {
            current = directory;
            syncDirectory(directory);
          }
        },
        close() {
          for (const [directory, fd] of syncedEach) closeNamed(fd, directory);
        },
        file: () => current,
      };
    },
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
