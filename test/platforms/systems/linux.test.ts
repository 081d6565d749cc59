import { chmodSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Report } from '../../../src/report/schema/report.js';
import { mountTmpfs } from '../../support/disks/mounts.js';
import {
  UNCOUNTED_TOOLS,
  type UncountedMount,
  uncountedMounts,
  withSlowSync,
} from '../../support/platforms/uncounted-mounts.js';
import { runGobonnie } from '../../support/programs/program.js';
import { readReportFile } from '../../support/programs/read-report-file.js';
import { requireTools } from '../../support/tools.js';

const SMALL = ['--size', '0.01', '--threads', '1', '--iops-duration', '0.1', '--cache', 'keep'];
/** So little that the kernel does not add it to the dirty bytes of the host. */
const TINY = ['--byte-size', '65536', '--files', '10', '--file-size', '4096'];
const ALL = ['putc', 'write', 'rewrite', 'getc', 'read', 'seeks', 'iops', 'create', 'stat', 'delete'];
const READS = ['rewrite', 'getc', 'read', 'seeks', 'iops', 'stat'];

/**
 * What the first warning says of where the data of each phase was. Whether a read is close to memory's speed, and how soon
 * what a rewrite wrote was durable, no test can know.
 */
function toldOf({ runs, warnings }: Report): Readonly<Record<string, string>> {
  const codeOf = (phase: string) =>
    warnings.find(
      (one) => one.phase === phase && /^(still-dirty|device-share-unknown|served-from-cache)$/.test(one.code),
    )?.code ?? '';
  return Object.fromEntries((runs[0]?.measurements ?? []).map(({ phase }) => [phase, codeOf(phase)]));
}

/** How often the page cache was emptied. If another test did it meanwhile, the device served what memory should have. */
function emptiedTimes(): number {
  return Number(/^drop_pagecache (\d+)$/m.exec(readFileSync('/proc/vmstat', 'utf8'))?.[1]);
}

function said(reads: string, writes = 'still-dirty') {
  const ofReads = Object.fromEntries(READS.map((phase) => [phase, reads]));
  return {
    ...ofReads,
    putc: 'still-dirty',
    write: writes,
    create: 'device-share-unknown',
    delete: 'device-share-unknown',
  };
}

async function measured({ dir, as, outDir }: UncountedMount, flags: readonly string[]) {
  const out = path.join(outDir, 'report.json');
  const { stderr } = await runGobonnie(['--dir', dir, '--out', out, ...SMALL, ...flags], { as });
  return { stderr, report: readReportFile(out) };
}

beforeEach(requireTools(...UNCOUNTED_TOOLS));

describe('when memory serves all reads and takes all writes, every figure has a warning', () => {
  test.each([
    ['with /proc covered', said('device-share-unknown')],
    ['on FUSE', said('device-share-unknown')],
    ['with a /proc of processes only', said('served-from-cache')],
    ["as nobody, with a /proc without others' processes", said('served-from-cache')],
    ['on an overlay whose disk is hidden', said('served-from-cache')],
    ['on an overlay whose tmpfs is hidden', said('served-from-cache')],
  ] as const)('%s', async (name, warnings) => {
    const place = withSlowSync(uncountedMounts[name]());
    const tell = async (): Promise<unknown> => {
      const before = emptiedTimes();
      const { report } = await measured(place, [...TINY, '--phases', ALL.join()]);
      const told = toldOf(report);
      return isDeepStrictEqual(told, warnings) || emptiedTimes() === before ? told : tell();
    };
    expect(await tell()).toEqual(warnings);
  });

  test.each([
    [['--one-file']],
    [['--stonewall', '0.001']],
    [['--runs', '2']],
    [['--io-size', '4096', '--block-size', '4096']],
  ])('with /proc covered and %j', async (flags) => {
    const { report } = await measured(withSlowSync(uncountedMounts['with /proc covered']()), flags);
    expect(toldOf(report)).toEqual({
      write: 'still-dirty',
      read: 'device-share-unknown',
      iops: 'device-share-unknown',
    });
  });
});

describe('with --direct', () => {
  test('reads have a warning on FUSE, whose program reads through the page cache', async () => {
    const { report, stderr } = await measured(uncountedMounts['on FUSE'](), ['--direct']);
    expect(toldOf(report)).toMatchObject({ read: 'device-share-unknown', iops: 'device-share-unknown' });
    expect(stderr).toMatch(
      /Sequential Read, IOPS: what .* can hold the data; use a --size well above the RAM /,
    );
  });

  test('reads have a warning with /sys covered, where nothing shows that the device is no memory', async () => {
    const { report, stderr } = await measured(uncountedMounts['with /sys covered'](), ['--direct']);
    expect(toldOf(report)).toMatchObject({ read: 'device-share-unknown', iops: 'device-share-unknown' });
    expect(stderr).toContain('is unknown (its device is unknown), ');
  });

  test('reads have none on a disk with /proc covered', async () => {
    // Seeks read for sure. On a busy machine all of the few operations of an iops may be writes.
    const reads = ['--phases', 'write,read,seeks', '--seeks', '100'];
    const { report } = await measured(uncountedMounts['with /proc covered'](), ['--direct', ...reads]);
    expect(report.target.filesystem).toBe('ext4');
    expect(toldOf(report)).toMatchObject({ read: '', seeks: '' });
  });
});

describe('what was synced before the clock stopped has no warning', () => {
  test.each(['with /proc covered', 'on FUSE', 'with a /proc of processes only'] as const)(
    '%s',
    async (name) => {
      const place = uncountedMounts[name]();
      const flags = [
        '--phases',
        'putc,write,create,delete',
        '--fsync',
        '--fsync-per-write',
        '--size',
        '0.001',
      ];
      const { report } = await measured(place, [...TINY, ...flags]);
      expect(toldOf(report)).toEqual({ putc: '', write: '', create: '', delete: '' });
    },
  );

  test('except on a volatile overlay, where no sync has an effect and no rate is durable', async () => {
    const place = uncountedMounts['on a volatile overlay whose disk is hidden']();
    const flags = ['--phases', 'putc,write,create', '--fsync', '--fsync-per-write', '--size', '0.0002'];
    const { report, stderr } = await measured(place, [...TINY, ...flags]);
    expect(toldOf(report)).toEqual({
      putc: 'device-share-unknown',
      write: 'device-share-unknown',
      create: 'device-share-unknown',
    });
    expect(report.runs[0]?.measurements.map(({ durable }) => durable)).toEqual([null, null, null]);
    expect(stderr).toContain('; this volatile overlay ignores syncs: ');
  });
});

test('a tmpfs is known as memory with /proc covered, too', async () => {
  const dir = mountTmpfs('size=64m');
  chmodSync(dir, 0o755);
  const { report } = await measured({ ...uncountedMounts['with /proc covered'](), dir }, []);
  expect(report.target).toMatchObject({ filesystem: 'tmpfs', isMemory: true });
  expect(report.warnings.map(({ code }) => code)).toContain('memory-filesystem');
});
