import { readdirSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeDirectory, makePublicDirectory } from '../support/disks/directory.js';
import { createLeftover, endWithWatcher, startLongRun } from '../support/programs/leftover.js';
import { type ExitResult, type ProgramOptions, runGobonnie } from '../support/programs/program.js';
import { readReportFile } from '../support/programs/read-report-file.js';
import { SMALL_FLAGS } from '../support/programs/small-run.js';
import { ROOT } from '../support/root.js';
import { requireTools } from '../support/tools.js';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
/** In experimental versions, promises of `node:fs` do not report that the model denied a call. */
const isExperiment = major < 22 || (major === 22 && minor < 13);
const SWITCH = isExperiment ? '--experimental-permission' : '--permission';
/** Node 26 and later deny every sync. */
const deniesSync = major >= 26;

const READ = '--allow-fs-read=*';
const READ_PROGRAM = `--allow-fs-read=${ROOT}`;

const denied = (flag: string, value = '') =>
  `Node's permission model requires ${flag}; add ${flag}${value}, or run node without ${SWITCH}\n`;
const DENIED_READ = denied('--allow-fs-read', '="*"');

/** Returns the environment for a program and its child processes to run with these permissions. */
function withPermissions(...flags: readonly string[]): ProgramOptions {
  const options = ['--no-warnings', SWITCH, ...flags];
  return { env: { ...process.env, NODE_OPTIONS: options.join(' ') } };
}

function runWithPermissions(dir: string, ...flags: readonly string[]): Promise<ExitResult> {
  return runGobonnie(['--dir', dir, ...SMALL_FLAGS], withPermissions(...flags));
}

function rejection(stderr: string, exitCode: number) {
  return { stdout: '', stderr: `gobonnie: ${stderr}`, exitCode, signal: null };
}

beforeEach(requireTools('/proc/self/io'));

if (!isExperiment)
  describe("Node's permission model without any permission", () => {
    test.each([['--version'], ['--size', '0.01']])(
      'rejects gobonnie %s with the flag that allows it to load',
      async (...args) => {
        expect(await runGobonnie(args, withPermissions())).toEqual(rejection(DENIED_READ, 1));
      },
    );
  });

describe("Node's permission model without the permission to read", () => {
  test('allows gobonnie to print its version', async () => {
    const { stdout, stderr, exitCode } = await runGobonnie(['--version'], withPermissions(READ_PROGRAM));
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: expect.stringContaining('gobonnie version'),
      stderr: '',
      exitCode: 0,
    });
  });

  test.each([
    ['compare', '/etc/hosts', '/etc/hosts'],
    ['clean', '/etc'],
    ['zones', '/etc/hosts'],
  ])('makes %s fail with the flag that grants it', async (...args) => {
    const result = await runGobonnie(args, withPermissions(READ_PROGRAM));
    expect(result.stderr.slice(-DENIED_READ.length)).toBe(DENIED_READ);
    expect(result.stderr.split('\n')).toHaveLength(2);
    expect(result).toMatchObject({ stdout: '', exitCode: expect.toBeOneOf([1, 2]) });
  });
});

if (deniesSync)
  describe("Node's permission model that denies every sync", () => {
    test.each([[[]], [[READ, '--allow-fs-write=*', '--allow-worker', '--allow-child-process']]])(
      'makes a run fail before it writes a file, even with %j',
      async (flags) => {
        const dir = makeDirectory();
        const result = await runWithPermissions(dir, READ_PROGRAM, ...flags);
        const reason = 'fdatasync API is disabled when Permission Model is enabled';
        const words = `Node's permission model does not allow it (${reason}); run node without --permission\n`;
        expect(result).toEqual(rejection(`cannot sync to the device: ${words}`, 1));
        expect(readdirSync(dir)).toEqual([]);
      },
    );
  });

