import {
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fdatasyncSync,
  fstatSync,
  openSync,
  unlinkSync,
} from 'node:fs';
import { writeAll } from '../files/read-write.js';
import { CREATE_NEW_FLAGS, canSyncDirectories, NO_FOLLOW } from '../protocol.js';
import type { Phase, PhaseContext, PreparedPhase } from './phase.js';
import {
  createFilled,
  makeBytes,
  requireToolDirectory,
  syncFilesystem,
  ToolOperations,
  toolPhase,
} from './tool-phase.js';

const FILE_MODE = 0o600;
/** Enough for a p99. */
const DURATION = { seconds: 2, minOperations: 300 };

/** SQLite's page, and what a transaction of an insert and an update changes: pages appended to the log, or places in the database. */
const PAGE_BYTES = 4096;
const DATABASE_BYTES = 200 * PAGE_BYTES;
const WAL_PAGES = 3;
const CHANGED_PAGES = [0, 50, 150, 199] as const;
const WAL_HEADER_BYTES = 32;
/** The header of a frame, then its page. */
const FRAME_BYTES = [24, PAGE_BYTES] as const;
/** SQLite copies the log into the database when it has this many pages, and begins it again. */
const CHECKPOINT_PAGES = 1000;
const JOURNAL_HEADER_BYTES = 512;
/** The number of the page, its data and its checksum. */
const JOURNAL_RECORD_BYTES = [4, PAGE_BYTES, 4] as const;
const JOURNAL_COUNT_BYTES = 12;
/** The writes of etcd's log, the size of its segments, and the size of a file that was written before. */
const ETCD_WRITE_BYTES = 2300;
const ETCD_SEGMENT_BYTES = ETCD_WRITE_BYTES * 29_000;
const ETCD_FILE_BYTES = ETCD_WRITE_BYTES * 10_000;

/** Makes one transaction durable. Returns the bytes that it wrote. */
type Commit = () => number;
/** Opens the files of a database: those that exist have this size, the others are new. */
type Open = (name: string, lengthBytes?: number) => number;

type Prepare = (open: Open, pattern: Uint8Array, root: string) => Commit;

export const commitPhases: readonly Phase[] = [
  commitPhase('commit-wal', 'SQLite WAL Commit', prepareWal),
  commitPhase('commit-journal', 'SQLite Journal Commit', prepareJournal),
  commitPhase('commit-etcd', 'etcd Append', (open, pattern) =>
    prepareEtcd(open('log'), ETCD_SEGMENT_BYTES, pattern),
  ),
  commitPhase('commit-etcd-overwrite', 'etcd Overwrite', (open, pattern) =>
    prepareEtcd(open('log', ETCD_FILE_BYTES), ETCD_FILE_BYTES, pattern),
  ),
];

function commitPhase(name: string, title: string, prepare: Prepare): Phase {
  return {
    ...toolPhase,
    name,
    title,
    amountLabel: 'committed',
    dataset: 'single-phase',
    access: 'creates',
    duration: DURATION,
    runBy: () => 1,
    prepare: (context) => prepareCommits(context, prepare),
  };
}

function prepareCommits(context: PhaseContext, prepare: Prepare): PreparedPhase {
  const { root } = requireToolDirectory(context);
  const fds: number[] = [];
  const open = (name: string, lengthBytes = 0) => {
    const path = `${root}/${name}`;
    createFilled(path, lengthBytes, context);
    const fd = openSync(path, constants.O_RDWR | NO_FOLLOW);
    fds.push(fd);
    return fd;
  };
  const commit = prepare(open, makeBytes(PAGE_BYTES, context), root);
  syncFilesystem(root);
  const operations = new ToolOperations(context);
  return operations.prepared(() => {
    while (operations.mayContinue()) {
      operations.begin(root);
      operations.end(commit());
    }
  }, fds);
}

/** SQLite's write-ahead log with synchronous=FULL: a sync for each commit, and a checkpoint every thousand pages. */
function prepareWal(open: Open, pattern: Uint8Array): Commit {
  const database = open('database', DATABASE_BYTES);
  const log = open('database-wal');
  let pages = 0;
  let position = 0;
  return () => {
    const start = pages === 0 ? 0 : position;
    if (pages === 0) {
      position = writePart(log, pattern, WAL_HEADER_BYTES, 0);
      fdatasyncSync(log);
    }
    for (let page = 0; page < WAL_PAGES; page++)
      for (const bytes of FRAME_BYTES) position = writePart(log, pattern, bytes, position);
    fdatasyncSync(log);
    pages += WAL_PAGES;
    if (pages < CHECKPOINT_PAGES) return position - start;
    pages = 0;
    for (let at = 0; at < DATABASE_BYTES; at += PAGE_BYTES) writePart(database, pattern, PAGE_BYTES, at);
    fdatasyncSync(database);
    return position - start + DATABASE_BYTES;
  };
}

/** SQLite's rollback journal with synchronous=FULL: four syncs for each commit. */
function prepareJournal(open: Open, pattern: Uint8Array, root: string): Commit {
  const database = open('database', DATABASE_BYTES);
  const journalPath = `${root}/database-journal`;
  return () => {
    for (const path of [journalPath, `${root}/database-wal`, journalPath]) existsSync(path);
    for (let looks = 0; looks < 3; looks++) fstatSync(database);
    const journal = openSync(journalPath, CREATE_NEW_FLAGS, FILE_MODE);
    if (process.getuid?.() === 0) fchownSync(journal, 0, 0);
    let position = writePart(journal, pattern, JOURNAL_HEADER_BYTES, 0);
    for (const _ of CHANGED_PAGES)
      for (const bytes of JOURNAL_RECORD_BYTES) position = writePart(journal, pattern, bytes, position);
    fdatasyncSync(journal);
    syncDirectory(root);
    writePart(journal, pattern, JOURNAL_COUNT_BYTES, 0);
    fdatasyncSync(journal);
    for (const page of CHANGED_PAGES) writePart(database, pattern, PAGE_BYTES, page * PAGE_BYTES);
    fdatasyncSync(database);
    closeSync(journal);
    unlinkSync(journalPath);
    return position + JOURNAL_COUNT_BYTES + CHANGED_PAGES.length * PAGE_BYTES;
  };
}

/** etcd's log: each commit makes one small write and syncs it. Begins again at the end of the file or segment. */
function prepareEtcd(log: number, fileBytes: number, pattern: Uint8Array): Commit {
  let position = 0;
  return () => {
    position = writePart(log, pattern, ETCD_WRITE_BYTES, position) % fileBytes;
    fdatasyncSync(log);
    return ETCD_WRITE_BYTES;
  };
}

/** Returns the position after the written bytes. */
function writePart(fd: number, pattern: Uint8Array, bytes: number, position: number): number {
  writeAll(fd, pattern.subarray(0, bytes), position);
  return position + bytes;
}

function syncDirectory(directory: string): void {
  if (!canSyncDirectories(process.platform)) return;
  const fd = openSync(directory, constants.O_RDONLY);
  fdatasyncSync(fd);
  closeSync(fd);
}
