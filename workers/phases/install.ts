import * as fs from 'node:fs';
import {
  generateProject,
  modulesDirectory,
  type ProjectFile,
  type ProjectPackage,
  writeProjectIndex,
} from '../files/project-tree.js';
import { moveFile, retryWhileBusySync } from '../files/read-write.js';
import { NO_FOLLOW, OPERATIONS, SYNCING } from '../protocol.js';
import { gitThreads } from './status.js';
import { syncFilesystem, type ToolThread, toolPhase } from './tool-phase.js';

/** The threads of libuv's pool, which make npm's calls. */
const THREADS = 4;
const PIECE_BYTES = 16_384;
const FILE_MODE = 0o666;
const WRITE_FLAGS = fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_TRUNC | NO_FOLLOW;
/** The size of a package's compressed archive as a share of its files. */
const ARCHIVE_SHARE = 0.2;
const RECURSIVE = { recursive: true } as const;
const MAY_BE_MISSING = { throwIfNoEntry: false } as const;

/** Writes a project's packages with npm's calls, in npm's order. The threads take turns at the files. */
export const install = toolPhase(
  {
    name: 'install',
    title: 'npm ci',
    amountLabel: 'installed',
    dataset: 'project',
    access: 'creates',
    runBy: () => THREADS,
  },
  (thread) => {
    const { worker, tickets } = thread.context;
    const { root, packages } = thread.directory;
    const files = generateProject(root, packages);
    const firstFiles = new Map(files.toReversed().map((file) => [file.package, file]));
    fs.mkdirSync(`${root}/cache`, RECURSIVE);
    for (const own of firstFiles.keys())
      if (own.index % THREADS === worker) thread.createFile(archivePath(root, own), archiveBytes(own));
    if (worker === 0) writeProjectIndex(root, files, gitThreads(files.length));
    const piece = thread.makeBytes(PIECE_BYTES);
    const archive = new Uint8Array(Math.max(0, ...[...firstFiles.keys()].map(archiveBytes)));
    return () => {
      while (thread.mayContinue()) {
        const file = files[Atomics.add(tickets, 0, 1)];
        if (!file) return;
        thread.begin(file.path);
        if (firstFiles.get(file.package) === file) beginPackage(file.package, archive, thread);
        installFile(file, piece, thread);
        thread.end();
      }
    };
  },
);

/** Syncs what the installation has left in the page cache: npm never syncs. */
export const flush = toolPhase(
  { name: 'flush', title: 'Flush', amountLabel: 'flushed', dataset: 'project', access: 'uses' },
  ({ directory, context: { progress } }) =>
    () => {
      progress[SYNCING] = 1;
      syncFilesystem(directory.root);
      progress[SYNCING] = 0;
      progress[OPERATIONS] = directory.installedFiles;
    },
);

/** Removes a project's packages with the calls of `rm -rf`. */
export const clean = toolPhase(
  {
    name: 'clean',
    title: 'rm -rf',
    amountLabel: 'deleted',
    dataset: 'project',
    access: 'deletes',
    callsPerFile: 1.85,
  },
  (thread) => () => removeTree(modulesDirectory(thread.directory.root), thread),
);

/** npm remembers no directories, so it makes each one again for every file. */
function installFile(file: ProjectFile, piece: Uint8Array, thread: ToolThread): void {
  const { directories, path, lengthBytes } = file;
  for (const directory of directories) fs.mkdirSync(directory, RECURSIVE);
  fs.lstatSync(path, MAY_BE_MISSING);
  const fd = openOrCreate(path, file.package);
  moveFile(lengthBytes, piece, (bytes, position) => thread.write(fd, bytes, position));
  fs.closeSync(fd);
}

/** Another thread may have taken the package's first file, but not have made its directory yet. */
function openOrCreate(path: string, { directory }: ProjectPackage): number {
  try {
    return fs.openSync(path, WRITE_FLAGS, FILE_MODE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    fs.mkdirSync(directory, RECURSIVE);
    return fs.openSync(path, WRITE_FLAGS, FILE_MODE);
  }
}

/** Makes the calls of npm before the first file of a package. With a lock file that names archives, it only reads its cache. */
function beginPackage(own: ProjectPackage, archive: Uint8Array, thread: ToolThread): void {
  fs.mkdirSync(own.directory, RECURSIVE);
  const path = archivePath(thread.directory.root, own);
  fs.statSync(path);
  const fd = fs.openSync(path, fs.constants.O_RDONLY | NO_FOLLOW);
  thread.read(fd, archive.subarray(0, archiveBytes(own)), 0);
  fs.closeSync(fd);
  fs.readdirSync(own.directory);
  fs.existsSync(`${own.directory}/package.json`);
  fs.statSync(`${own.directory}/binding.gyp`, MAY_BE_MISSING);
}

/** The path in npm's cache, from which npm reads the packages. */
function archivePath(root: string, { index }: ProjectPackage): string {
  return `${root}/cache/${index}.tgz`;
}

function archiveBytes({ bytes }: ProjectPackage): number {
  return Math.ceil(bytes * ARCHIVE_SHARE);
}

/** Returns false if it was stopped, which leaves the directory with its other entries. */
function removeTree(directory: string, thread: ToolThread): boolean {
  fs.lstatSync(directory);
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    if (!thread.mayContinue()) return false;
    const path = [directory, entry.name].join('/');
    if (entry.isDirectory()) {
      if (!removeTree(path, thread)) return false;
      continue;
    }
    thread.begin(path);
    retryWhileBusySync(() => fs.unlinkSync(path));
    thread.end();
  }
  fs.rmdirSync(directory);
  return true;
}
