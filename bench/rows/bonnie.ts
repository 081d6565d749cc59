import type { Bench } from '../bench-context.js';
import type { RowTarget } from '../bench-row.js';
import { comparePrograms, type RowSpec } from '../harness/compare-programs.js';
import type { BonnieWork, StorageKind } from '../programs/benchmarked-program.js';
import type { BonnieMetric } from '../programs/bonnie-plus-plus-csv.js';
import { bonniePrograms } from '../programs/program-groups.js';

const MIB = 2 ** 20;
const CHUNK_BYTES = 8192;
const FILES_UNIT = 1024;

type BonnieRun = Omit<BonnieWork, 'metrics'>;
type BonnieRowSpec = RowSpec & { readonly metric: BonnieMetric };

/** Compares bonnie++ with gobonnie at the same flags. */
function compareRun(run: BonnieRun, rows: readonly BonnieRowSpec[]): Bench {
  return comparePrograms(bonniePrograms, { ...run, metrics: rows.map(({ metric }) => metric) }, rows);
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

function atLeast(limit: number): RowTarget {
  return { statistic: 'ratio', bound: 'at least', limit };
}

/** Size chosen because bonnie++ prints no result for a test of less than half a second. */
const block = compareRun(singleFileRun('memory', 6144, '1048576:5', '-f'), [
  ...(['write', 'rewrite', 'read'] as const).map((metric) => ({
    name: 'bonnie-block',
    metric,
    work: `${metric} 8 KiB, tmpfs`,
    unit: 'MB/s',
    target: atLeast(0.95),
  })),
  {
    name: 'bonnie-block',
    metric: 'seeks',
    work: 'seeks 8 KiB, 5 seekers, tmpfs',
    unit: '/s',
    target: atLeast(1),
  },
]);

/**
 * Writes to a disk, because bonnie++ syncs and closes the file before it stops the clock, even without -b, and a sync
 * does nothing on tmpfs.
 */
const fsync = compareRun(singleFileRun('disk', 2048, '1024:1', '-f'), [
  {
    name: 'bonnie-fsync',
    metric: 'write',
    work: 'write 8 KiB, then fsync, disk',
    unit: 'MB/s',
    target: atLeast(0.95),
  },
]);

/** Makes a system call per byte. */
const bytes = compareRun(singleFileRun('memory', 32, '1024:1', '-f20'), [
  {
    name: 'bonnie-bytes',
    metric: 'putc',
    work: 'write 1 B, 20 MiB, tmpfs',
    unit: 'MB/s',
    target: atLeast(0.9),
  },
  {
    name: 'bonnie-bytes',
    metric: 'getc',
    work: 'read 1 B, 20 MiB, tmpfs',
    unit: 'MB/s',
    target: atLeast(0.9),
  },
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
  {
    storageKind: 'memory',
    sizeBytes: FILES_UNITS * FILES_UNIT * EMPTY_FILE_BYTES,
    flags: ['-s', '0', '-n', `${FILES_UNITS}`],
  },
  (['create', 'stat', 'delete', 'create-random', 'stat-random', 'delete-random'] as const).map((metric) => ({
    name: 'bonnie-files',
    metric,
    work: `${metric}, ${FILES_UNITS} x 1024 empty files, tmpfs`,
    unit: '/s',
    target: atLeast(0.8),
  })),
);

/** Benches against the real bonnie++. */
export const bonnieBenches: readonly Bench[] = [block, fsync, bytes, files];