if (!deniesSync)
  describe("a run under Node's permission model", () => {
    test('without the permission to read is rejected with the flag that grants it', async () => {
      const dir = makeDirectory();
      const prefix = isExperiment ? '' : `--dir ${dir} cannot be used: `;
      expect(await runWithPermissions(dir, READ_PROGRAM)).toEqual(
        rejection(prefix + DENIED_READ, isExperiment ? 1 : 2),
      );
      expect(readdirSync(dir)).toEqual([]);
    });

    test.each([
      ['its directory', '.', makeDirectory, (dir: string) => `=${dir}`],
      ['the parent of a directory that it must create', 'new', makeDirectory, (dir: string) => `=${dir}`],
      ['all files, because others can rename its directory', '.', makePublicDirectory, () => '="*"'],
    ])('without the permission to write fails with the flag for %s', async (_, name, make, value) => {
      const dir = make();
      const measuredDir = path.join(dir, name);
      const words = denied('--allow-fs-write', value(dir));
      expect(await runWithPermissions(measuredDir, READ)).toEqual(
        rejection(`cannot create a temporary directory in ${measuredDir}: ${words}`, 1),
      );
      expect(readdirSync(dir)).toEqual([]);
    });

    test('without worker threads fails with the flag that allows them, and leaves no files', async () => {
      const dir = makeDirectory();
      const { stdout, stderr, exitCode } = await runWithPermissions(dir, READ, `--allow-fs-write=${dir}`);
      expect(stderr.endsWith(`gobonnie: could not start a worker thread: ${denied('--allow-worker')}`)).toBe(
        true,
      );
      expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
      expect(readdirSync(dir)).toEqual([]);
    });

    test('without child processes lacks only the watcher, and names the flag that allows it', async () => {
      const dir = makeDirectory();
      const { stdout, stderr, exitCode } = await runWithPermissions(
        dir,
        READ,
        `--allow-fs-write=${dir}`,
        '--allow-worker',
      );
      expect(stderr).toContain(
        "could not start the clean-up process (Node's permission model requires --allow-child-process); ",
      );
      expect(stdout).toMatch(/^IOPS: \d+$/m);
      expect(exitCode).toBe(0);
      expect(readdirSync(dir)).toEqual([]);
    });

    test('is rejected with the flag that allows --out in another directory', async () => {
      const dir = makeDirectory();
      const other = makeDirectory();
      const flags = withPermissions(
        READ,
        `--allow-fs-write=${dir}`,
        '--allow-worker',
        '--allow-child-process',
      );
      const result = await runGobonnie(
        ['--dir', dir, ...SMALL_FLAGS, '--out', `${other}/report.json`],
        flags,
      );
      expect(result.stderr.endsWith(denied('--allow-fs-write', `=${other}`))).toBe(true);
      expect(result).toMatchObject({ stdout: '', exitCode: 2 });
      expect(readdirSync(other)).toEqual([]);
    });

    test('replaces the --out report after each run', async () => {
      const dir = makeDirectory();
      const out = path.join(dir, 'report.json');
      const flags = withPermissions(
        READ,
        `--allow-fs-write=${dir}`,
        '--allow-worker',
        '--allow-child-process',
      );
      const { exitCode } = await runGobonnie(
        ['--dir', dir, ...SMALL_FLAGS, '--runs', '2', '--out', out],
        flags,
      );
      expect(exitCode).toBe(0);
      expect(readReportFile(out).runs).toHaveLength(2);
    });

    test('of gobonnie bonnie also names the flag', async () => {
      const dir = makeDirectory();
      const args = ['bonnie', '-d', dir, '-s', '1'];
      const { stderr } = await runGobonnie(
        args,
        withPermissions(READ, '--allow-worker', '--allow-child-process'),
      );
      expect(stderr.endsWith(denied('--allow-fs-write', `=${dir}`))).toBe(true);
    });

    test('that is killed leaves no files, even if it may write only to its own directory', async () => {
      const dir = makeDirectory();
      const flags = [READ, `--allow-fs-write=${dir}`, '--allow-worker', '--allow-child-process'];
      await endWithWatcher(await startLongRun(dir, [], withPermissions(...flags)), 'SIGKILL');
      expect(readdirSync(dir)).toEqual([]);
    });
  });

test("gobonnie clean removes leftovers under Node's permission model if it may write to the directory", async () => {
  const dir = makeDirectory();
  const leftover = await createLeftover(dir);
  const { stdout } = await runGobonnie(['clean', dir], withPermissions(READ, `--allow-fs-write=${dir}`));
  expect(stdout).toBe(`removed ${leftover}\n`);
  expect(readdirSync(dir)).toEqual([]);
});

test('gobonnie clean fails with the flag that allows it to remove leftovers', async () => {
  const dir = makeDirectory();
  const leftover = await createLeftover(dir);
  const { stderr, exitCode } = await runGobonnie(['clean', dir], withPermissions(READ));
  expect({ stderr, exitCode }).toEqual({
    stderr: `gobonnie: could not remove ${leftover}, left by a killed run: ${denied('--allow-fs-write', `=${dir}`)}`,
    exitCode: 1,
  });
});
