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
import { retryWhileBusySync } from '../files/busy-file.js';
import { generateFiles, linkTarget, type SmallFile, treeDirectories } from '../files/file-tree.js';
import { moveFile, readAll, syncDirectory, writeAll } from '../files/read-write.js';
import { closeWithPath } from '../files/slice-file.js';
import {
  CREATE_NEW_FLAGS,
  canSyncDirectories,
  isStopped,
  mayContinue,
  NO_FOLLOW,
  OPERATIONS,
  READ_BYTES,
  SYNCING,
  WRITTEN_BYTES,
} from '../protocol.js';
import type { Phase, PhaseContext, TreeDataset } from './phase.js';

const FILE_MODE = 0o600;

/** The differences between the phases of small files, which exist in numeric and in random order. */
interface SmallFilePhase extends Pick<Phase, 'name' | 'title' | 'amountLabel' | 'access'> {
  /** Returns the files in the order in which the random phase processes them. Default: the order of creation. */
  readonly randomize?: (files: readonly SmallFile[], context: PhaseContext) => readonly SmallFile[];
  /** Processes a file. `target` is the target of all links. */
  readonly act: (file: SmallFile, target: string, context: PhaseContext) => void;
}

const createStatDelete: readonly SmallFilePhase[] = [
  {
    name: 'create',
    title: 'Create',
    amountLabel: 'created',
    access: 'creates',
    act: createEntry,
  },
  {
    name: 'stat',
    title: 'Stat',
    amountLabel: 'statted',
    access: 'uses',
    act: (file, _, context) => statFile(file, context),
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
      const { tree, seed, run, transfer, flags, progress, latency } = context;
      if (!tree) throw new Error(`${name} was planned without a tree`);
      const created = generateFiles(tree, dataset, [seed, run, tree.index]);
      const files = isRandom && randomize ? randomize(created, context) : created;
      const target = linkTarget(tree, dataset);
      const isSynced = common.access !== 'uses' && canSyncDirectories(process.platform);
      const directories = isSynced ? treeDirectories(tree, dataset) : [];
      const openDirectories = new Map(
        (transfer.syncPerWrite ? directories : []).map((path) => [path, openSync(path, constants.O_RDONLY)]),
      );
      let current = '';
      return {
        run() {
          let operations = 0;
          for (const file of files) {
            if (!mayContinue(flags, operations)) break;
            current = file.path;
            const startNs = latency.begin();
            act(file, target, context);
            const directory = openDirectories.get(file.directory);
            if (directory !== undefined) fsyncSync(directory);
            latency.end(startNs);
            operations++;
            progress[OPERATIONS] = operations;
          }
          for (const directory of transfer.fsync && !isStopped(flags) ? directories : []) {
            progress[SYNCING] = 1;
            current = directory;
            syncDirectory(directory, fsyncSync);
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

function createEntry(file: SmallFile, target: string, context: PhaseContext): void {
  if (context.tree?.kind === 'hard-links') linkSync(target, file.path);
  else if (context.tree?.kind === 'symlinks') symlinkSync(target, file.path);
  else createFile(file, context);
}

function createFile({ path, lengthBytes }: SmallFile, { fileBlock, transfer, progress }: PhaseContext): void {
  const fd = openSync(path, CREATE_NEW_FLAGS, FILE_MODE);
  moveFile(lengthBytes, fileBlock, (piece, position) => writeAll(fd, piece, position));
  progress[WRITTEN_BYTES] = (progress[WRITTEN_BYTES] ?? 0) + lengthBytes;
  if (transfer.syncPerWrite) fsyncSync(fd);
  closeSync(fd);
}

/** Stats a file, and reads it if it holds data. */
function statFile({ path, lengthBytes }: SmallFile, { fileRegion, progress }: PhaseContext): void {
  // lstat, because stat would follow a link.
  lstatSync(path);
  if (lengthBytes === 0) return;
  const fd = openSync(path, constants.O_RDONLY | NO_FOLLOW);
  moveFile(lengthBytes, fileRegion, (piece, position) => readAll(fd, piece, position));
  progress[READ_BYTES] = (progress[READ_BYTES] ?? 0) + lengthBytes;
  closeSync(fd);
}
