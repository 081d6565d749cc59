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
import {
  generateFiles,
  linkTarget,
  type NameOrder,
  type SmallFile,
  treeDirectories,
} from '../files/file-tree.js';
import { readAll, writeAll } from '../files/read-write.js';
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
import type { Phase, PhaseContext } from './phase.js';

const FILE_MODE = 0o600;

type FileAction = (file: SmallFile) => void;

/** The differences between the phases of small files, which exist in numeric and in random order. */
interface SmallFilePhase extends Pick<Phase, 'name' | 'title' | 'amountLabel' | 'access'> {
  /** Returns the files in the order in which the random phase processes them. Default: the order of creation. */
  readonly randomize?: (files: readonly SmallFile[], context: PhaseContext) => readonly SmallFile[];
  /** Returns the action for each file. `target` is the target of all links. */
  readonly prepareAction: (context: PhaseContext, target: string) => FileAction;
}

const createStatDelete: readonly SmallFilePhase[] = [
  {
    name: 'create',
    title: 'Create',
    amountLabel: 'created',
    access: 'creates',
    prepareAction: prepareCreate,
  },
  {
    name: 'stat',
    title: 'Stat',
    amountLabel: 'statted',
    access: 'uses',
    prepareAction: prepareStat,
    // As many files as there are, some more than once.
    randomize: (files, { random }) =>
      files.map(() => files[random.below(files.length)]).filter((file) => file !== undefined),
  },
  {
    name: 'delete',
    title: 'Delete',
    amountLabel: 'deleted',
    access: 'deletes',
    prepareAction: () => (file) => retryWhileBusySync(() => unlinkSync(file.path)),
    randomize: shuffle,
  },
];

/** The phases in numeric order, then those in random order. Each applies one action to every file of the worker's tree. */
export const smallFilePhases: readonly Phase[] = [
  ...createStatDelete.map((phase) => treePhase(phase, 'numeric')),
  ...createStatDelete.map((phase) => treePhase(phase, 'random')),
];

function treePhase(
  { name, title, randomize, prepareAction, ...common }: SmallFilePhase,
  nameOrder: NameOrder,
): Phase {
  const isRandom = nameOrder === 'random';
  return {
    ...common,
    name: isRandom ? `${name}-random` : name,
    title: `${isRandom ? 'Random' : 'Sequential'} ${title}`,
    primaryRate: 'operations',
    dataset: isRandom ? 'random-tree' : 'tree',
    ioUnit: 'files',
    runBy: 'threads',
    order: isRandom ? 'random' : 'sequential',
    coldCache: false,

    prepare(context) {
      const { tree, treeKey, transfer, flags, progress, latency } = context;
      if (!tree) throw new Error(`${name} was planned without a tree`);
      const created = [...generateFiles(tree, nameOrder, treeKey)];
      const files = isRandom && randomize ? randomize(created, context) : created;
      const act = prepareAction(context, linkTarget(tree, nameOrder));
      const isSynced = common.access !== 'uses' && canSyncDirectories(process.platform);
      const directories = isSynced ? treeDirectories(tree, nameOrder) : [];
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
            progress[SYNCING] = 1;
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

function prepareCreate(context: PhaseContext, target: string): FileAction {
  switch (context.tree?.kind) {
    case 'hard-links':
      return ({ path }) => linkSync(target, path);
    case 'symlinks':
      return ({ path }) => symlinkSync(target, path);
    default:
      return (file) => createFile(file, context);
  }
}

function createFile({ path, lengthBytes }: SmallFile, { fileBlock, transfer, progress }: PhaseContext): void {
  const fd = openSync(path, CREATE_NEW_FLAGS, FILE_MODE);
  try {
    for (let position = 0; position < lengthBytes; position += fileBlock.length)
      writeAll(fd, fileBlock.subarray(0, Math.min(fileBlock.length, lengthBytes - position)), position);
    progress[WRITTEN_BYTES] = (progress[WRITTEN_BYTES] ?? 0) + lengthBytes;
    if (transfer.syncPerWrite) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Stats a file, and reads it if it holds data. */
function prepareStat({ fileRegion, progress }: PhaseContext): FileAction {
  return ({ path, lengthBytes }) => {
    // lstat, because stat would follow a link.
    lstatSync(path);
    if (lengthBytes === 0) return;
    const fd = openSync(path, constants.O_RDONLY | NO_FOLLOW);
    try {
      for (let position = 0; position < lengthBytes; position += fileRegion.length)
        readAll(fd, fileRegion.subarray(0, Math.min(fileRegion.length, lengthBytes - position)), position);
      progress[READ_BYTES] = (progress[READ_BYTES] ?? 0) + lengthBytes;
    } finally {
      closeSync(fd);
    }
  };
}

function shuffle(files: readonly SmallFile[], { random }: PhaseContext): readonly SmallFile[] {
  return files
    .map((file) => ({ file, key: random.uint32() }))
    .sort((one, other) => one.key - other.key)
    .map(({ file }) => file);
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
