import { execFileSync } from 'node:child_process';
import { performance as loop } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { MIN_SUSPENDED_MS, SuspensionClock } from '../../../src/run/kernel/suspension.js';
import { testOnLinux } from '../../support/linux.js';
import { startProcess } from '../../support/programs/program.js';
import { suspendFor } from '../../support/programs/suspend.js';

const EVERY_MS = 100;

afterEach(() => {
  vi.restoreAllMocks();
});

/** What the clock measures after this time, in which its thread was idle for this long. */
function lookAfter(passedMs: number, idleMs: number): number {
  // Whole numbers: with the clock's fractions, the shortest suspension could be rounded to less.
  const [now, idle] = [60_000, 50_000];
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now);
  const utilization = vi.spyOn(loop, 'eventLoopUtilization');
  utilization.mockReturnValue({ idle, active: 0, utilization: 0 });
  const suspension = new SuspensionClock(EVERY_MS);
  clock.mockReturnValue(now + passedMs);
  utilization.mockReturnValue({ idle: idle + idleMs, active: 0, utilization: 0 });
  return suspension.takeSuspendedMs();
}

describe('the process was suspended', () => {
  test.each([
    ['for the whole delay of the timer', 5000, 5000, 4900],
    ['for the part of the delay in which its thread was idle', 5000, 4000, 3900],
    [
      'for the shortest time that is measured',
      MIN_SUSPENDED_MS + EVERY_MS,
      MIN_SUSPENDED_MS + EVERY_MS,
      1000,
    ],
  ])('%s', (_, passedMs, idleMs, suspendedMs) => {
    expect(lookAfter(passedMs, idleMs)).toBeCloseTo(suspendedMs);
  });
});

describe('the process was not suspended', () => {
  test.each([
    ['when the timer is on time', EVERY_MS, EVERY_MS],
    ['when the timer is a little late', 1000, 1000],
    ['when its thread was busy', 5000, 0],
  ])('%s', (_, passedMs, idleMs) => {
    expect(lookAfter(passedMs, idleMs)).toBe(0);
  });

  test('when its thread really waited for a program', async () => {
    const suspension = new SuspensionClock(EVERY_MS);
    await wait(EVERY_MS);
    execFileSync('sleep', ['1.5']);
    expect(suspension.takeSuspendedMs()).toBe(0);
  });
});

testOnLinux('a process that was really stopped measures that once', async () => {
  const source = `
    import { SuspensionClock } from ${JSON.stringify(new URL('../../../src/run/kernel/suspension.ts', import.meta.url).href)};
    const suspension = new SuspensionClock(${EVERY_MS});
    const told = [];
    setInterval(() => told.push(suspension.takeSuspendedMs()), ${EVERY_MS});
    setTimeout(() => console.log('begun'), ${EVERY_MS});
    process.on('SIGTERM', () => {
      console.log(JSON.stringify(told.filter((ms) => ms > 0)));
      process.exit();
    });`;
  const { child, exitResult } = startProcess(process.execPath, [
    '--import',
    'tsx',
    '--input-type=module',
    '-e',
    source,
  ]);
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  await suspendFor(child.pid ?? 0, 2500);
  await wait(1000);
  child.kill('SIGTERM');
  const [, line = ''] = (await exitResult).stdout.split('\n');
  const told: number[] = JSON.parse(line);
  expect(told).toHaveLength(1);
  expect(told[0]).toBeGreaterThan(1000);
});
