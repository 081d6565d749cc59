import { lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import path from 'node:path';
import type { OptionsInput } from 'gobonnie';
import { beforeEach, describe, expect, test } from 'vitest';
import { MARKER_NAME } from '../../src/scratch/marker.js';
import { ALL_PHASES_FLAGS, FILES, findMeasurement, runPhases } from '../support/data/all-phases.js';
import { makeDirectory } from '../support/disks/directory.js';
import { runGobonnie } from '../support/programs/program.js';
import { omitFlagsWithoutEffect } from '../support/programs/small-run.js';
import { traceGobonnie } from '../support/programs/trace.js';
import { requireTools } from '../support/tools.js';

const ALL = 'create,stat,delete,create-random,stat-random,delete-random';
const NUMERIC = /^[0-9a-f]{10}[0-9A-Za-z]{0,12}$/;
const RANDOM = /^[0-9A-Za-z]{0,12}[0-9a-f]{10}$/;

/** Returns the small files below a directory, as relative paths. */
function listFiles(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && entry.name !== 'target' && entry.name !== MARKER_NAME)
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
    .toSorted();
}

/** Returns the small files that exist at the end of each phase. */
async function listFilesByPhase(options: OptionsInput): Promise<Readonly<Record<string, readonly string[]>>> {
  const seen: Record<string, readonly string[]> = {};
  const dir = makeDirectory();
  const report = await runPhases({ dir, ...options }, (phase, scratch, runNumber) => {
    seen[`${runNumber} ${phase}`] = listFiles(scratch);
  });
  expect(report.outcome).toEqual({ state: 'completed' });
  expect(readdirSync(dir)).toEqual([]);
  return seen;
}

/** Returns the number of files for each value that `part` takes from a path. */
function countBy(part: (file: string) => string, files: readonly string[] = []): readonly number[] {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(part(file), (counts.get(part(file)) ?? 0) + 1);
  return [...counts.values()];
}

const firstDirectory = (file: string) => file.split('/')[0] ?? '';

describe('the small files', () => {
  test('every thread creates small files with names like bonnie++, and the delete phases delete them', async () => {
    const seen = await listFilesByPhase({ phases: ALL });
    for (const [phase, form] of [
      ['1 create', NUMERIC],
      ['1 create-random', RANDOM],
    ] as const) {
      const files = seen[phase] ?? [];
      expect(files).toHaveLength(FILES);
      expect(files.filter((file) => !form.test(path.basename(file)))).toEqual([]);
      expect(countBy(firstDirectory, files)).toEqual([FILES / 2, FILES / 2]);
    }
    expect(seen['1 stat']).toEqual(seen['1 create']);
    expect(seen['1 stat-random']).toEqual(seen['1 create-random']);
    for (const phase of ['1 delete', '1 delete-random']) expect(seen[phase]).toEqual([]);
  });

  test('a run with fewer small files than threads completes', async () => {
    const dir = makeDirectory();
    const report = await runPhases({ dir, phases: ALL, threads: 4, files: 2 });
    expect(report.outcome).toEqual({ state: 'completed' });
    expect(report.runs[0]?.measurements.map(({ operations }) => operations)).toEqual([2, 2, 2, 2, 2, 2]);
    expect(readdirSync(dir)).toEqual([]);
  });
});

const SIZED = { fileMinSize: 100, fileSize: '70k', files: 60 };

test('small files have sizes within the limits and hold random bytes, and stat reads them', async () => {
  const sizes: number[] = [];
  const starts = new Set<string>();
  const report = await runPhases(
    { dir: makeDirectory(), phases: 'create,stat', ...SIZED },
    (phase, scratch) => {
      if (phase !== 'create') return;
      for (const at of listFiles(scratch)) {
        const bytes = readFileSync(path.join(scratch, at));
        sizes.push(bytes.length);
        starts.add(bytes.toString('latin1', 0, 100));
      }
    },
  );
  const sum = sizes.reduce((total, size) => total + size, 0);
  expect(sizes).toHaveLength(60);
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(100);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(70 * 1024);
  expect(new Set(sizes).size).toBeGreaterThan(50);
  // All files start with the same random block.
  expect(starts.size).toBe(1);
  expect(new Set([...starts].join('')).size).toBeGreaterThan(50);
  expect(findMeasurement(report, 'create')).toMatchObject({
    operations: 60,
    readBytes: 0,
    writtenBytes: sum,
  });
  expect(findMeasurement(report, 'stat')).toMatchObject({
    operations: 60,
    readBytes: sum,
    writtenBytes: 0,
  });
});

