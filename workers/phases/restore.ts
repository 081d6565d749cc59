import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  futimesSync,
  mkdirSync,
  openSync,
  utimesSync,
} from 'node:fs';
import { generateProject, type ProjectFile, projectDirectories } from '../files/project-tree.js';
import { readAll, writeAll } from '../files/read-write.js';
import { createFilled, requireToolDirectory, syncFilesystem, toolPhase } from '../files/tool-files.js';
import {
  CREATE_NEW_FLAGS,
  mayContinue,
  NO_FOLLOW,
  OPERATIONS,
  POSITION,
  READ_BYTES,
  WRITTEN_BYTES,
} from '../protocol.js';
import type { Phase, PhaseContext, PreparedPhase } from './phase.js';

/** tar reads its archive in records, and stores a header and whole blocks for each file. */
const RECORD_BYTES = 10_240;
const BLOCK_BYTES = 512;
const NEW_FILE_MODE = 0o600;
const FILE_MODE = 0o644;
const NEW_DIRECTORY_MODE = 0o700;
const DIRECTORY_MODE = 0o755;
/** A modification time, in seconds since 1970. */
const MODIFIED = 1_700_000_000;

/** Unpacks an archive of a project with tar's calls. */
export const restore: Phase = {
  ...toolPhase,
  name: 'restore',
  title: 'Restore',
  amountLabel: 'restored',
  dataset: 'single-phase',
  access: 'creates',
  runBy: () => 1,
  prepare: prepareRestore,
};

function prepareRestore(context: PhaseContext): PreparedPhase {
  const { flags, progress, latency } = context;
  const { root, packages } = requireToolDirectory(context);
  const files = [...generateProject(root, packages)].sort((one, other) => (one.path < other.path ? -1 : 1));
  const directories = projectDirectories(root, files);
  const archivePath = `${root}/archive.tar`;
  createFilled(archivePath, archiveBytes(files, directories), context);
  syncFilesystem(root);
  const archive = openSync(archivePath, constants.O_RDONLY | NO_FOLLOW);
  const owner = { user: process.getuid?.() ?? 0, group: process.getgid?.() ?? 0 };
  const takeBytes = readRecords(archive, context);
  let current = '';

  function restoreFile(path: string, lengthBytes: number): void {
    takeBytes(BLOCK_BYTES);
    const fd = openSync(path, CREATE_NEW_FLAGS, NEW_FILE_MODE);
    try {
      let position = 0;
      while (position < lengthBytes) {
        const piece = takeBytes(lengthBytes - position);
        writeAll(fd, piece, position);
        position += piece.length;
      }
      takePadding(lengthBytes, takeBytes);
      futimesSync(fd, MODIFIED, MODIFIED);
      fchownSync(fd, owner.user, owner.group);
      fchmodSync(fd, FILE_MODE);
    } finally {
      closeSync(fd);
    }
  }

  return {
    run() {
      let operations = 0;
      let nextDirectory = 0;
      for (const { path, lengthBytes } of files) {
        if (!mayContinue(flags, operations)) return;
        current = path;
        const startNs = latency.begin();
        // In the order of paths, a directory precedes its first file.
        for (let directory = directories[nextDirectory]; directory && directory < path; ) {
          takeBytes(BLOCK_BYTES);
          mkdirSync(directory, NEW_DIRECTORY_MODE);
          directory = directories[++nextDirectory];
        }
        restoreFile(path, lengthBytes);
        latency.end(startNs);
        operations++;
        progress[OPERATIONS] = operations;
        progress[WRITTEN_BYTES] = (progress[WRITTEN_BYTES] ?? 0) + lengthBytes;
      }
      for (const [index, directory] of directories.entries()) {
        if (!mayContinue(flags, operations)) return;
        current = directory;
        utimesSync(directory, MODIFIED, MODIFIED);
        chownSync(directory, owner.user, owner.group);
        chmodSync(directory, DIRECTORY_MODE);
        progress[POSITION] = index;
      }
    },
    close() {
      closeSync(archive);
    },
    currentFile: () => current,
  };
}

function archiveBytes(files: readonly ProjectFile[], directories: readonly string[]): number {
  let blocks = directories.length + files.length;
  for (const { lengthBytes } of files) blocks += Math.ceil(lengthBytes / BLOCK_BYTES);
  return Math.ceil((blocks * BLOCK_BYTES) / RECORD_BYTES) * RECORD_BYTES;
}

/** Returns a function that takes the next bytes of the archive, at most those that remain in the current record. */
function readRecords(archive: number, { progress }: PhaseContext): (maxBytes: number) => Uint8Array {
  const record = new Uint8Array(RECORD_BYTES);
  let recordsRead = 0;
  let taken = RECORD_BYTES;
  return (maxBytes) => {
    if (taken === RECORD_BYTES) {
      readAll(archive, record, recordsRead * RECORD_BYTES);
      recordsRead++;
      taken = 0;
      progress[READ_BYTES] = recordsRead * RECORD_BYTES;
    }
    const piece = record.subarray(taken, taken + maxBytes);
    taken += piece.length;
    return piece;
  };
}

/** The data of a file ends with a whole block, so its padding is in the same record. */
function takePadding(lengthBytes: number, takeBytes: (maxBytes: number) => Uint8Array): void {
  const used = lengthBytes % BLOCK_BYTES;
  if (used > 0) takeBytes(BLOCK_BYTES - used);
}
