import * as fs from 'node:fs';
import { generateProject, newDirectories } from '../files/project-tree.js';
import { CREATE_NEW_FLAGS } from '../protocol.js';
import { type ToolThread, toolPhase } from './tool-phase.js';

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
export const restore = toolPhase(
  {
    name: 'restore',
    title: 'tar x',
    amountLabel: 'restored',
    dataset: 'single-phase',
    access: 'creates',
    callsPerFile: 7.3,
  },
  prepareRestore,
);

function prepareRestore(thread: ToolThread): () => void {
  const { root, packages } = thread.directory;
  const files = [...generateProject(root, packages)].sort((one, other) => (one.path < other.path ? -1 : 1));
  const paths = files.map(({ path }) => path);
  const entered = newDirectories(root, paths);
  const directories = entered.flat();
  const dataBlocks = files.map(({ lengthBytes }) => Math.ceil(lengthBytes / BLOCK_BYTES));
  const blocks = dataBlocks.reduce((sum, count) => sum + count, files.length + directories.length);
  const archivePath = `${root}/archive.tar`;
  thread.createFile(archivePath, Math.ceil((blocks * BLOCK_BYTES) / RECORD_BYTES) * RECORD_BYTES);
  const takeBytes = readRecords(thread.open(archivePath), thread);
  // Only root's tar sets owners.
  const isRoot = process.getuid?.() === 0;

  function restoreFile(path: string, lengthBytes: number): void {
    takeBytes(BLOCK_BYTES);
    const fd = fs.openSync(path, CREATE_NEW_FLAGS, NEW_FILE_MODE);
    for (let position = 0; position < lengthBytes; ) {
      const piece = takeBytes(lengthBytes - position);
      thread.write(fd, piece, position);
      position += piece.length;
    }
    // The data ends with a whole block, so its padding is in the same record.
    takeBytes((BLOCK_BYTES - (lengthBytes % BLOCK_BYTES)) % BLOCK_BYTES);
    fs.futimesSync(fd, MODIFIED, MODIFIED);
    if (isRoot) fs.fchownSync(fd, 0, 0);
    fs.fchmodSync(fd, FILE_MODE);
    fs.closeSync(fd);
  }

  return () => {
    for (const [index, { path, lengthBytes }] of files.entries()) {
      if (!thread.mayContinue()) return;
      thread.begin(path);
      // In an archive, a directory precedes its first file.
      for (const directory of entered[index] ?? []) {
        takeBytes(BLOCK_BYTES);
        fs.mkdirSync(directory, NEW_DIRECTORY_MODE);
      }
      restoreFile(path, lengthBytes);
      thread.end();
    }
    // tar sets the innermost directories first, because their files change the times of directories.
    for (const directory of directories.toReversed()) {
      if (!thread.visit(directory)) return;
      fs.lstatSync(directory);
      fs.utimesSync(directory, MODIFIED, MODIFIED);
      if (isRoot) fs.chownSync(directory, 0, 0);
      fs.chmodSync(directory, DIRECTORY_MODE);
    }
  };
}

/** Returns a function that takes the next bytes of the archive, at most those that remain in the current record. */
function readRecords(archive: number, thread: ToolThread): (maxBytes: number) => Uint8Array {
  const record = new Uint8Array(RECORD_BYTES);
  let position = 0;
  return (maxBytes) => {
    const taken = position % RECORD_BYTES;
    if (taken === 0 && maxBytes > 0) thread.read(archive, record, position);
    const piece = record.subarray(taken, taken + maxBytes);
    position += piece.length;
    return piece;
  };
}
