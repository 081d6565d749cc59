import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, openSync, readdirSync, writeSync } from 'node:fs';
import path from 'node:path';
import { type RunEvent, run } from 'gobonnie';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { findScratch, makeDirectory } from '../support/disks/directory.js';
import { ENGINE_OPTIONS, HAS_URING } from '../support/engines.js';
import { runGobonnie } from '../support/programs/program.js';
import { startGobonnieForTest } from '../support/programs/running-program.js';
import { omitFlagsWithoutEffect, SMALL_FLAGS } from '../support/programs/small-run.js';
import { traceGobonnie } from '../support/programs/trace.js';
import { requireTools } from '../support/tools.js';

const SIZE_BYTES = 4 * 1024 ** 2;
const BLOCK_BYTES = 65_536;
const ALL_PHASES = ['write', 'overwrite', 'rewrite', 'read', 'seeks', 'random'] as const;

const URING_FILE = path.resolve('dist/src/machine/uring.js');
/** libuv has rings of its own, and aborts if one fails. */
const WITHOUT_LIBUV_RING = { ...process.env, UV_USE_IO_URING: '0' };

describe.each(ENGINE_OPTIONS)('with the engine $engine and $depth in flight', (options) => {
  test.each(['same', 'unique', 'verify'])('all phases move all of their %s data', async (kind) => {
    const amount = { size: '4M', threads: 2, seeks: 500, iopsDuration: 0.2, ioSize: 4096, mix: 70 };
    const data = { unique: kind === 'unique', verify: kind === 'verify' };
    const dir = makeDirectory();
    const report = await run({ dir, phases: ALL_PHASES, ...amount, ...data, ...options });
    expect(report.outcome).toEqual({ state: 'completed' });
    expect(report.options).toMatchObject({ ...options, threads: 2 });
    const [write, overwrite, rewrite, read, seeks, random] = report.runs[0]?.measurements ?? [];
    for (const one of [write, overwrite])
      expect(one).toMatchObject({ operations: 64, writtenBytes: SIZE_BYTES, readBytes: 0 });
    expect(rewrite).toMatchObject({ operations: 64, writtenBytes: SIZE_BYTES, readBytes: SIZE_BYTES });
    expect(read).toMatchObject({ operations: 64, writtenBytes: 0, readBytes: SIZE_BYTES });
    expect(seeks).toMatchObject({
      operations: 500,
      writtenBytes: 50 * BLOCK_BYTES,
      readBytes: 500 * BLOCK_BYTES,
    });
    expect(random?.writes?.operations).toBeGreaterThan(0);
    expect(random?.bytes).toBe((random?.operations ?? 0) * 4096);
  });

  test.each([
    ['changed', 'data-corrupt', (fd: number) => writeSync(fd, 'changed', 20 * BLOCK_BYTES + 100)],
    ['truncated', 'data-corrupt', (fd: number) => ftruncateSync(fd, 20 * BLOCK_BYTES + 100)],
  ])('names the offset where a file was %s', async (_, code, damage) => {
    const dir = makeDirectory();
    const onEvent = (event: RunEvent) => {
      if (event.type !== 'step-end' || event.measurement.phase !== 'write') return;
      const fd = openSync(path.join(findScratch(dir) ?? '', 'bonnie.1'), 'r+');
      damage(fd);
      closeSync(fd);
    };
    const data = { size: '4M', threads: 2, seed: 1, verify: true, phases: ['write', 'read'] } as const;
    const { outcome } = await run({ dir, ...data, ...options }, { onEvent });
    expect(outcome).toMatchObject({ state: 'failed', code });
    expect(outcome).toHaveProperty(
      'message',
      expect.stringMatching(/^read failed in .*bonnie\.1 at offset 1310820: /),
    );
    expect(readdirSync(dir)).toEqual([]);
  });

  test('stops at once when the signal aborts, and removes its files', async () => {
    const dir = makeDirectory();
    const controller = new AbortController();
    const onEvent = ({ type }: RunEvent) => {
      if (type === 'sample') controller.abort('the test');
    };
    const data = { size: '4M', threads: 2, iopsDuration: 3600, phases: ['write', 'random'] } as const;
    const { outcome } = await run({ dir, ...data, ...options }, { onEvent, signal: controller.signal });
    expect(outcome).toEqual({ state: 'aborted', reason: 'the test' });
    expect(readdirSync(dir)).toEqual([]);
  });

  test('ends each step at its size, and syncs after each write', async () => {
    const steps = [
      { phase: 'random', name: 'random', ioSize: 512, mix: 0, size: '64k', syncPerWrite: 'fdatasync' },
      { phase: 'write', name: 'write', blockSize: 4096, size: '1M', syncPerWrite: 'fsync' },
    ] as const;
    const { runs, outcome } = await run({ dir: makeDirectory(), size: '4M', threads: 2, steps, ...options });
    expect(outcome).toEqual({ state: 'completed' });
    const find = (name: string) => runs[0]?.measurements.find(({ step }) => step === name);
    expect(find('random')).toMatchObject({ operations: 128, writtenBytes: 65_536 });
    expect(find('write')).toMatchObject({ operations: 256, writtenBytes: 1024 ** 2 });
  });
});

