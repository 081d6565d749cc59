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
/** While it was an experiment, no promise of `node:fs` reported what the model refused. */
const isExperiment = major < 22 || (major === 22 && minor < 13);
const SWITCH = isExperiment ? '--experimental-permission' : '--permission';
/** From Node 26 on the model forbids every sync. */
const isUnsynced = major >= 26;

const READ = '--allow-fs-read=*';
const READ_PROGRAM = `--allow-fs-read=${ROOT}`;

const denied = (flag: string, value = '') =>
  `Node's permission model requires ${flag}; add ${flag}${value}, or run node without ${SWITCH}\n`;
const DENIED_READ = denied('--allow-fs-read', '="*"');

/** The permission model with these permissions, for a program and the processes that it starts. */
function permitted(...flags: readonly string[]): ProgramOptions {
  const options = ['--no-warnings', SWITCH, ...flags];
  return { env: { ...process.env, NODE_OPTIONS: options.join(' ') } };
}

function measured(dir: string, ...flags: readonly string[]): Promise<ExitResult> {
  return runGobonnie(['--dir', dir, ...SMALL_FLAGS], permitted(...flags));
}

function refusal(stderr: string, exitCode: number) {
  return { stdout: '', stderr: `gobonnie: ${stderr}`, exitCode, signal: null };
}

beforeEach(requireTools('/proc/self/io'));

if (!isExperiment)
  describe("Node's permission model without any permission", () => {
    test.each([['--version'], ['--size', '0.01']])(
      'is answered with the flag that lets gobonnie load: %s',
      async (...args) => {
        expect(await runGobonnie(args, permitted())).toEqual(refusal(DENIED_READ, 1));
      },
    );
  });

describe("Node's permission model without the permission to read", () => {
  test('lets gobonnie print its version', async () => {
    const { stdout, stderr, exitCode } = await runGobonnie(['--version'], permitted(READ_PROGRAM));
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
  ])('is answered with the flag that grants it by %s', async (...args) => {
    const ended = await runGobonnie(args, permitted(READ_PROGRAM));
    expect(ended.stderr.slice(-DENIED_READ.length)).toBe(DENIED_READ);
    expect(ended.stderr.split('\n')).toHaveLength(2);
    expect(ended).toMatchObject({ stdout: '', exitCode: expect.toBeOneOf([1, 2]) });
  });
});

if (isUnsynced)
  describe("Node's permission model without any sync", () => {
    test.each([[[]], [[READ, '--allow-fs-write=*', '--allow-worker', '--allow-child-process']]])(
      'is refused before anything is written, whatever %j allow',
      async (flags) => {
        const dir = makeDirectory();
        const ended = await measured(dir, READ_PROGRAM, ...flags);
        const reason = 'fdatasync API is disabled when Permission Model is enabled';
        const words = `Node's permission model does not allow it (${reason}); run node without --permission\n`;
        expect(ended).toEqual(refusal(`cannot sync to the device: ${words}`, 1));
        expect(readdirSync(dir)).toEqual([]);
      },
    );
  });

if (!isUnsynced)
  describe("a run under Node's permission model", () => {
    test('without the permission to read is refused with the flag that grants it', async () => {
      const dir = makeDirectory();
      const where = isExperiment ? '' : `--dir ${dir} cannot be used: `;
      expect(await measured(dir, READ_PROGRAM)).toEqual(refusal(where + DENIED_READ, isExperiment ? 1 : 2));
      expect(readdirSync(dir)).toEqual([]);
    });

    test.each([
      ['the directory', '.', makeDirectory, (dir: string) => `=${dir}`],
      ['the one above, as it has to be made', 'new', makeDirectory, (dir: string) => `=${dir}`],
      ['all files, as others can rename it', '.', makePublicDirectory, () => '="*"'],
    ])('without the permission to write is told to allow %s', async (_, name, make, value) => {
      const dir = make();
      const measuredDir = path.join(dir, name);
      const words = denied('--allow-fs-write', value(dir));
      expect(await measured(measuredDir, READ)).toEqual(
        refusal(`cannot create a temporary directory in ${measuredDir}: ${words}`, 1),
      );
      expect(readdirSync(dir)).toEqual([]);
    });

    test('without worker threads ends with the flag that allows them, and leaves nothing', async () => {
      const dir = makeDirectory();
      const { stdout, stderr, exitCode } = await measured(dir, READ, `--allow-fs-write=${dir}`);
      expect(stderr.endsWith(`gobonnie: could not start a worker thread: ${denied('--allow-worker')}`)).toBe(
        true,
      );
      expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
      expect(readdirSync(dir)).toEqual([]);
    });

    test('without child processes lacks only the watcher, and says which flag allows it', async () => {
      const dir = makeDirectory();
      const { stdout, stderr, exitCode } = await measured(
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

    test('cannot write a file of --out elsewhere, and is told the flag that allows it', async () => {
      const [dir, other] = [makeDirectory(), makeDirectory()];
      const flags = permitted(READ, `--allow-fs-write=${dir}`, '--allow-worker', '--allow-child-process');
      const ended = await runGobonnie(['--dir', dir, ...SMALL_FLAGS, '--out', `${other}/report.json`], flags);
      expect(ended.stderr.endsWith(denied('--allow-fs-write', `=${other}`))).toBe(true);
      expect(ended).toMatchObject({ stdout: '', exitCode: 2 });
      expect(readdirSync(other)).toEqual([]);
    });

    test('replaces the report of --out after each run', async () => {
      const dir = makeDirectory();
      const out = path.join(dir, 'report.json');
      const flags = permitted(READ, `--allow-fs-write=${dir}`, '--allow-worker', '--allow-child-process');
      const { exitCode } = await runGobonnie(
        ['--dir', dir, ...SMALL_FLAGS, '--runs', '2', '--out', out],
        flags,
      );
      expect(exitCode).toBe(0);
      expect(readReportFile(out).runs).toHaveLength(2);
    });

    test('of an ancestor names the flag, too', async () => {
      const dir = makeDirectory();
      const args = ['bonnie', '-d', dir, '-s', '1'];
      const { stderr } = await runGobonnie(args, permitted(READ, '--allow-worker', '--allow-child-process'));
      expect(stderr.endsWith(denied('--allow-fs-write', `=${dir}`))).toBe(true);
    });

    test('that is killed leaves nothing, even if it may write to its own directory only', async () => {
      const dir = makeDirectory();
      const flags = [READ, `--allow-fs-write=${dir}`, '--allow-worker', '--allow-child-process'];
      await endWithWatcher(await startLongRun(dir, [], permitted(...flags)), 'SIGKILL');
      expect(readdirSync(dir)).toEqual([]);
    });
  });

test("gobonnie clean removes leftovers under Node's permission model with the directory to write to", async () => {
  const dir = makeDirectory();
  const leftover = await createLeftover(dir);
  const { stdout } = await runGobonnie(['clean', dir], permitted(READ, `--allow-fs-write=${dir}`));
  expect(stdout).toBe(`removed ${leftover}\n`);
  expect(readdirSync(dir)).toEqual([]);
});

test('gobonnie clean is told the flag that lets it remove leftovers', async () => {
  const dir = makeDirectory();
  const leftover = await createLeftover(dir);
  const { stderr, exitCode } = await runGobonnie(['clean', dir], permitted(READ));
  expect({ stderr, exitCode }).toEqual({
    stderr: `gobonnie: could not remove ${leftover}, left by a killed run: ${denied('--allow-fs-write', `=${dir}`)}`,
    exitCode: 1,
  });
});
