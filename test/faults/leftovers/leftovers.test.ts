import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { findScratch, makeDirectory, makePublicDirectory } from '../../support/disks/directory.js';
import { createLeftover, endWithWatcher, startLongRun } from '../../support/programs/leftover.js';
import { runGobonnie, startProcess } from '../../support/programs/program.js';
import { SMALL_FLAGS } from '../../support/programs/small-run.js';
import { NOBODY, requireNobody, requireTools } from '../../support/tools.js';

beforeEach(requireTools('/proc/self/io'));

describe('the next run in a directory with leftovers', () => {
  test('removes them with a message, and then measures', async () => {
    const dir = makeDirectory();
    const scratch = await createLeftover(dir);
    const { stderr, exitCode } = await runGobonnie(['-q', '--dir', dir, ...SMALL_FLAGS]);
    expect(stderr).toBe(`gobonnie: removed ${scratch}, left by a killed run\n`);
    expect(exitCode).toBe(0);
    expect(readdirSync(dir)).toEqual([]);
  });

  test('keeps them with --dry-run', async () => {
    const dir = makeDirectory();
    const scratch = await createLeftover(dir);
    await runGobonnie(['--dry-run', '--dir', dir, ...SMALL_FLAGS]);
    expect(existsSync(scratch)).toBe(true);
  });
});

test('gobonnie clean removes a leftover', async () => {
  const dir = path.join(makeDirectory(), 'my disk');
  mkdirSync(dir);
  const scratch = await createLeftover(dir);
  const { stdout, stderr, exitCode } = await runGobonnie(['clean', dir]);
  expect({ stdout, stderr, exitCode }).toEqual({
    stdout: `removed "${scratch}"\n`,
    stderr: '',
    exitCode: 0,
  });
  expect(readdirSync(dir)).toEqual([]);
});

describe('the watcher', () => {
  test('survives a signal to the whole process group', async () => {
    const dir = makeDirectory();
    const program = startProcess('setsid', ['--wait', process.execPath, ...groupKillArgs(dir)]);
    onTestFinished(() => program.exitResult.then(() => {}));
    await program.exitResult;
    await vi.waitUntil(() => readdirSync(dir).length === 0, { timeout: 100_000 });
  });
});

test('a scratch directory that another process renames is kept by the watcher of a killed run, and removed by clean if the new name is one of a scratch directory', async (context) => {
  requireNobody(context);
  const dir = makePublicDirectory();
  const program = await startLongRun(dir);
  const moved = path.join(dir, 'gobonnie-moved1');
  expect((await startProcess('mv', [findScratch(dir) ?? '', moved], NOBODY).exitResult).exitCode).toBe(0);
  await endWithWatcher(program, 'SIGKILL');
  expect(readdirSync(moved)).toContain('bonnie.0');
  expect((await runGobonnie(['clean', dir])).stdout).toBe(`removed ${moved}\n`);
  expect(readdirSync(dir)).toEqual([]);
});

test('the watcher cleans up the directory to which the link in --dir led when the run started', async () => {
  const dir = makeDirectory();
  const link = path.join(dir, 'link');
  const real = path.join(dir, 'real');
  for (const name of ['real', 'other']) mkdirSync(path.join(dir, name));
  symlinkSync('real', link);
  const program = await startLongRun(link);
  expect(readdirSync(real)).toHaveLength(1);
  rmSync(link);
  symlinkSync('other', link);
  await endWithWatcher(program, 'SIGKILL');
  expect(readdirSync(real)).toEqual([]);
});

/** Returns the arguments of a Node.js program that starts gobonnie in its own process group and kills the group. */
function groupKillArgs(dir: string): readonly string[] {
  const source = `
    const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, ['bin/gobonnie.cjs', '-v', '--dir', ${JSON.stringify(dir)}, '--size', '0.01'], { stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.on('data', (text) => { if (/operations|Read/.test(text)) process.kill(0, 'SIGKILL'); });`;
  return ['-e', source];
}
