import { existsSync, mkdirSync, readdirSync, readFileSync, statfsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeDirectory } from '../support/disks/directory.js';
import { mountTmpfs } from '../support/disks/mounts.js';
import { runGobonnie, startGobonnie } from '../support/programs/program.js';
import { requireTools } from '../support/tools.js';
import { forEachConcurrently, randomTimes } from './concurrency.js';

const KILLS = 100;
const SIGNALS = 50;
const CONCURRENCY = 2;
/** Every phase is long enough to be hit by some kills. */
const DATA = 'write,rewrite,read,seeks,iops,putc,getc';
const SMALL_FILES = 'create,stat,delete,create-random,stat-random,delete-random';
const PLAN = [
  ...['--size', '0.01', '--threads', '2', '--files', '500', '--seeks', '1000', '--byte-size', '1m'],
  ...['--directories', '3', '--iops-duration', '0.1'],
  ...['--phases', `${DATA},${SMALL_FILES}`],
];
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

let slowestMs = 0;
const passed = { kills: 0, signals: 0 };

afterAll(() => {
  process.stdout.write(
    `kill -9 at ${KILLS} times: ${passed.kills} passed, files removed within ${Math.ceil(slowestMs)} ms; ` +
      `signals at ${SIGNALS} times: ${passed.signals} passed\n`,
  );
});

/** Measures the plan's duration here, with as many parallel runs as in the tests. */
async function measureDurationMs(): Promise<number> {
  const start = performance.now();
  await forEachConcurrently([1, 2], CONCURRENCY, async () => {
    expect((await runGobonnie(['-q', '--dir', makeDirectory(), ...PLAN])).exitCode).toBe(0);
  });
  return performance.now() - start;
}

function getFreeSpace(directory: string) {
  const { bfree, ffree } = statfsSync(directory);
  return { bfree, ffree };
}

/** Throws if the report exists but is not whole. */
function expectWholeReport(file: string): void {
  if (existsSync(file)) expect(JSON.parse(readFileSync(file, 'utf8')).schema).toBe('gobonnie/1');
}

describe('ending a run', () => {
  beforeEach(requireTools('root', 'mount'));

  test(`kill -9 at ${KILLS} random times leaves no files and no used space`, {
    timeout: 300_000,
  }, async () => {
    const mounted = mountTmpfs('size=256m');
    const before = getFreeSpace(mounted);
    const times = randomTimes(await measureDurationMs(), KILLS);
    await forEachConcurrently([...times.entries()], CONCURRENCY, async ([index, timeMs]) => {
      const dir = path.join(mounted, String(index));
      const out = makeDirectory();
      const { child, exitResult } = startGobonnie([
        '--dir',
        dir,
        ...PLAN,
        '--out',
        path.join(out, 'report.json'),
      ]);
      await sleep(timeMs);
      child.kill('SIGKILL');
      await exitResult;
      const killMs = performance.now();
      await vi.waitUntil(() => !existsSync(dir), { timeout: 100_000, interval: 5 });
      slowestMs = Math.max(slowestMs, performance.now() - killMs);
      await vi.waitUntil(() => readdirSync(out).every((name) => name === 'report.json'), {
        timeout: 100_000,
      });
      expectWholeReport(path.join(out, 'report.json'));
      passed.kills += 1;
    });
    // The watcher closes the files shortly after it removes them.
    await vi.waitFor(() => expect(getFreeSpace(mounted)).toEqual(before), { timeout: 100_000 });
    expect(passed.kills).toBe(KILLS);
  });

  test(`one or two signals at ${SIGNALS} random times leave no files`, {
    timeout: 300_000,
  }, async () => {
    const mounted = mountTmpfs('size=256m');
    const before = getFreeSpace(mounted);
    const names = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGINT'] as const;
    const times = randomTimes(await measureDurationMs(), SIGNALS);
    await forEachConcurrently([...times.entries()], CONCURRENCY, async ([index, timeMs]) => {
      const dir = path.join(mounted, String(index));
      mkdirSync(dir);
      const name = names[index % names.length] ?? 'SIGINT';
      const isDouble = index % names.length === names.length - 1;
      const { child, exitResult } = startGobonnie(['--dir', dir, ...PLAN]);
      await sleep(timeMs);
      child.kill(name);
      if (isDouble) child.kill(name);
      const { exitCode, signal, stdout } = await exitResult;
      // Outside the measurement, the signal may end it as it ends any program.
      const isOver = exitCode === 0 && stdout.includes('IOPS');
      if (!isOver && signal !== name) expect(exitCode).toBe(EXIT_CODES[name]);
      await vi.waitUntil(() => readdirSync(dir).length === 0, { timeout: 100_000 });
      passed.signals += 1;
    });
    expect(passed.signals).toBe(SIGNALS);
    expect(getFreeSpace(mounted).bfree).toBe(before.bfree);
  });
});