describe.runIf(HAS_URING)('with io_uring', () => {
  beforeEach(requireTools('strace', 'prlimit'));

  test('kill -9 leaves no files', async () => {
    const dir = makeDirectory();
    const program = startGobonnieForTest(['--dir', dir, '--size', '64M', '--depth', '32', '-v']);
    await program.untilStderr(/Duration/);
    program.kill('SIGKILL');
    await program.exitResult;
    await vi.waitUntil(() => readdirSync(dir).length === 0, { timeout: 30_000 });
  });

  test.each([
    [
      'io_uring_setup:error=EPERM',
      'operation not permitted (EPERM): kernel.io_uring_disabled or the profile of a container forbids it',
    ],
    ['io_uring_setup:error=ENOMEM', 'not enough memory (ENOMEM)'],
  ])('says why the kernel creates no ring: %s', async (fault, reason) => {
    const flags = ['--dir', makeDirectory(), ...SMALL_FLAGS, '--depth', '4'];
    const forced = await traceGobonnie(['-e', `inject=${fault}`], [...flags, '--engine', 'uring']);
    expect(forced).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(reason) });
    const automatic = await traceGobonnie(['-e', `inject=${fault}`], flags);
    expect(automatic).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(reason) });
  });

  test.each([
    [2, 'null'],
    [100, 'too many open files (EMFILE)'],
  ])('is only used if each of %i threads can have a ring: %s', (threads, problem) => {
    const script = `import(${JSON.stringify(URING_FILE)}).then(({ findUringProblem }) =>
      console.log(findUringProblem([{ depth: 2, threads: ${threads} }])))`;
    const args = ['--nofile=64', process.execPath, '--eval', script];
    expect(execFileSync('prlimit', args, { encoding: 'utf8' })).toBe(`${problem}\n`);
  });

  test.each([
    ['for good', 'EBADF', '20+'],
    ['once', 'ENOMEM', '20'],
  ])('fails with one line if the ring fails %s during the run', async (_, error, when) => {
    const dir = makeDirectory();
    const filter = ['-e', `inject=io_uring_enter:error=${error}:when=${when}`];
    const flags = ['--depth', '4', '--phases', 'write,read'];
    const { exitCode, stderr } = await traceGobonnie(
      filter,
      omitFlagsWithoutEffect(['--dir', dir, ...SMALL_FLAGS, ...flags]),
      {
        env: WITHOUT_LIBUV_RING,
      },
    );
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(new RegExp(`^gobonnie: write failed in .*\\(${error}\\)`, 'm'));
    expect(readdirSync(dir)).toEqual([]);
  });
});

describe.runIf(!HAS_URING)('without io_uring', () => {
  test('rejects it by name, and uses threads otherwise', async () => {
    const flags = ['--dir', makeDirectory(), ...SMALL_FLAGS, '--depth', '8'];
    const forced = await runGobonnie([...flags, '--engine', 'uring']);
    expect(forced).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^gobonnie: the engine uring does not work here: .* leave it out: the default, auto/,
      ),
    });
    const automatic = await runGobonnie([...flags, '--format', 'report']);
    expect(automatic.exitCode).toBe(0);
    const report = JSON.parse(automatic.stdout);
    expect(report.options).toMatchObject({ engine: 'threads', depth: 1, threads: 16 });
    expect(report.warnings.map(({ code }: { code: string }) => code)).toContain('uring-unavailable');
  });
});
