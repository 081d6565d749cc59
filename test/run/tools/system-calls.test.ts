import { beforeEach, describe, expect, test } from 'vitest';
import { microsecondsPerCall } from '../../../src/report/tool-calls.js';
import { countProjectFiles } from '../../../workers/files/project-tree.js';
import { measurementWith } from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { omitFlagsWithoutEffect } from '../../support/programs/small-run.js';
import { traceGobonnie } from '../../support/programs/trace.js';
import { requireTools } from '../../support/tools.js';

/** Enough files for several threads of git. */
const PACKAGES = 30;
const FILES = countProjectFiles(PACKAGES);
const CALLS =
  'mkdir,openat,pwrite64,pread64,close,rename,unlink,rmdir,statx,newfstatat,access,getdents64,fdatasync';
const ATTRIBUTES = 'utimensat,fchown,fchmod,chown,chmod';
/** The calls that a phase makes differ by less than this from the tool's. */
const TOLERANCE = 0.02;

interface Call {
  readonly thread: string;
  readonly name: string;
  readonly text: string;
}

/** Runs phases under strace, and returns the calls on the files of the tool's directory, with the path of each descriptor. */
async function traceCalls(phases: string, directory: string): Promise<readonly Call[]> {
  const flags = ['--phases', phases, '--packages', String(PACKAGES), '-q', '--dir', makeDirectory()];
  const filter = ['-y', '-s', '0', '-e', `trace=${CALLS},${ATTRIBUTES}`];
  const { calls, exitCode } = await traceGobonnie(filter, omitFlagsWithoutEffect(flags));
  expect(exitCode).toBe(0);
  return calls.flatMap((text) => {
    const [, thread = '', name = ''] = /^(\d+) +(\w+)\(/.exec(text) ?? [];
    return text.includes(`/${directory}`) ? [{ thread, name, text }] : [];
  });
}

function count(calls: readonly Call[], pattern: RegExp): number {
  return calls.filter(({ text }) => pattern.test(text)).length;
}

function expectAbout(actual: number, expected: number): void {
  expect(Math.abs(actual / expected - 1)).toBeLessThan(TOLERANCE);
}

/** Expects that the report gives 1 µs for a call if each call of this call's thread, from this one on, takes 1 µs. */
function expectKnownNumber(phase: string, calls: readonly Call[], first: RegExp): void {
  const start = calls.findIndex(({ text }) => first.test(text));
  const own = calls.slice(start).filter(({ thread }) => thread === calls[start]?.thread);
  const measured = measurementWith({ step: phase, operations: FILES, seconds: own.length / 1e6 });
  // A small project has fewer directories than the average.
  expect(Math.abs((microsecondsPerCall(measured) ?? 0) - 1)).toBeLessThan(0.1);
}

/** Returns the names of the calls of a thread from the first one that matches, until the next one that matches. */
function callsOfFile(calls: readonly Call[], isFirst: RegExp, at: number): readonly string[] {
  const starts = calls.flatMap(({ text }, index) => (isFirst.test(text) ? [index] : []));
  const thread = calls[starts[at] ?? 0]?.thread;
  const own = calls.slice(starts[at]).filter((one) => one.thread === thread);
  const next = own.findIndex(({ text }, index) => index > 0 && isFirst.test(text));
  return own.slice(0, next).map(({ name }) => name);
}

describe('under strace', () => {
  beforeEach(requireTools('strace'));

  test('install makes the calls of npm: for each directory mkdir and stat, then lstat, open, write and close', async () => {
    const calls = await traceCalls('install', 'tool-project.1');
    const opened = /openat\(.*node_modules.*O_WRONLY\|O_CREAT\|O_TRUNC\|O_NOFOLLOW\|O_CLOEXEC, 0666\)/;
    // A race with the first file of a package repeats an open.
    expectAbout(count(calls, opened), FILES);
    const existing = count(calls, /mkdir\(.*EEXIST/);
    expectAbout(count(calls, /statx\(.*(?<!NOFOLLOW), STATX_ALL, \{.*S_IFDIR/), existing);
    expectAbout(count(calls, /statx\(.*node_modules.*NOFOLLOW.*ENOENT/), FILES);
    expect(count(calls, /openat\(.*\.tgz".*O_RDONLY/)).toBe(PACKAGES);
    expect(count(calls, /fdatasync/)).toBe(0);
    const written = calls.filter(({ text }) => /(openat|pwrite64|close)\(.*node_modules/.test(text));
    const sequence = callsOfFile(written, /openat\(/, FILES / 2);
    expect(sequence.join(' ')).toMatch(/^openat pwrite64( pwrite64)* close$/);
  });

  test('status looks at every file once, then one thread reads every directory', async () => {
    const calls = await traceCalls('install,status', 'tool-project.1/node_modules');
    const found = calls.filter(({ text }) => /statx\(.*NOFOLLOW, STATX_ALL, \{.*S_IFREG/.test(text));
    expect(found).toHaveLength(FILES);
    const lastFile = calls.indexOf(found.at(-1) as Call);
    const threads = new Set(found.map(({ thread }) => thread));
    expect(threads.size).toBe(2);
    // The program's other threads remove the files afterwards.
    const readDirectories = calls
      .slice(lastFile)
      .filter(({ text, thread }) => threads.has(thread) && /openat\(.*O_DIRECTORY/.test(text));
    expect(new Set(readDirectories.map(({ thread }) => thread)).size).toBe(1);
    expect(readDirectories.length).toBe(new Set(readDirectories.map(({ text }) => text.split('"')[1])).size);
  });

  test('restore makes the calls of tar: open, write, utimensat, fchown, fchmod and close', async () => {
    const calls = await traceCalls('restore', 'tool-restore.1');
    const opened = /openat\(.*node_modules.*O_WRONLY\|O_CREAT\|O_EXCL\|O_NOFOLLOW\|O_CLOEXEC, 0600\)/;
    expect(count(calls, opened)).toBe(FILES);
    const sequence = callsOfFile(
      calls.filter(({ text }) => !text.includes('archive.tar')),
      opened,
      FILES / 2,
    );
    expect(sequence.join(' ')).toMatch(
      /^openat pwrite64( pwrite64)* utimensat( fchown)? fchmod close( mkdir)*$/,
    );
    expect(count(calls, /pwrite64\(.*node_modules.*, (1024[1-9]|102[5-9]\d|10[3-9]\d\d|1[1-9]\d{3}), /)).toBe(
      0,
    );
    const directories = count(calls, /mkdir\(.*node_modules/);
    const countOf = (name: string) => calls.filter((one) => one.name === name).length;
    const isRoot = process.getuid?.() === 0;
    expect([countOf('chmod'), countOf('chown')]).toEqual([directories, isRoot ? directories : 0]);
    expectKnownNumber('restore', calls, /mkdir\(.*node_modules/);
  });

  test('clean makes the calls of rm -rf: unlink for each file, and rmdir for each directory after its entries', async () => {
    const calls = await traceCalls('install,clean', 'tool-project.1/node_modules');
    expect(count(calls, /^\d+ +unlink\(/)).toBe(FILES);
    const directories = count(calls, /^\d+ +rmdir\(/);
    expect(
      count(calls, /openat\(.*O_DIRECTORY/) - count(calls, /getdents64\(.*node_modules/) / 2,
    ).toBeCloseTo(0);
    expect(new Set(calls.filter(({ name }) => name === 'unlink').map(({ thread }) => thread)).size).toBe(1);
    expect(directories).toBeGreaterThan(PACKAGES);
    expectKnownNumber('clean', calls, /unlink\(/);
  });

  test.each([
    ['commit-wal', /^(pwrite64 ){6}fdatasync$/],
    [
      'commit-journal',
      /^(access ){3}(statx ){3}openat (fchown )?(pwrite64 ){13}fdatasync openat fdatasync close pwrite64 fdatasync (pwrite64 ){4}fdatasync close unlink$/,
    ],
    ['commit-etcd', /^pwrite64 fdatasync$/],
    ['commit-etcd-overwrite', /^pwrite64 fdatasync$/],
  ])('%s makes the writes and syncs of a commit', async (phase, expected) => {
    const calls = await traceCalls(phase, `tool-${phase}.1`);
    const sequence = calls.map(({ name }) => name);
    const end = phase === 'commit-journal' ? 'unlink' : 'fdatasync';
    // In the middle, without the preparation and the checkpoints.
    const commits = sequence.join(' ').split(new RegExp(`(?<=${end}) `));
    expect(commits.length).toBeGreaterThan(300);
    const matching = commits.filter((commit) => expected.test(commit)).length;
    expect(matching / commits.length).toBeGreaterThan(1 - TOLERANCE);
  });
});