test.each(['hard-links', 'symlinks'] as const)('%s point to one empty file per thread', async (fileKind) => {
  const kinds = new Set<string>();
  const targets = new Set<string>();
  const dir = makeDirectory();
  const report = await runPhases(
    { dir, phases: ALL, fileKind, directories: 2, fileSize: 900 },
    (phase, scratch) => {
      if (phase !== 'create') return;
      const links = listFiles(scratch);
      expect(links).toHaveLength(FILES);
      for (const link of links) {
        const at = path.join(scratch, link);
        const facts = lstatSync(at);
        const target = facts.isSymbolicLink()
          ? readlinkSync(at)
          : `inode ${facts.ino} of ${facts.nlink} names`;
        kinds.add(facts.isSymbolicLink() ? 'symlinks' : 'hard-links');
        targets.add(target.replace(scratch, ''));
        expect(statSync(at).size).toBe(0);
      }
    },
  );
  expect(report.outcome).toEqual({ state: 'completed' });
  expect(kinds).toEqual(new Set([fileKind]));
  expect(targets.size).toBe(2);
  if (fileKind === 'symlinks') expect(targets).toEqual(new Set(['/tree.0/target', '/tree.1/target']));
  else expect([...targets].every((target) => target.endsWith(` of ${FILES / 2 + 1} names`))).toBe(true);
  expect(report.runs[0]?.measurements.map(({ operations, bytes }) => [operations, bytes])).toEqual(
    Array.from({ length: 6 }, () => [FILES, 0]),
  );
  expect(readdirSync(dir)).toEqual([]);
});

