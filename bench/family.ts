import type { Bench } from './bench.js';
import { type Compared, comparison } from './comparison.js';
import type { FamilyFigure } from './peers/bonnie-plus-plus-csv.js';
import { bonnies } from './peers/catalogue.js';
import type { FamilyWork, Place } from './peers/peer.js';
import type { Target } from './row.js';

const MIB = 2 ** 20;
const CHUNK_BYTES = 8192;
const FILES_UNIT = 1024;

type Run = Omit<FamilyWork, 'figures'>;
type FamilyRow = Compared & { readonly figure: FamilyFigure };

/** The figures of one run of bonnie++ and of one of gobonnie with the same flags. */
function beside(run: Run, rows: readonly FamilyRow[]): Bench {
  return comparison(bonnies, { ...run, figures: rows.map(({ figure }) => figure) }, rows);
}

/**
 * Of the tests of the one file no flag leaves out any but those by byte: what is not looked at comes along.
 * Both programs leave the page cache as it is.
 */
function oneFile(place: Place, sizeMib: number, seeks: string, byteFlag: string): Run {
  return {
    place,
    sizeBytes: sizeMib * MIB,
    flags: ['-s', `${sizeMib}:${CHUNK_BYTES}:${seeks}`, '-n', '0', byteFlag],
  };
}

function atLeast(limit: number): Target {
  return { of: 'ratio', bound: 'at least', limit };
}

/** So much, because a test has to take bonnie++ half a second, or it prints no figure. */
const block = beside(oneFile('memory', 6144, '1048576:5', '-f'), [
  ...(['write', 'rewrite', 'read'] as const).map((figure) => ({
    ...{ name: 'family-block', figure, work: `${figure} 8 KiB, tmpfs` },
    ...{ unit: 'MB/s', target: atLeast(0.95) },
  })),
  {
    ...{ name: 'family-block', figure: 'seeks', work: 'seeks 8 KiB, 5 seekers, tmpfs' },
    ...{ unit: '/s', target: atLeast(1) },
  },
]);

/**
 * bonnie++ syncs and closes the file before it stops the clock of a test, without -b too; with it no more than that
 * happens here, whatever its manual says. tmpfs makes nothing of a sync, so this write is to a disk.
 */
const fsync = beside(oneFile('disk', 2048, '1024:1', '-f'), [
  {
    ...{ name: 'family-fsync', figure: 'write', work: 'write 8 KiB, then fsync, disk' },
    ...{ unit: 'MB/s', target: atLeast(0.95) },
  },
]);

/** A system call for each byte. */
const bytes = beside(oneFile('memory', 32, '1024:1', '-f20'), [
  {
    ...{ name: 'family-bytes', figure: 'putc', work: 'write 1 B, 20 MiB, tmpfs' },
    ...{ unit: 'MB/s', target: atLeast(0.9) },
  },
  {
    ...{ name: 'family-bytes', figure: 'getc', work: 'read 1 B, 20 MiB, tmpfs' },
    ...{ unit: 'MB/s', target: atLeast(0.9) },
  },
]);

/** So many, because bonnie++ has looked at 16 x 1024 files long before its half second is over. */
const FILES_UNITS = 512;

/** What tmpfs keeps of an empty file, and the kernel of its name. */
const EMPTY_FILE_BYTES = 1024;

/**
 * bonnie++'s clock has a sync of all filesystems in it, at the end of each create and delete: in memory that waits for
 * nothing but what others have left to write.
 */
const files = beside(
  {
    place: 'memory',
    sizeBytes: FILES_UNITS * FILES_UNIT * EMPTY_FILE_BYTES,
    flags: ['-s', '0', '-n', `${FILES_UNITS}`],
  },
  (['create', 'stat', 'delete', 'create-random', 'stat-random', 'delete-random'] as const).map((figure) => ({
    ...{ name: 'family-files', figure, work: `${figure}, ${FILES_UNITS} x 1024 empty files, tmpfs` },
    ...{ unit: '/s', target: atLeast(0.8) },
  })),
);

/** Beside the real bonnie++. */
export const family: readonly Bench[] = [block, fsync, bytes, files];
