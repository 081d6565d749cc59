import type { Bench } from '../bench-context.js';
import { comparePrograms } from '../harness/compare-programs.js';
import type { BonnieWork, StorageKind } from '../programs/benchmarked-program.js';
import type { BonnieMetric } from '../programs/bonnie-plus-plus-csv.js';
import { bonniePrograms } from '../programs/program-groups.js';

const MIB = 2 ** 20;
const CHUNK_BYTES = 8192;
const FILES_UNIT = 1024;

type BonnieRun = Omit<BonnieWork, 'metrics'>;
interface BonnieRowSpec {
  readonly metric: BonnieMetric;
  readonly work: string;
  readonly unit?: '/s';
  /** The minimum ratio to bonnie++. */
  readonly ratio: number;
}

/** Compares bonnie++ with gobonnie at the same flags. Rates of files and seeks are per second. */
function compareRun(name: string, run: BonnieRun, rows: readonly BonnieRowSpec[]): Bench {
  return comparePrograms(
    bonniePrograms,
    { ...run, metrics: rows.map(({ metric }) => metric) },
    rows.map(({ metric, work, unit = 'MB/s', ratio }) => ({
      name,
      metric,
      work,
      unit,
      target: { statistic: 'ratio', bound: 'at least', limit: ratio },
    })),
  );
}

/**
 * Runs all tests of the file but the per-byte tests, because bonnie++ has no flags to omit other tests. Neither program
 * drops the page cache.
 */
function singleFileRun(
  storageKind: StorageKind,
  sizeMib: number,
  seeks: string,
  byteFlag: string,
): BonnieRun {
  return {
    storageKind,
    sizeBytes: sizeMib * MIB,
    flags: ['-s', `${sizeMib}:${CHUNK_BYTES}:${seeks}`, '-n', '0', byteFlag],
  };
}

/** Size chosen because bonnie++ prints no result for a test of less than half a second. */
const block = compareRun('bonnie-block', singleFileRun('memory', 6144, '1048576:5', '-f'), [
  { metric: 'write', work: 'write 8 KiB, tmpfs', ratio: 0.95 },
  { metric: 'rewrite', work: 'rewrite 8 KiB, tmpfs', ratio: 0.95 },
  { metric: 'read', work: 'read 8 KiB, tmpfs', ratio: 0.95 },
  { metric: 'seeks', work: 'seeks 8 KiB, 5 seekers, tmpfs', unit: '/s', ratio: 1 },
]);

/**
 * Writes to a disk, because bonnie++ syncs and closes the file before it stops the clock, even without -b, and a sync
 * does nothing on tmpfs.
 */
const fsync = compareRun('bonnie-fsync', singleFileRun('disk', 2048, '1024:1', '-f'), [
  { metric: 'write', work: 'write 8 KiB, then fsync, disk', ratio: 0.95 },
]);

/** Makes a system call per byte. */
const bytes = compareRun('bonnie-bytes', singleFileRun('memory', 32, '1024:1', '-f20'), [
  { metric: 'putc', work: 'write 1 B, 20 MiB, tmpfs', ratio: 0.9 },
  { metric: 'getc', work: 'read 1 B, 20 MiB, tmpfs', ratio: 0.9 },
]);

/** Number chosen because bonnie++ stats 16 x 1024 files in less than half a second. */
const FILES_UNITS = 512;

/** Memory that tmpfs and the kernel need for an empty file and its name. */
const EMPTY_FILE_BYTES = 1024;

/**
 * Uses tmpfs, because bonnie++ includes a sync of all filesystems in the time of each create and delete. On tmpfs, the
 * sync only waits for pending writes of other programs.
 */
const files = compareRun(
  'bonnie-files',
  {
    storageKind: 'memory',
    sizeBytes: FILES_UNITS * FILES_UNIT * EMPTY_FILE_BYTES,
    flags: ['-s', '0', '-n', `${FILES_UNITS}`],
  },
  (['create', 'stat', 'delete', 'create-random', 'stat-random', 'delete-random'] as const).map((metric) => ({
    metric,
    work: `${metric}, ${FILES_UNITS} x 1024 empty files, tmpfs`,
    unit: '/s',
    ratio: 0.8,
  })),
);

/** Benches against the real bonnie++. */
export const bonnieBenches: readonly Bench[] = [block, fsync, bytes, files];
