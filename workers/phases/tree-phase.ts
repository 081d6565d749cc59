import { closeSync, constants, fsyncSync, openSync } from 'node:fs';
import { generateFiles, type NameOrder, type SmallFile, treeDirectories } from '../files/file-tree.js';
import { closeWithPath } from '../files/slice-file.js';
import { canSyncDirectories, type FileTree, isStopped, mayContinue, OPERATIONS } from '../protocol.js';
import type { Phase, PhaseContext } from './phase.js';

export interface TreeContext extends PhaseContext {
  readonly tree: FileTree;
  readonly nameOrder: NameOrder;
}

/** The differences between the phases of small files. */
interface TreePhaseSettings extends Pick<Phase, 'name' | 'title' | 'amountLabel' | 'access'> {
  /** Returns the files in the order in which the random phase processes them. Default: the order of creation. */
  readonly randomize?: (files: readonly SmallFile[], context: PhaseContext) => readonly SmallFile[];
  /** Returns the action for each file. */
  readonly prepareAction: (context: TreeContext) => (file: SmallFile) => void;
}

/** Makes two phases that apply one action to every file of the worker's tree: in numeric and in random order. */
export function treePhases(settings: TreePhaseSettings): readonly [Phase, Phase] {
  const { name, title, randomize, ...common } = settings;
  return [
    treePhase({ ...common, name, title: `Sequential ${title}` }, 'numeric'),
    treePhase({ ...common, name: `${name}-random`, title: `Random ${title}` }, 'random', randomize),
  ];
}

function treePhase(
  { prepareAction, ...common }: Omit<TreePhaseSettings, 'randomize'>,
  nameOrder: NameOrder,
  arrange?: TreePhaseSettings['randomize'],
): Phase {
  return {
    ...common,
    primaryRate: 'operations',
    dataset: nameOrder === 'numeric' ? 'tree' : 'random-tree',
    ioUnit: 'files',
    runBy: 'threads',
    endCondition: 'work',
    order: nameOrder === 'numeric' ? 'sequential' : 'random',
    coldCache: false,
    durable: false,

    prepare(context) {
      const { tree, treeKey, transfer, flags, progress, latency } = context;
      if (!tree) throw new Error(`${common.name} was planned without a tree`);
      const created = [...generateFiles(tree, nameOrder, treeKey)];
      const files = arrange?.(created, context) ?? created;
      const act = prepareAction({ ...context, tree, nameOrder });
      const changedDirectories = common.access === 'uses' ? [] : treeDirectories(tree, nameOrder);
      const directories = canSyncDirectories(process.platform) ? changedDirectories : [];
      const openDirectories = transfer.syncPerWrite ? openAll(directories) : new Map<string, number>();
      let current = '';
      return {
        run() {
          let operations = 0;
          for (const file of files) {
            if (!mayContinue(flags, operations)) break;
            current = file.path;
            const startNs = latency.begin();
            act(file);
            const directory = openDirectories.get(file.directory);
            if (directory !== undefined) fsyncSync(directory);
            latency.end(startNs);
            operations++;
            progress[OPERATIONS] = operations;
          }
          for (const directory of transfer.fsync && !isStopped(flags) ? directories : []) {
            current = directory;
            syncDirectory(directory);
          }
        },
        close() {
          for (const [directory, fd] of openDirectories) closeWithPath(fd, directory);
        },
        currentFile: () => current,
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
