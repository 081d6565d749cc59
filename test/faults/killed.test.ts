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
/** Every phase, each long enough that some kills fall into it. */
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
    `kill -9 at ${KILLS} moments: ${passed.kills} passed, all removed after at most ${Math.ceil(slowestMs)} ms; ` +
      `signals at ${SIGNALS} moments: ${passed.signals} passed\n`,
  );
});

/** How long the plan takes here, with as many runs in parallel as in the tests. */
async function durationMs(): Promise<number> {
  const start = performance.now();
  await forEachConcurrently([1, 2], CONCURRENCY, async () => {
    expect((await runGobonnie(['-q', '--dir', makeDirectory(), ...PLAN])).exitCode).toBe(0);
  });
  return performance.now() - start;
}

function spaceIn(directory: string) {
  const { bfree, ffree } = statfsSync(directory);
  return { bfree, ffree };
}

/** There is no report, or that of a complete run. */
function expectWholeReport(file: string): void {
  if (existsSync(file)) expect(JSON.parse(readFileSync(file, 'utf8')).schema).toBe('gobonnie/1');
}

describe('at any moment', () => {
  beforeEach(requireTools('root', 'mount'));

  test(`after kill -9 all files are removed and their space is free, at ${KILLS} moments of all phases`, {
    timeout: 300_000,
  }, async () => {
    const mounted = mountTmpfs('size=256m');
    const before = spaceIn(mounted);
    const moments = randomTimes(await durationMs(), KILLS);
    await forEachConcurrently([...moments.entries()], CONCURRENCY, async ([index, moment]) => {
      const dir = path.join(mounted, String(index));
      const out = makeDirectory();
      const { child, exitResult } = startGobonnie([
        '--dir',
        dir,
        ...PLAN,
        '--out',
        path.join(out, 'report.json'),
      ]);
      await sleep(moment);
      child.kill('SIGKILL');
      await exitResult;
      const killed = performance.now();
      await vi.waitUntil(() => !existsSync(dir), { timeout: 100_000, interval: 5 });
      slowestMs = Math.max(slowestMs, performance.now() - killed);
      await vi.waitUntil(() => readdirSync(out).every((name) => name === 'report.json'), {
        timeout: 100_000,
      });
      expectWholeReport(path.join(out, 'report.json'));
      passed.kills += 1;
    });
    // The watcher closes its files shortly after it has removed them.
    await vi.waitFor(() => expect(spaceIn(mounted)).toEqual(before), { timeout: 100_000 });
    expect(passed.kills).toBe(KILLS);
  });

  test(`after one or two signals all files are removed, at ${SIGNALS} moments of all phases`, {
    timeout: 300_000,
  }, async () => {
    const mounted = mountTmpfs('size=256m');
    const before = spaceIn(mounted);
    const names = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGINT'] as const;
    const moments = randomTimes(await durationMs(), SIGNALS);
    await forEachConcurrently([...moments.entries()], CONCURRENCY, async ([index, moment]) => {
      const dir = path.join(mounted, String(index));
      mkdirSync(dir);
      const name = names[index % names.length] ?? 'SIGINT';
      const isDouble = index % names.length === names.length - 1;
      const { child, exitResult } = startGobonnie(['--dir', dir, ...PLAN]);
      await sleep(moment);
      child.kill(name);
      if (isDouble) child.kill(name);
      const { exitCode, signal, stdout } = await exitResult;
      // Before and after measuring, it may end like any program.
      const isOver = exitCode === 0 && stdout.includes('IOPS');
      if (!isOver && signal !== name) expect(exitCode).toBe(EXIT_CODES[name]);
      await vi.waitUntil(() => readdirSync(dir).length === 0, { timeout: 100_000 });
      passed.signals += 1;
    });
    expect(passed.signals).toBe(SIGNALS);
    expect(spaceIn(mounted).bfree).toBe(before.bfree);
  });
});
