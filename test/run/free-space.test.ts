import { mkdirSync, readdirSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type RunEvent, run } from 'gobonnie';
import { beforeEach, expect, test, vi } from 'vitest';
import { formatBytes, GIB, MIB } from '../../src/text/units.js';
import { LOOP_TOOLS, mountLoop } from '../support/disks/loop.js';
import { mountTmpfs } from '../support/disks/mounts.js';
import { runGobonnie, startProcess } from '../support/programs/program.js';
import { startGobonnieForTest } from '../support/programs/running-program.js';
import { requireTools } from '../support/tools.js';

const TIMEOUT_MS = 120_000;
/** Allowance for filesystem metadata. */
const METADATA_BYTES = MIB;

beforeEach(requireTools(...LOOP_TOOLS, 'mkfs.ext4', 'mkfs.btrfs', 'mkfs.xfs', 'dd'));

/** Returns the smallest free space while `act` runs. */
async function minFreeBytes(dir: string, act: Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  let isOver = false;
  void act.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const { bavail, bsize } = statfsSync(dir);
    least = Math.min(least, bavail * bsize);
    await delay(10);
  }
  return least;
}

function reserveBytes(dir: string): number {
  const { blocks, bsize } = statfsSync(dir);
  return blocks * bsize * 0.05;
}

test('of two simultaneous runs of the default size, at least one ends, so 5 % of the disk remains free', {
  timeout: TIMEOUT_MS,
}, async () => {
  const disk = mountLoop('ext4', { sizeBytes: 3 * GIB });
  const dirs = ['one', 'other'].map((name) => path.join(disk, name));
  for (const dir of dirs) mkdirSync(dir);
  const both = Promise.all(dirs.map((dir) => runGobonnie(['--dir', dir, '--phases', 'write'])));
  expect(await minFreeBytes(disk, both)).toBeGreaterThan(reserveBytes(disk) - METADATA_BYTES);
  const stopped = (await both).filter(({ exitCode }) => exitCode !== 0);
  expect(stopped.length).toBeGreaterThan(0);
  for (const { stderr, exitCode } of stopped) {
    expect(stderr).toMatch(
      /gobonnie: write stopped: another process is filling \S+\/(one|other), which has /,
    );
    expect(stderr).toContain(` and ${formatBytes(reserveBytes(disk))} must stay free`);
    expect(exitCode).toBe(1);
  }
  for (const dir of dirs) expect(readdirSync(dir)).toEqual([]);
});

test('a run that still has much to write ends before another program fills the disk', {
  timeout: TIMEOUT_MS,
}, async () => {
  const dir = mountLoop('ext4');
  // Synced writes are slow enough for the other program to be faster.
  const slow = ['--fsync-per-write', '--block-size', '4k', '--phases', 'write', '--threads', '1'];
  const program = startGobonnieForTest(['--dir', dir, ...slow]);
  const free = minFreeBytes(dir, program.exitResult);
  await vi.waitUntil(() => readdirSync(dir).some((name) => name.startsWith('gobonnie-')), TIMEOUT_MS);
  await startProcess('dd', ['if=/dev/zero', `of=${dir}/other`, 'bs=1M', 'count=300']).exitResult;
  const { exitCode, stdout, stderr } = await program.exitResult;
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toMatch(
    /gobonnie: write stopped: another process is filling \S+, which has [\d.]+ MiB free, but [\d.]+ MiB is still to be written and [\d.]+ MiB must stay free; free some space, .*\n$/,
  );
  expect(await free).toBeGreaterThan(reserveBytes(dir));
  expect(readdirSync(dir).toSorted()).toEqual(['lost+found', 'other']);
});

test('a run ends soon, and says that it waits for free space, if another program has filled the disk since the run before', {
  timeout: TIMEOUT_MS,
}, async () => {
  const dir = mountTmpfs('size=64m');
  const activities: string[] = [];
  let filledMs = 0;
  const onEvent = (event: RunEvent) => {
    if (event.type === 'activity') activities.push(event.activity);
    if (event.type !== 'step-start' || event.run !== 2) return;
    writeFileSync(path.join(dir, 'other'), Buffer.alloc(50 * MIB));
    filledMs = performance.now();
  };
  const { outcome } = await run({ dir, size: 0.02, threads: 1, runs: 2, phases: ['write'] }, { onEvent });
  expect(outcome).toMatchObject({ state: 'failed', code: 'low-disk-space' });
  expect(activities.filter((activity) => activity === 'waiting-for-space')).toHaveLength(1);
  // btrfs may need 35 s.
  expect(performance.now() - filledMs).toBeLessThan(20_000);
});

test.each([
  ['btrfs', 'commit=1'],
  ['xfs', 'rw'],
] as const)(
  'on %s, runs that use all space except the reserve are not stopped because of their own writes',
  {
    timeout: TIMEOUT_MS,
  },
  async (filesystem, mountOptions) => {
    const dir = mountLoop(filesystem, { mountOptions });
    const all = ['--runs', '3', '--phases', 'write,read,iops', '--iops-duration', '0.5'];
    const { exitCode, stderr } = await runGobonnie(['--dir', dir, ...all]);
    expect(stderr).not.toMatch(/gobonnie: /);
    expect(exitCode).toBe(0);
  },
);
