import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Report } from '../../../src/report/schema/report.js';
import { makeDirectory, makePublicDirectory } from '../../support/disks/directory.js';
import { mountExt4 } from '../../support/disks/loop.js';
import { mountBindfs } from '../../support/disks/mounts.js';
import { runGobonnie } from '../../support/programs/program.js';
import { readReportFile } from '../../support/programs/read-report-file.js';
import { omitFlagsWithoutEffect } from '../../support/programs/small-run.js';
import { NOBODY, requireTools } from '../../support/tools.js';

/** A directory for which a program cannot read all of the kernel's I/O counters. */
interface UncountedMount {
  readonly dir: string;
  /** A prefix that runs a program there. */
  readonly as: readonly string[];
  /** Directory for other output. Without /proc, gobonnie requires that no other user can change it. */
  readonly outDir: string;
}

const DISK_BYTES = 64 * 1024 ** 2;
/** Argument of `requireTools`. */
const UNCOUNTED_TOOLS = ['root', 'unshare', 'mount', 'setpriv', 'mkfs.ext4', 'bindfs'];

/** Returns a prefix that runs a program after a shell command, in a new mount namespace. */
function runAfter(command: string): readonly string[] {
  return ['unshare', '--mount', 'sh', '-c', `${command} && exec "$@"`, 'sh'];
}

/** Mounts a disk that only its owner can change, which gobonnie requires without /proc. */
function mountOwnDisk(as: readonly string[]): UncountedMount {
  const dir = mountExt4(DISK_BYTES);
  chmodSync(dir, 0o755);
  return { dir, as, outDir: makeDirectory() };
}

/** Mounts a FUSE filesystem, for which the kernel does not count a program's reads. */
function mountOnFuse(): UncountedMount {
  const { dir, ...rest } = mountOwnDisk([]);
  return { ...rest, dir: mountBindfs(dir, []) };
}

/** Mounts an overlay as in a container, which hides the filesystem below. */
function mountOverlay(under: string, option = ''): UncountedMount {
  const [lower, upper, work] = ['lower', 'upper', 'work'].map((name) => path.join(under, name));
  for (const name of [lower, upper, work]) mkdirSync(name ?? '');
  const options = `lowerdir=${lower},upperdir=${upper},workdir=${work}${option}`;
  const dir = makePublicDirectory();
  const command = `mount -t overlay -o ${options} overlay ${dir} && mount -t tmpfs none ${under}`;
  return { dir, as: runAfter(command), outDir: makeDirectory() };
}

const uncountedMounts = {
  'with /proc covered': () => mountOwnDisk(runAfter('mount -t tmpfs none /proc')),
  'with /sys covered': () => mountOwnDisk(runAfter('mount -t tmpfs none /sys')),
  'on FUSE': mountOnFuse,
  'with a /proc that has only processes': () =>
    mountOwnDisk(runAfter('mount -t proc -o subset=pid proc /proc')),
  "as nobody, with a /proc without others' processes": () => ({
    dir: mountExt4(DISK_BYTES),
    as: [...runAfter('mount -t proc -o hidepid=2 proc /proc'), ...(NOBODY.as ?? [])],
    outDir: makePublicDirectory(),
  }),
  'on an overlay whose disk is hidden': () => mountOverlay(mountExt4(DISK_BYTES)),
  'on a volatile overlay whose disk is hidden': () => mountOverlay(mountExt4(DISK_BYTES), ',volatile'),
} satisfies Readonly<Record<string, () => UncountedMount>>;

const SMALL = ['--size', '0.01', '--threads', '1', '--iops-duration', '0.1', '--cache', 'keep'];
/** Too little data to appear in the kernel's count of the host's dirty bytes. */
const TINY = ['--byte-size', '65536', '--files', '10', '--file-size', '4096'];
const ALL = ['putc', 'write', 'rewrite', 'getc', 'read', 'seeks', 'iops', 'create', 'stat', 'delete'];
const READS = ['getc', 'read', 'seeks', 'iops', 'stat'];

/**
 * Returns, for each phase, the code of the first warning about cached data. It ignores warnings that depend on the
 * machine's speed.
 */
