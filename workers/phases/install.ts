import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs';
import {
  generateProject,
  type ProjectFile,
  type ProjectPackage,
  writeProjectIndex,
} from '../files/project-tree.js';
import { readAll, writeAll } from '../files/read-write.js';
import { NO_FOLLOW } from '../protocol.js';
import type { Phase, PhaseContext, PreparedPhase } from './phase.js';
import { gitThreads } from './status.js';
import {
  createFilled,
  makeBytes,
  requireToolDirectory,
  syncFilesystem,
  ToolOperations,
  toolPhase,
} from './tool-phase.js';

/** The threads of libuv's pool, which make npm's calls. */
const THREADS = 4;
const PIECE_BYTES = 16_384;
const FILE_MODE = 0o666;
const WRITE_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | NO_FOLLOW;
/** The size of a package's compressed archive as a share of its files. */
const ARCHIVE_SHARE = 0.2;
const RECURSIVE = { recursive: true } as const;
const MAY_BE_MISSING = { throwIfNoEntry: false } as const;

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
  const { tickets } = context;
  const { root, packages } = requireToolDirectory(context);
  const files = generateProject(root, packages);
  const cache = `${root}/cache`;
  const firstFiles = createCache(cache, files, context);
  if (context.worker === 0) writeProjectIndex(root, files, gitThreads(files.length));
  syncFilesystem(root);
  const piece = makeBytes(PIECE_BYTES, context);
  const archive = new Uint8Array(Math.max(0, ...[...firstFiles].map((file) => archiveBytes(file.package))));
  const operations = new ToolOperations(context);
  return operations.prepared(() => {
    while (operations.mayContinue()) {
      const file = files[Atomics.add(tickets, 0, 1)];
      if (!file) return;
      operations.begin(file.path);
      if (firstFiles.has(file)) {
        beginPackage(file.package, cache, archive);
        operations.countRead(archiveBytes(file.package));
      }
      installFile(file, piece);
      operations.end(file.lengthBytes);
    }
  });
}

/** npm remembers no directories, so it makes each one again for every file. */
function installFile({ directories, path, lengthBytes, ...file }: ProjectFile, piece: Uint8Array): void {
  for (const directory of directories) mkdirSync(directory, RECURSIVE);
  lstatSync(path, MAY_BE_MISSING);
  const fd = openOrCreate(path, file.package);
  try {
    for (let position = 0; position < lengthBytes; position += PIECE_BYTES)
      writeAll(fd, piece.subarray(0, lengthBytes - position), position);
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
    mkdirSync(directory, RECURSIVE);
    return openSync(path, WRITE_FLAGS, FILE_MODE);
  }
}

/** Makes the calls of npm before the first file of a package. With a lock file that names archives, it only reads its cache. */
function beginPackage(own: ProjectPackage, cache: string, archive: Uint8Array): void {
  mkdirSync(own.directory, RECURSIVE);
  const path = archivePath(cache, own);
  statSync(path);
  const fd = openSync(path, constants.O_RDONLY | NO_FOLLOW);
  readAll(fd, archive.subarray(0, archiveBytes(own)), 0);
  closeSync(fd);
  readdirSync(own.directory);
  existsSync(`${own.directory}/package.json`);
  statSync(`${own.directory}/binding.gyp`, MAY_BE_MISSING);
}

/** Fills npm's cache, from which it reads the packages: each thread its share. Returns the first file of each package. */
function createCache(
  cache: string,
  files: readonly ProjectFile[],
  context: PhaseContext,
): ReadonlySet<ProjectFile> {
  const firstFiles = new Map<number, ProjectFile>();
  for (const file of files) if (!firstFiles.has(file.package.index)) firstFiles.set(file.package.index, file);
  mkdirSync(cache, RECURSIVE);
  for (const [index, file] of firstFiles)
    if (index % THREADS === context.worker)
      createFilled(archivePath(cache, file.package), archiveBytes(file.package), context);
  return new Set(firstFiles.values());
}

function archivePath(cache: string, { index }: ProjectPackage): string {
  return `${cache}/${index}.tgz`;
}

function archiveBytes({ bytes }: ProjectPackage): number {
  return Math.ceil(bytes * ARCHIVE_SHARE);
}
