import {
  closeSync,
  constants,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { generateFiles, linkTarget, type SmallFile, treeDirectories } from '../files/file-tree.js';
import { moveFile, retryWhileBusySync, syncDirectory } from '../files/read-write.js';
import { closeWithPath } from '../files/slice-file.js';
import { CREATE_NEW_FLAGS, canSyncDirectories, isStopped, NO_FOLLOW, SYNCING } from '../protocol.js';
import type { Phase, PhaseContext, TreeDataset } from './phase.js';
import { Operations } from './tool-phase.js';

const FILE_MODE = 0o600;

/** The differences between the phases of small files, which exist in numeric and in random order. */
interface SmallFilePhase extends Pick<Phase, 'name' | 'title' | 'amountLabel' | 'access'> {
  /** Returns the files in the order in which the random phase processes them. Default: the order of creation. */
  readonly randomize?: (files: readonly SmallFile[], context: PhaseContext) => readonly SmallFile[];
  /** Processes a file. `target` is the target of all links. */
  readonly act: (file: SmallFile, operations: Operations, target: string) => void;
}

const createStatDelete: readonly SmallFilePhase[] = [
  { name: 'create', title: 'Create', amountLabel: 'created', access: 'creates', act: createEntry },
  {
    name: 'stat',
    title: 'Stat',
    amountLabel: 'statted',
    access: 'uses',
    act: statFile,
    // As many files as there are, some more than once.
    randomize: (files, { random }) =>
      files.map(() => files[random.below(files.length)]).filter((file) => file !== undefined),
  },
  {
    name: 'delete',
    title: 'Delete',
    amountLabel: 'deleted',
    access: 'deletes',
    act: ({ path }) => retryWhileBusySync(() => unlinkSync(path)),
    randomize: (files, { random }) => random.shuffle(files),
  },
];

/** The phases in numeric order, then those in random order. Each applies one action to every file of the worker's tree. */
export const smallFilePhases: readonly Phase[] = [
  ...createStatDelete.map((phase) => treePhase(phase, 'tree')),
  ...createStatDelete.map((phase) => treePhase(phase, 'random-tree')),
];

function treePhase({ name, title, randomize, act, ...common }: SmallFilePhase, dataset: TreeDataset): Phase {
  const isRandom = dataset === 'random-tree';
  return {
    ...common,
    name: isRandom ? `${name}-random` : name,
    title: `${isRandom ? 'Random' : 'Sequential'} ${title}`,
    primaryRate: 'operations',
    dataset,
    ioUnit: 'files',
    runBy: 'threads',
    order: isRandom ? 'random' : 'sequential',
    coldCache: false,

    prepare(context) {
      const { tree, seed, run, transfer, flags, progress } = context;
      if (!tree) throw new Error(`${name} was planned without a tree`);
      const created = generateFiles(tree, dataset, [seed, run, tree.index]);
      const files = isRandom && randomize ? randomize(created, context) : created;
      const target = linkTarget(tree, dataset);
      const isSynced = common.access !== 'uses' && canSyncDirectories(process.platform);
      const directories = isSynced ? treeDirectories(tree, dataset) : [];
      const openDirectories = new Map(
        (transfer.syncPerWrite ? directories : []).map((path) => [path, openSync(path, constants.O_RDONLY)]),
      );
      const operations = new Operations(context);
      return {
        run() {
          for (const file of files) {
            if (!operations.mayContinue()) break;
            operations.begin(file.path);
            act(file, operations, target);
            const directory = openDirectories.get(file.directory);
            if (directory !== undefined) fsyncSync(directory);
            operations.end();
          }
          for (const directory of transfer.fsync && !isStopped(flags) ? directories : []) {
            progress[SYNCING] = 1;
            operations.current = directory;
            syncDirectory(directory, fsyncSync);
          }
        },
        close() {
          for (const [directory, fd] of openDirectories) closeWithPath(fd, directory);
        },
        currentFile: () => operations.current,
      };
    },
  };
}

function createEntry(file: SmallFile, operations: Operations, target: string): void {
  const { tree } = operations.context;
  if (tree?.kind === 'hard-links') linkSync(target, file.path);
  else if (tree?.kind === 'symlinks') symlinkSync(target, file.path);
  else createFile(file, operations);
}

function createFile({ path, lengthBytes }: SmallFile, operations: Operations): void {
  const { fileBlock, transfer } = operations.context;
  const fd = openSync(path, CREATE_NEW_FLAGS, FILE_MODE);
  moveFile(lengthBytes, fileBlock, (piece, position) => operations.write(fd, piece, position));
  if (transfer.syncPerWrite) fsyncSync(fd);
  closeSync(fd);
}

/** Stats a file, and reads it if it holds data. */
function statFile({ path, lengthBytes }: SmallFile, operations: Operations): void {
  // lstat, because stat would follow a link.
  lstatSync(path);
  if (lengthBytes === 0) return;
  const fd = openSync(path, constants.O_RDONLY | NO_FOLLOW);
  const { fileRegion } = operations.context;
  moveFile(lengthBytes, fileRegion, (piece, position) => operations.read(fd, piece, position));
  closeSync(fd);
}