function warningsByPhase({ runs, warnings }: Report): Readonly<Record<string, string>> {
  const cacheWarnings = warnings.filter(({ code }) =>
    /^(still-dirty|device-share-unknown|served-from-cache)$/.test(code),
  );
  const findCode = (phase: string) => cacheWarnings.find((warning) => warning.step === phase)?.code ?? '';
  return Object.fromEntries((runs[0]?.measurements ?? []).map(({ step }) => [step, findCode(step)]));
}

function expectedWarnings(reads: string, writes: string) {
  return {
    ...Object.fromEntries(ALL.map((phase) => [phase, 'device-share-unknown'])),
    ...Object.fromEntries(READS.map((phase) => [phase, reads])),
    write: writes,
    rewrite: writes,
  };
}

async function measure({ dir, as, outDir }: UncountedMount, flags: readonly string[]) {
  const out = path.join(outDir, 'report.json');
  const { stderr } = await runGobonnie(
    omitFlagsWithoutEffect(['--dir', dir, '--out', out, ...SMALL, ...flags]),
    { as },
  );
  return { stderr, report: readReportFile(out) };
}

beforeEach(requireTools(...UNCOUNTED_TOOLS));

describe('if the page cache serves all reads and takes all writes, every result has a warning', () => {
  test.each([
    ['with /proc covered', 'device-share-unknown', 'device-share-unknown'],
    ['on FUSE', 'device-share-unknown', 'device-share-unknown'],
    ['with a /proc that has only processes', 'served-from-cache', 'device-share-unknown'],
    ["as nobody, with a /proc without others' processes", 'served-from-cache', 'still-dirty'],
    ['on an overlay whose disk is hidden', 'served-from-cache', 'still-dirty'],
  ] as const)('%s', { retry: 3 }, async (name, reads, writes) => {
    // Another test may drop the page cache during a run: then the device serves the reads.
    const flags = [...TINY, '--no-fsync', '--phases', ALL.join()];
    const { report } = await measure(uncountedMounts[name](), flags);
    expect(warningsByPhase(report)).toEqual(expectedWarnings(reads, writes));
  });
});

describe('with --direct', () => {
  test('reads have a warning on FUSE, because the server reads through the page cache', async () => {
    const { report, stderr } = await measure(uncountedMounts['on FUSE'](), ['--direct']);
    expect(warningsByPhase(report)).toMatchObject({
      read: 'device-share-unknown',
      iops: 'device-share-unknown',
    });
    expect(stderr).toMatch(
      /Sequential Read: .* as timed.*; the device's share of it is unknown .*; (pass a --size of twice the RAM or more, which is hardly cached|measure a disk with more free space than RAM) /,
    );
  });

  test('reads have a warning with /sys covered, because the device may be RAM', async () => {
    const { report, stderr } = await measure(uncountedMounts['with /sys covered'](), ['--direct']);
    expect(warningsByPhase(report)).toMatchObject({
      read: 'device-share-unknown',
      iops: 'device-share-unknown',
    });
    expect(stderr).toContain('is unknown (its device is unknown); ');
  });
});

describe('data that is synced before the clock stops has no warning', () => {
  test('with /proc covered', async () => {
    const mount = uncountedMounts['with /proc covered']();
    const flags = ['--phases', 'putc,write,create,delete', '--fsync-per-write', '--size', '0.001'];
    const { report } = await measure(mount, [...TINY, ...flags]);
    expect(warningsByPhase(report)).toEqual({ putc: '', write: '', create: '', delete: '' });
  });

  test.each([
    [
      'on a volatile overlay whose disk is hidden',
      'this filesystem buffers or reduces even direct and synced I/O: ',
    ],
    ['on FUSE', 'no counter here shows which data reached the disk: '],
  ] as const)('except %s, where a sync may have no effect', async (name, hint) => {
    const mount = uncountedMounts[name]();
    const flags = ['--phases', 'putc,write,create', '--fsync-per-write', '--size', '0.0002'];
    const { report, stderr } = await measure(mount, [...TINY, ...flags]);
    expect(warningsByPhase(report)).toEqual({
      putc: 'device-share-unknown',
      write: 'device-share-unknown',
      create: 'device-share-unknown',
    });
    expect(stderr).toContain(`; ${hint}`);
  });
});
