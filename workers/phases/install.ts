import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { generateProject, type ProjectFile, type ProjectPackage } from '../files/project-tree.js';
import { readAll, writeAll } from '../files/read-write.js';
import {
  createFilled,
  makeBytes,
  requireToolDirectory,
  syncFilesystem,
  toolPhase,
} from '../files/tool-files.js';
import {
  CREATE_NEW_FLAGS,
  mayContinue,
  NO_FOLLOW,
  OPERATIONS,
  READ_BYTES,
  WRITTEN_BYTES,
} from '../protocol.js';
import type { Phase, PhaseContext, PreparedPhase } from './phase.js';

/** The threads of libuv's pool, which make npm's calls. */
const THREADS = 4;
const PIECE_BYTES = 16_384;
const FILE_MODE = 0o666;
const WRITE_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | NO_FOLLOW;
const CACHE = 'cache';
/** The size of a package's compressed archive as a share of its files. */
const ARCHIVE_SHARE = 0.2;
const MAY_BE_MISSING = { throwIfNoEntry: false } as const;

/** The paths that npm uses once for each package. */
interface PackagePaths {
  readonly directory: string;
  readonly manifest: string;
  readonly bindings: string;
  readonly archive: string;
  readonly archiveBytes: number;
  /** Temporary files in npm's cache, each with the name that it gets in the index. The last one is deleted. */
  readonly temporary: readonly string[];
  readonly indexed: readonly string[];
}

/** Writes a project's packages with npm's calls, in npm's order. The threads take turns at the files. */
export const install: Phase = {
  ...toolPhase,
  name: 'install',
  title: 'Package Install',
  amountLabel: 'installed',
  dataset: 'project',
  access: 'creates',
  runBy: () => THREADS,
  prepare: prepareInstall,
};

function prepareInstall(context: PhaseContext): PreparedPhase {
  const { flags, tickets, progress, latency } = context;
  const { root, packages } = requireToolDirectory(context);
  const files = generateProject(root, packages);
  const firstFiles = findFirstFiles(files, root);
  createArchives([...firstFiles.values()], context);
  syncFilesystem(root);
  const piece = makeBytes(PIECE_BYTES, context);
  const archiveBytes = [...firstFiles.values()].map((one) => one.archiveBytes);
  const archive = new Uint8Array(Math.max(0, ...archiveBytes));
  let current = '';
  return {
    run() {
      let operations = 0;
      while (mayContinue(flags, operations)) {
        const file = files[Atomics.add(tickets, 0, 1)];
        if (!file) return;
        current = file.path;
        const startNs = latency.begin();
        const paths = firstFiles.get(file);
        if (paths) {
          beginPackage(paths, archive);
          progress[READ_BYTES] = (progress[READ_BYTES] ?? 0) + paths.archiveBytes;
        }
        installFile(file, piece);
        latency.end(startNs);
        operations++;
        progress[OPERATIONS] = operations;
        progress[WRITTEN_BYTES] = (progress[WRITTEN_BYTES] ?? 0) + file.lengthBytes;
      }
    },
    close() {},
    currentFile: () => current,
  };
}

/** npm remembers no directories, so it makes each one again for every file. */
function installFile({ directories, path, lengthBytes, ...file }: ProjectFile, piece: Uint8Array): void {
  for (const directory of directories) mkdirSync(directory, { recursive: true });
  lstatSync(path, MAY_BE_MISSING);
  const fd = openOrCreate(path, file.package);
  try {
    for (let position = 0; position < lengthBytes; position += PIECE_BYTES)
      writeAll(fd, piece.subarray(0, Math.min(PIECE_BYTES, lengthBytes - position)), position);
  } finally {
    closeSync(fd);
  }
}

/** Another thread may have taken the package's first file, but not have made its directory yet. */
function openOrCreate(path: string, { directory }: ProjectPackage): number {
  try {
    return openSync(path, WRITE_FLAGS, FILE_MODE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(directory, { recursive: true });
    return openSync(path, WRITE_FLAGS, FILE_MODE);
  }
}

function beginPackage(paths: PackagePaths, archive: Uint8Array): void {
  mkdirSync(paths.directory, { recursive: true });
  const fd = openSync(paths.archive, constants.O_RDONLY | NO_FOLLOW);
  fstatSync(fd);
  readAll(fd, archive.subarray(0, paths.archiveBytes), 0);
  closeSync(fd);
  readdirSync(paths.directory);
  existsSync(paths.manifest);
  statSync(paths.bindings, MAY_BE_MISSING);
  for (const [at, temporary] of paths.temporary.entries()) {
    closeSync(openSync(temporary, CREATE_NEW_FLAGS, FILE_MODE));
    const indexed = paths.indexed[at];
    if (indexed === undefined) unlinkSync(temporary);
    else renameSync(temporary, indexed);
  }
}

/** Returns what to do for each package before its first file. */
function findFirstFiles(files: readonly ProjectFile[], root: string): ReadonlyMap<ProjectFile, PackagePaths> {
  const found = new Map<number, readonly [ProjectFile, PackagePaths]>();
  for (const file of files) {
    const { index, directory, bytes } = file.package;
    if (found.has(index)) continue;
    const cached = (name: string) => [root, CACHE, `${index}${name}`].join('/');
    const paths = {
      directory,
      manifest: `${directory}/package.json`,
      bindings: `${directory}/binding.gyp`,
      archive: cached('.tgz'),
      archiveBytes: Math.ceil(bytes * ARCHIVE_SHARE),
      temporary: [cached('.a'), cached('.b'), cached('.c')],
      indexed: [cached('.index'), cached('.index2')],
    };
    found.set(index, [file, paths]);
  }
  return new Map(found.values());
}

/** Fills npm's cache, from which it reads the packages. Each thread creates its share of the archives. */
function createArchives(packages: readonly PackagePaths[], context: PhaseContext): void {
  const { root } = requireToolDirectory(context);
  mkdirSync(`${root}/${CACHE}`, { recursive: true });
  for (let at = context.worker; at < packages.length; at += THREADS) {
    const paths = packages[at];
    if (paths) createFilled(paths.archive, paths.archiveBytes, context);
  }
}
