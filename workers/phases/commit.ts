import * as fs from 'node:fs';
import { syncDirectory } from '../files/read-write.js';
import { CREATE_NEW_FLAGS, canSyncDirectories } from '../protocol.js';
import type { Phase } from './phase.js';
import { type ToolThread, toolPhase } from './tool-phase.js';

const FILE_MODE = 0o600;
/** Enough for a p99. */
const DURATION = { seconds: 2, minOperations: 300 };

/** SQLite's page, and the changes of an insert and an update in a transaction: pages appended to the log, or places in the database. */
const PAGE_BYTES = 4096;
const DATABASE_PAGES = 200;
const CHANGED_PAGES = [0, 50, 150, 199] as const;
const WAL_HEADER_BYTES = 32;
const WAL_PAGES = 3;
/** For each page, the header of its frame and its data. */
const WAL_WRITES = repeat(WAL_PAGES, [24, PAGE_BYTES]);
/** SQLite copies the log into the database when it has this many pages, and begins it again. */
const CHECKPOINT_PAGES = 1000;
const CHECKPOINT_WRITES = repeat(DATABASE_PAGES, [PAGE_BYTES]);
/** The header, then the number, the data and the checksum of each page. */
const JOURNAL_WRITES = [512, ...repeat(CHANGED_PAGES.length, [4, PAGE_BYTES, 4])];
const JOURNAL_COUNT_BYTES = 12;
/** The writes of etcd's log, the size of its segments, and the size of a file that was written before. */
const ETCD_WRITE_BYTES = 2300;
const ETCD_SEGMENT_BYTES = ETCD_WRITE_BYTES * 29_000;
const ETCD_FILE_BYTES = ETCD_WRITE_BYTES * 10_000;

/** Makes one transaction durable. */
type Commit = () => void;
/** Makes one write for each of these sizes, one after another. Returns the position after them. */
type Write = (fd: number, sizes: readonly number[], position: number) => number;
type PrepareCommits = (thread: ToolThread, write: Write) => Commit;

export const commitPhases: readonly Phase[] = [
  commitPhase('commit-wal', 'SQLite WAL Commit', prepareWal),
  commitPhase('commit-journal', 'SQLite Journal Commit', prepareJournal),
  commitPhase('commit-etcd', 'etcd Append', (thread, write) =>
    prepareEtcd(thread, openFile('log', 0, thread), ETCD_SEGMENT_BYTES, write),
  ),
  commitPhase('commit-etcd-overwrite', 'etcd Overwrite', (thread, write) =>
    prepareEtcd(thread, openFile('log', ETCD_FILE_BYTES, thread), ETCD_FILE_BYTES, write),
  ),
];

function repeat(count: number, sizes: readonly number[]): readonly number[] {
  return Array.from({ length: count }, () => sizes).flat();
}

function commitPhase(name: string, title: string, prepare: PrepareCommits): Phase {
  const dataset = 'single-phase';
  return toolPhase(
    { name, title, amountLabel: 'committed', dataset, access: 'creates', readPercent: 0, duration: DURATION },
    (thread) => {
      const pattern = thread.makeBytes(PAGE_BYTES);
      const commit = prepare(thread, (fd, sizes, start) => {
        let position = start;
        for (const bytes of sizes) {
          thread.timedWrite(fd, pattern.subarray(0, bytes), position);
          position += bytes;
        }
        return position;
      });
      return () => {
        while (thread.mayContinue()) {
          thread.begin(thread.directory.root);
          commit();
          thread.end();
        }
      };
    },
  );
}

/** Creates a file of this size, and opens it. */
function openFile(name: string, lengthBytes: number, thread: ToolThread): number {
  const path = `${thread.directory.root}/${name}`;
  thread.createFile(path, lengthBytes);
  return thread.open(path, fs.constants.O_RDWR);
}

/** SQLite's write-ahead log with synchronous=FULL: a sync for each commit, and a checkpoint every thousand pages. */
function prepareWal(thread: ToolThread, write: Write): Commit {
  const database = openFile('database', DATABASE_PAGES * PAGE_BYTES, thread);
  const log = openFile('database-wal', 0, thread);
  let pages = 0;
  let position = 0;
  return () => {
    if (pages === 0) {
      position = write(log, [WAL_HEADER_BYTES], 0);
      thread.sync(log);
    }
    position = write(log, WAL_WRITES, position);
    thread.sync(log);
    pages += WAL_PAGES;
    if (pages < CHECKPOINT_PAGES) return;
    pages = 0;
    write(database, CHECKPOINT_WRITES, 0);
    thread.sync(database);
  };
}

/** SQLite's rollback journal with synchronous=FULL: four syncs for each commit. */
function prepareJournal(thread: ToolThread, write: Write): Commit {
  const { root } = thread.directory;
  const database = openFile('database', DATABASE_PAGES * PAGE_BYTES, thread);
  const journalPath = `${root}/database-journal`;
  return () => {
    for (const path of [journalPath, `${root}/database-wal`, journalPath]) fs.existsSync(path);
    for (let looks = 0; looks < 3; looks++) fs.fstatSync(database);
    const journal = fs.openSync(journalPath, CREATE_NEW_FLAGS, FILE_MODE);
    if (process.getuid?.() === 0) fs.fchownSync(journal, 0, 0);
    write(journal, JOURNAL_WRITES, 0);
    thread.sync(journal);
    if (canSyncDirectories(process.platform)) syncDirectory(root, fs.fdatasyncSync);
    write(journal, [JOURNAL_COUNT_BYTES], 0);
    thread.sync(journal);
    for (const page of CHANGED_PAGES) write(database, [PAGE_BYTES], page * PAGE_BYTES);
    thread.sync(database);
    fs.closeSync(journal);
    fs.unlinkSync(journalPath);
  };
}

/** etcd's log: each commit makes one small write and syncs it. Begins again at the end of the file or segment. */
function prepareEtcd(thread: ToolThread, log: number, fileBytes: number, write: Write): Commit {
  let position = 0;
  return () => {
    position = write(log, [ETCD_WRITE_BYTES], position) % fileBytes;
    thread.sync(log);
  };
}
