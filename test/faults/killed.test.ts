import { existsSync, mkdirSync, readdirSync, rmdirSync, statfsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test, vi } from 'vitest';
import { makeDirectory } from '../support/disks/directory.js';
import { mountTmpfs } from '../support/disks/mounts.js';
import { runGobonnie, type StartedProcess, startGobonnie } from '../support/programs/program.js';
import { readReportFile } from '../support/programs/read-report-file.js';
import { requireTools } from '../support/tools.js';
import { forEachConcurrently, randomTimes } from './concurrency.js';

const KILLS = 50;
const SIGNALS = 25;
const CONCURRENCY = 2;
/** Every phase is long enough to be hit by some kills. */
const DATA = 'write,rewrite,read,seeks,iops,putc,getc';
const SMALL_FILES = 'create,stat,delete,create-random,stat-random,delete-random';
const TOOLS = 'install,flush,status,restore,clean';
const PLAN = [
  ...['--size', '0.01', '--threads', '2', '--files', '500', '--seeks', '1000', '--byte-size', '1m'],
  ...['--directories', '3', '--iops-duration', '0.1'],
  ...['--packages', '20', '--phases', `${DATA},${SMALL_FILES},${TOOLS}`],
];
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

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

beforeEach(requireTools('root', 'mount'));

/** Starts runs in directories of a filesystem in RAM, and calls `end` with each at a random time. */
async function endAtRandomTimes(
  count: number,
  flags: (index: number) => readonly string[],
  end: (run: StartedProcess, index: number) => Promise<void>,
): Promise<void> {
  const mounted = mountTmpfs('size=256m');
  const before = getFreeSpace(mounted);
  const times = randomTimes(await measureDurationMs(), count);
  let ended = 0;
  await forEachConcurrently([...times.entries()], CONCURRENCY, async ([index, timeMs]) => {
    const dir = path.join(mounted, String(index));
    mkdirSync(dir);
    const run = startGobonnie(['--dir', dir, ...PLAN, ...flags(index)]);
    await sleep(timeMs);
    await end(run, index);
    await vi.waitUntil(() => readdirSync(dir).length === 0, { timeout: 100_000, interval: 5 });
    rmdirSync(dir);
    ended += 1;
  });
  expect(ended).toBe(count);
  // The watcher closes the files shortly after it removes them.
  await vi.waitFor(() => expect(getFreeSpace(mounted)).toEqual(before), { timeout: 100_000 });
}

test(`kill -9 at ${KILLS} random times leaves no files, no used space and only whole reports`, async () => {
  const reports = makeDirectory();
  const reportOf = (index: number) => path.join(reports, `${index}.json`);
  await endAtRandomTimes(
    KILLS,
    (index) => ['--out', reportOf(index)],
    async ({ child, exitResult }, index) => {
      child.kill('SIGKILL');
      await exitResult;
      const isLeftover = (name: string) => name.startsWith(`.${index}.json.`);
      await vi.waitUntil(() => !readdirSync(reports).some(isLeftover), { timeout: 100_000 });
      const report = reportOf(index);
      if (!existsSync(report)) return;
      expect(['running', 'completed']).toContain(readReportFile(report).outcome.state);
    },
  );
});

test(`one or two signals at ${SIGNALS} random times leave no files`, async () => {
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGINT'] as const;
  await endAtRandomTimes(
    SIGNALS,
    () => [],
    async ({ child, exitResult }, index) => {
      const name = names[index % names.length] ?? 'SIGINT';
      child.kill(name);
      if (index % names.length === names.length - 1) child.kill(name);
      const { exitCode, signal, stdout } = await exitResult;
      // Outside the measurement, the signal may end it as it ends any program.
      const isOver = exitCode === 0 && stdout.includes('IOPS');
      if (!isOver && signal !== name) expect(exitCode).toBe(EXIT_CODES[name]);
    },
  );
});
