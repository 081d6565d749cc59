import { existsSync, mkdirSync, readdirSync, readFileSync, statfsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeDirectory } from '../support/disks/directory.js';
import { mountTmpfs } from '../support/disks/mount.js';
import { gobonnie, startGobonnie } from '../support/programs/program.js';
import { needs } from '../support/tool.js';
import { inParallel, momentsWithin } from './moments.js';

const KILLS = 100;
const SIGNALS = 50;
const AT_ONCE = 2;
/** Every phase, and each of them long enough to be met. */
const DATA = 'write,rewrite,read,seeks,iops,putc,getc';
const SMALL_FILES = 'create,stat,delete,create-random,stat-random,delete-random';
const PLAN = [
  ...['--size', '0.01', '--threads', '2', '--files', '500', '--seeks', '1000', '--byte-size', '1m'],
  ...['--directories', '3', '--iops-duration', '0.1'],
  ...['--phases', `${DATA},${SMALL_FILES}`],
];
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

let slowestMs = 0;
const held = { kills: 0, signals: 0 };

afterAll(() => {
  process.stdout.write(
    `kill -9 at ${KILLS} moments: ${held.kills} held, all gone after at most ${Math.ceil(slowestMs)} ms; ` +
      `signals at ${SIGNALS} moments: ${held.signals} held\n`,
  );
});

/** How long the plan takes here, with as many beside it as there will be. */
async function durationMs(): Promise<number> {
  const start = performance.now();
  await inParallel([1, 2], AT_ONCE, async () => {
    expect((await gobonnie(['-q', '--dir', makeDirectory(), ...PLAN])).exitCode).toBe(0);
  });
  return performance.now() - start;
}

function spaceIn(directory: string) {
  const { bfree, ffree } = statfsSync(directory);
  return { bfree, ffree };
}

/** A completed run's report is whole, and no other is there. */
function expectWholeReport(file: string): void {
  if (existsSync(file)) expect(JSON.parse(readFileSync(file, 'utf8')).schema).toBe('gobonnie/1');
}

describe('at any moment', () => {
  beforeEach(needs('root', 'mount'));

  test(`kill -9 leaves nothing, and the space is free: ${KILLS} moments of all phases`, {
    timeout: 300_000,
  }, async () => {
    const mounted = mountTmpfs('size=256m');
    const before = spaceIn(mounted);
    const moments = momentsWithin(await durationMs(), KILLS);
    await inParallel([...moments.entries()], AT_ONCE, async ([index, moment]) => {
      const dir = path.join(mounted, String(index));
      const out = makeDirectory();
      const { child, ended } = startGobonnie(['--dir', dir, ...PLAN, '--out', path.join(out, 'report.json')]);
      await sleep(moment);
      child.kill('SIGKILL');
      await ended;
      const killed = performance.now();
      await vi.waitUntil(() => !existsSync(dir), { timeout: 100_000, interval: 5 });
      slowestMs = Math.max(slowestMs, performance.now() - killed);
      await vi.waitUntil(() => readdirSync(out).every((name) => name === 'report.json'), {
        timeout: 100_000,
      });
      expectWholeReport(path.join(out, 'report.json'));
      held.kills += 1;
    });
    // The watcher lets go of what it held a little after it has removed it.
    await vi.waitFor(() => expect(spaceIn(mounted)).toEqual(before), { timeout: 100_000 });
    expect(held.kills).toBe(KILLS);
  });

  test(`signals, one or two, leave nothing: ${SIGNALS} moments of all phases`, {
    timeout: 300_000,
  }, async () => {
    const mounted = mountTmpfs('size=256m');
    const before = spaceIn(mounted);
    const names = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGINT'] as const;
    const moments = momentsWithin(await durationMs(), SIGNALS);
    await inParallel([...moments.entries()], AT_ONCE, async ([index, moment]) => {
      const dir = path.join(mounted, String(index));
      mkdirSync(dir);
      const name = names[index % names.length] ?? 'SIGINT';
      const isDouble = index % names.length === names.length - 1;
      const { child, ended } = startGobonnie(['--dir', dir, ...PLAN]);
      await sleep(moment);
      child.kill(name);
      if (isDouble) child.kill(name);
      const { exitCode, signal, stdout } = await ended;
      // Before it measures, and when it has measured, it is like any program.
      const isOver = exitCode === 0 && stdout.includes('IOPS');
      if (!isOver && signal !== name) expect(exitCode).toBe(EXIT_CODES[name]);
      await vi.waitUntil(() => readdirSync(dir).length === 0, { timeout: 100_000 });
      held.signals += 1;
    });
    expect(held.signals).toBe(SIGNALS);
    expect(spaceIn(mounted).bfree).toBe(before.bfree);
  });
});