describe('the system calls', () => {
  beforeEach(requireTools('strace'));

  const ONE_THREAD = ['--threads', '1', '--files', '8', '--directories', '2'];

  /** Returns the worker's system calls, each with the kind of file. */
  async function traceWorkerCalls(filter: string, flags: readonly string[]): Promise<readonly string[]> {
    const dir = makeDirectory();
    const { calls, exitCode } = await traceGobonnie(
      ['-y', '-s', '300', '-e', `trace=${filter}`],
      omitFlagsWithoutEffect(['-q', '--dir', dir, ...ALL_PHASES_FLAGS, ...ONE_THREAD, ...flags]),
    );
    expect(exitCode).toBe(0);
    const there = calls.flatMap((call) => {
      const [, tid = '', name, rest = ''] = /^(\d+) +(\w+)\((.*\/gobonnie-.*)$/.exec(call) ?? [];
      return name === undefined ? [] : [{ tid, word: `${name} ${describeTarget(rest)}` }];
    });
    // The threads that prepare and clean up make fewer calls.
    const countCalls = (one: string) => there.filter(({ tid }) => tid === one).length;
    const [worker] = there
      .map(({ tid }) => tid)
      .toSorted((one, other) => countCalls(other) - countCalls(one));
    return there.filter(({ tid }) => tid === worker).map(({ word }) => word);
  }

  function describeTarget(rest: string): string {
    if (rest.includes('bonnie.0')) return 'the data';
    return /tree\.0(?:-random)?\/\d{5}\/[0-9a-zA-Z]+/.test(rest) ? 'a file' : 'a directory';
  }

  const repeat = (times: number, ...calls: readonly string[]) =>
    Array.from({ length: times }, () => calls).flat();
  const WRITE = ['pwrite64 the data', 'fsync the data'];
  const CHANGE = ['pread64 the data', ...WRITE];
  const TEN_SEEKS = [...CHANGE, ...repeat(9, 'pread64 the data')];
  const CREATE = ['openat a file', 'fsync a file', 'fsync a directory'];
  const DELETE = ['unlink a file', 'fsync a directory'];
  const SYNC_NAMES = repeat(2, 'fsync a directory');

  test.each<[string, string, readonly string[]]>([
    [
      '--phases write,rewrite,seeks --seeks 20 --fsync-per-write',
      'pread64,pwrite64,fsync',
      [
        ...[...repeat(8, ...WRITE), 'fsync the data'],
        ...[...repeat(8, ...CHANGE), 'fsync the data'],
        ...repeat(2, ...TEN_SEEKS),
      ],
    ],
    ['--phases write', 'pwrite64,fsync', [...repeat(8, 'pwrite64 the data'), 'fsync the data']],
    [
      '--phases create,delete --fsync-per-write',
      'openat,unlink,fsync',
      [...repeat(8, ...CREATE), ...SYNC_NAMES, ...repeat(8, ...DELETE), ...SYNC_NAMES],
    ],
    [
      '--phases create,stat,delete',
      'openat,unlink,fsync',
      [...repeat(8, 'openat a file'), ...SYNC_NAMES, ...repeat(8, 'unlink a file'), ...SYNC_NAMES],
    ],
    ['--phases write,create,delete --no-fsync', 'unlink,fsync', repeat(8, 'unlink a file')],
  ])('with %s the worker syncs exactly as the flags request', async (flags, filter, expected) => {
    const calls = await traceWorkerCalls(filter, `--block-size 512k --cache keep ${flags}`.split(' '));
    expect(calls.filter((call) => call !== 'openat a directory')).toEqual(expected);
  });

  test('one call moves at most --file-block-size of a small file', async () => {
    const sizes = '--file-size 3000 --file-min-size 3000 --file-block-size 1k'.split(' ');
    const flags = ['--threads', '1', '--files', '1', '--phases', 'create,stat', ...sizes];
    const { calls } = await traceGobonnie(
      ['-y', '-s', '0', '-e', 'trace=pwrite64,pread64'],
      omitFlagsWithoutEffect(['-q', '--dir', makeDirectory(), ...ALL_PHASES_FLAGS, ...flags]),
    );
    const moved = calls.flatMap(
      (call) => /(\w+)64\(\d+<.*tree\.0.* = (\d+)$/.exec(call)?.slice(1).join(' ') ?? [],
    );
    expect(moved.join()).toBe('pwrite 1024,pwrite 1024,pwrite 952,pread 1024,pread 1024,pread 952');
  });

  /** Returns the numbers in the names of the files, in the order of these successful calls. */
  async function traceNumbers(filter: string, phases: string): Promise<readonly number[]> {
    const { calls } = await traceGobonnie(
      ['-s', '300', '-e', `trace=${filter}`],
      omitFlagsWithoutEffect([
        '-q',
        '--dir',
        makeDirectory(),
        ...ALL_PHASES_FLAGS,
        '--threads',
        '1',
        '--phases',
        phases,
      ]),
    );
    return calls.flatMap((call) => {
      const [, name] = /tree\.0(?:-random)?\/([0-9a-zA-Z]{10,22})".* = 0/.exec(call) ?? [];
      const digits = phases.includes('random') ? name?.slice(-10) : name?.slice(0, 10);
      return digits === undefined ? [] : [Number.parseInt(digits, 16)];
    });
  }

  const IN_ORDER = Array.from({ length: FILES }, (_, at) => at);
  const sort = (numbers: readonly number[]) => numbers.toSorted((one, other) => one - other);

  test('stat visits every file once in order, and stat-random visits as many random files, some more than once', async () => {
    const filter = 'statx,lstat,newfstatat';
    expect(await traceNumbers(filter, 'create,stat')).toEqual(IN_ORDER);
    const random = await traceNumbers(filter, 'create-random,stat-random');
    expect(random).toHaveLength(FILES);
    expect(random).not.toEqual(sort(random));
    expect(new Set(random).size).toBeGreaterThan(FILES / 3);
    expect(new Set(random).size).toBeLessThan(FILES);
  });

  test('delete removes the files in order, and delete-random removes each file once in random order', async () => {
    expect(await traceNumbers('unlink', 'create,delete')).toEqual(IN_ORDER);
    const random = await traceNumbers('unlink', 'create-random,delete-random');
    expect(random).not.toEqual(IN_ORDER);
    expect(sort(random)).toEqual(IN_ORDER);
  });
});

test('one thread can create, stat and delete the 131072 files of bonnie++ -n 128', async () => {
  const dir = makeDirectory();
  const phases = 'create-random,stat-random,delete-random';
  const flags = ['--threads', '1', '--files', '131072', '--phases', phases];
  const ended = await runGobonnie(['-q', '--dir', dir, ...flags]);
  expect({ stderr: ended.stderr, exitCode: ended.exitCode }).toEqual({ stderr: '', exitCode: 0 });
  expect(ended.stdout).toMatch(
    /^Random Create ops\/s: \d+\nRandom Stat ops\/s: \d+\nRandom Delete ops\/s: \d+\n$/,
  );
  expect(readdirSync(dir)).toEqual([]);
});
