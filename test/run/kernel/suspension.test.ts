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

/** Returns what the clock measures if this time has passed and the thread was idle for `idleMs` of it. */
function measureAfter(passedMs: number, idleMs: number): number {
  // Whole numbers, because fractions could round the shortest suspension down.
  const now = 60_000;
  const idle = 50_000;
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now);
  const utilization = vi.spyOn(loop, 'eventLoopUtilization');
  utilization.mockReturnValue({ idle, active: 0, utilization: 0 });
  const suspension = new SuspensionClock(EVERY_MS);
  clock.mockReturnValue(now + passedMs);
  utilization.mockReturnValue({ idle: idle + idleMs, active: 0, utilization: 0 });
  return suspension.takeSuspendedMs();
}

describe('takeSuspendedMs() returns', () => {
  test.each([
    ['the whole delay of the timer if its thread was idle', 5000, 5000, 4900],
    ['only the part of the delay during which its thread was idle', 5000, 4000, 3900],
    ['the shortest suspension that counts', MIN_SUSPENDED_MS + EVERY_MS, MIN_SUSPENDED_MS + EVERY_MS, 1000],
  ])('%s', (_, passedMs, idleMs, suspendedMs) => {
    expect(measureAfter(passedMs, idleMs)).toBeCloseTo(suspendedMs);
  });
});

describe('takeSuspendedMs() returns 0', () => {
  test.each([
    ['if the timer is on time', EVERY_MS, EVERY_MS],
    ['if the timer is a little late', 1000, 1000],
    ['if its thread was busy', 5000, 0],
  ])('%s', (_, passedMs, idleMs) => {
    expect(measureAfter(passedMs, idleMs)).toBe(0);
  });
});

testOnLinux('a process that was stopped with a signal measures that suspension once', async () => {
  const source = `
    import { SuspensionClock } from ${JSON.stringify(new URL('../../../src/run/kernel/suspension.ts', import.meta.url).href)};
    const suspension = new SuspensionClock(${EVERY_MS});
    const measured = [];
    setInterval(() => measured.push(suspension.takeSuspendedMs()), ${EVERY_MS});
    setTimeout(() => console.log('begun'), ${EVERY_MS});
    process.on('SIGTERM', () => {
      console.log(JSON.stringify(measured.filter((ms) => ms > 0)));
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
  const measured: number[] = JSON.parse(line);
  expect(measured).toHaveLength(1);
  expect(measured[0]).toBeGreaterThan(1000);
});
