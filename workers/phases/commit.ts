import { closeSync, constants, fdatasyncSync, openSync, unlinkSync } from 'node:fs';
import { writeAll } from '../files/read-write.js';
import {
  createFilled,
  makeBytes,
  requireToolDirectory,
  syncFilesystem,
  toolPhase,
} from '../files/tool-files.js';
import {
  CREATE_NEW_FLAGS,
  canSyncDirectories,
  mayContinue,
  NO_FOLLOW,
  OPERATIONS,
  WRITTEN_BYTES,
} from '../protocol.js';
import type { Phase, PhaseContext, PreparedPhase } from './phase.js';

const FILE_MODE = 0o600;
/** Enough for a p99. */
const DURATION = { seconds: 2, minOperations: 300 };

/** SQLite's page, and the pages that a transaction of an insert and an update changes. */
const PAGE_BYTES = 4096;
const WAL_PAGES = 3;
const JOURNAL_PAGES = 4;
const DATABASE_PAGES = 200;
const WAL_HEADER_BYTES = 32;
const WAL_FRAME_HEADER_BYTES = 24;
/** SQLite copies the log into the database when it has this many pages, and begins it again. */
const CHECKPOINT_PAGES = 1000;
const JOURNAL_HEADER_BYTES = 512;
const JOURNAL_WORD_BYTES = 4;
const JOURNAL_COUNT_BYTES = 12;
/** The writes of etcd's log, and the size of the file, as in fio's widespread check of a disk for etcd. */
const ETCD_WRITE_BYTES = 2300;
const ETCD_FILE_BYTES = ETCD_WRITE_BYTES * 10_000;

/** A database: `commit` makes one transaction durable and returns the bytes that it wrote. */
interface Database {
  readonly commit: () => number;
  readonly fds: readonly number[];
}

export const commitPhases: readonly Phase[] = [
  commitPhase('commit-wal', 'SQLite WAL Commit', openWal),
  commitPhase('commit-journal', 'SQLite Journal Commit', openJournal),
  commitPhase('commit-etcd', 'etcd Append', (root, context) => {
    const path = `${root}/log`;
    return openLog(openSync(path, CREATE_NEW_FLAGS, FILE_MODE), Number.POSITIVE_INFINITY, context);
  }),
  commitPhase('commit-etcd-overwrite', 'etcd Overwrite', (root, context) => {
    const path = `${root}/log`;
    createFilled(path, ETCD_FILE_BYTES, context);
    return openLog(openExisting(path), ETCD_FILE_BYTES, context);
  }),
];

function commitPhase(
  name: string,
  title: string,
  open: (root: string, context: PhaseContext) => Database,
): Phase {
  return {
    ...toolPhase,
    name,
    title,
    amountLabel: 'committed',
    dataset: 'single-phase',
    access: 'creates',
    duration: DURATION,
    runBy: () => 1,
    prepare: (context) => prepareCommits(context, open),
  };
}

function prepareCommits(
  context: PhaseContext,
  open: (root: string, context: PhaseContext) => Database,
): PreparedPhase {
  const { flags, progress, latency } = context;
  const { root } = requireToolDirectory(context);
  const { commit, fds } = open(root, context);
  syncFilesystem(root);
  return {
    run() {
      let operations = 0;
      let writtenBytes = 0;
      while (mayContinue(flags, operations)) {
        const startNs = latency.begin();
        writtenBytes += commit();
        latency.end(startNs);
        operations++;
        progress[OPERATIONS] = operations;
        progress[WRITTEN_BYTES] = writtenBytes;
      }
    },
    close() {
      for (const fd of fds) closeSync(fd);
    },
    currentFile: () => root,
  };
}

/** SQLite's write-ahead log with synchronous=FULL: a sync for each commit, and a checkpoint every thousand pages. */
function openWal(root: string, context: PhaseContext): Database {
  const path = `${root}/database`;
  createFilled(path, DATABASE_PAGES * PAGE_BYTES, context);
  const database = openExisting(path);
  const log = openSync(`${path}-wal`, CREATE_NEW_FLAGS, FILE_MODE);
  const page = makeBytes(PAGE_BYTES, context);
  const header = page.subarray(0, WAL_FRAME_HEADER_BYTES);
  const frameBytes = WAL_FRAME_HEADER_BYTES + PAGE_BYTES;
  let pages = 0;
  return {
    fds: [database, log],
    commit() {
      if (pages === 0) writeAll(log, page.subarray(0, WAL_HEADER_BYTES), 0);
      for (let frame = 0; frame < WAL_PAGES; frame++) {
        const position = WAL_HEADER_BYTES + pages * frameBytes;
        writeAll(log, header, position);
        writeAll(log, page, position + WAL_FRAME_HEADER_BYTES);
        pages++;
      }
      fdatasyncSync(log);
      if (pages < CHECKPOINT_PAGES) return WAL_PAGES * frameBytes;
      for (let at = 0; at < DATABASE_PAGES; at++) writeAll(database, page, at * PAGE_BYTES);
      fdatasyncSync(database);
      pages = 0;
      return WAL_PAGES * frameBytes + DATABASE_PAGES * PAGE_BYTES;
    },
  };
}

/** SQLite's rollback journal with synchronous=FULL: four syncs for each commit. */
function openJournal(root: string, context: PhaseContext): Database {
  const path = `${root}/database`;
  const journalPath = `${path}-journal`;
  createFilled(path, DATABASE_PAGES * PAGE_BYTES, context);
  const database = openExisting(path);
  const page = makeBytes(PAGE_BYTES, context);
  const word = page.subarray(0, JOURNAL_WORD_BYTES);
  return {
    fds: [database],
    commit() {
      const journal = openSync(journalPath, CREATE_NEW_FLAGS, FILE_MODE);
      writeAll(journal, page.subarray(0, JOURNAL_HEADER_BYTES), 0);
      let position = JOURNAL_HEADER_BYTES;
      for (let at = 0; at < JOURNAL_PAGES; at++) {
        for (const part of [word, page, word]) {
          writeAll(journal, part, position);
          position += part.length;
        }
      }
      fdatasyncSync(journal);
      syncDirectory(root);
      writeAll(journal, page.subarray(0, JOURNAL_COUNT_BYTES), 0);
      fdatasyncSync(journal);
      for (let at = 0; at < JOURNAL_PAGES; at++) writeAll(database, page, at * PAGE_BYTES);
      fdatasyncSync(database);
      closeSync(journal);
      unlinkSync(journalPath);
      return position + JOURNAL_COUNT_BYTES + JOURNAL_PAGES * PAGE_BYTES;
    },
  };
}

/** etcd's log: each commit appends one small write and syncs it. Begins again at the end of the file. */
function openLog(log: number, fileBytes: number, context: PhaseContext): Database {
  const entry = makeBytes(ETCD_WRITE_BYTES, context);
  let position = 0;
  return {
    fds: [log],
    commit() {
      writeAll(log, entry, position);
      fdatasyncSync(log);
      position = (position + ETCD_WRITE_BYTES) % fileBytes;
      return ETCD_WRITE_BYTES;
    },
  };
}

function openExisting(path: string): number {
  return openSync(path, constants.O_RDWR | NO_FOLLOW);
}

function syncDirectory(directory: string): void {
  if (!canSyncDirectories(process.platform)) return;
  const fd = openSync(directory, constants.O_RDONLY);
  fdatasyncSync(fd);
  closeSync(fd);
}
