import { closeSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { MARKER_NAME } from '../../src/scratch/marker.js';
import { findScratch, makeDirectory, makePublicDirectory } from '../support/disks/directory.js';
import { mountBindfs } from '../support/disks/mounts.js';
import { createLeftover, endWithWatcher, startLongRun } from '../support/programs/leftover.js';
import { runGobonnie, startProcess } from '../support/programs/program.js';
import { type RunningProgram, startGobonnieForTest } from '../support/programs/running-program.js';
import { requireTools } from '../support/tools.js';

beforeEach(requireTools('/proc/self/io'));

async function startIn(dir: string): Promise<{ program: RunningProgram; scratch: string }> {
  const program = await startLongRun(dir);
  return { program, scratch: findScratch(dir) ?? 'no scratch directory' };
}

describe('a scratch directory that cannot be removed yet keeps its marker', () => {
  test('if the watcher fails to remove the directory', async () => {
    const dir = makeDirectory();
    const { program, scratch } = await startIn(dir);
    const theirs = path.join(scratch, 'theirs');
    writeFileSync(theirs, 'x');
    await endWithWatcher(program, 'SIGKILL');
    expect(readdirSync(scratch).toSorted()).toEqual([MARKER_NAME, 'theirs']);
    rmSync(theirs);
    expect((await runGobonnie(['clean', dir])).stdout).toBe(`removed ${scratch}\n`);
    expect(readdirSync(dir)).toEqual([]);
  });

  test('if no more files can be opened, and the error names the directory', async () => {
    const dir = makePublicDirectory();
    const { program, scratch } = await startIn(dir);
    const limit = ['--pid', String(program.pid), '--nofile=3:3'];
    expect((await startProcess('prlimit', limit).exitResult).exitCode).toBe(0);
    program.kill('SIGINT');
    const { stderr, exitCode } = await program.exitResult;
    expect(stderr).toContain(`${scratch} could not be removed: too many open files (EMFILE)`);
    expect(exitCode).toBe(1);
    expect((await runGobonnie(['clean', dir])).stdout).toBe(`removed ${scratch}\n`);
    expect(readdirSync(dir)).toEqual([]);
  });
});

test.for([
  ['before the marker is removed', 'unlink', 2],
  ['before the directory, which no longer has a marker, is removed', 'rmdir', 1],
] as const)('nothing remains after kill -9 %s', async ([_, call, number], context) => {
  requireTools('strace')(context);
  const dir = makeDirectory();
  // One thread in libuv's pool, so that thread makes all calls. strace detaches from the watcher when it starts.
  const killed = ['-e', `trace=${call}`, '-e', `inject=${call}:signal=SIGKILL:when=${number}`];
  const as = ['strace', '-f', '-qq', '-o', '/dev/null', '-b', 'execve', ...killed];
  const args = ['--dir', dir, '--size', '0.001', '--threads', '1', '--phases', 'write'];
  const { signal } = await runGobonnie(args, { as, env: { ...process.env, UV_THREADPOOL_SIZE: '1' } });
  expect(signal).toBe('SIGKILL');
  await vi.waitUntil(() => readdirSync(dir).length === 0, { timeout: 100_000 });
});

describe('on a FUSE filesystem, which hides a removed marker while another run has it open', () => {
  beforeEach(requireTools('root', 'bindfs', '/dev/fuse', 'strace'));

  const LISTING = ['strace', '-f', '-qq', '-v', '-e', 'trace=rmdir,getdents64', '-e', 'signal=none'];

  test('the directory is removed as soon as the marker is closed', async () => {
    const dir = mountBindfs(makeDirectory(), []);
    const scratch = await createLeftover(dir);
    const reading = openSync(path.join(scratch, MARKER_NAME), 'r');
    const program = startGobonnieForTest(['clean', dir], { as: LISTING });
    await program.untilStderr(/ENOTEMPTY[\s\S]*d_name="\.fuse_hidden/).finally(() => closeSync(reading));
    const { stdout, exitCode } = await program.exitResult;
    expect({ stdout, exitCode }).toEqual({ stdout: `removed ${scratch}\n`, exitCode: 0 });
    expect(readdirSync(dir)).toEqual([]);
  });

  test('the directory keeps a marker and the error names it if the marker remains open', async () => {
    const dir = mountBindfs(makeDirectory(), []);
    const scratch = await createLeftover(dir);
    const reading = openSync(path.join(scratch, MARKER_NAME), 'r');
    onTestFinished(() => closeSync(reading));
    const { stderr, exitCode } = await runGobonnie(['clean', dir]);
    expect(stderr).toContain(
      `could not remove ${scratch}, left by a killed run: directory not empty (ENOTEMPTY)`,
    );
    expect(exitCode).toBe(1);
    expect(readdirSync(scratch)).toContain(MARKER_NAME);
  });
});
