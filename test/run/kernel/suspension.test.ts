import { performance as loop } from 'node:perf_hooks';
import { afterEach, expect, test, vi } from 'vitest';
import { createSuspensionClock, MIN_SUSPENDED_MS } from '../../../src/run/kernel/suspension.js';

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
  const takeSuspendedMs = createSuspensionClock(EVERY_MS);
  clock.mockReturnValue(now + passedMs);
  utilization.mockReturnValue({ idle: idle + idleMs, active: 0, utilization: 0 });
  return takeSuspendedMs();
}

test.each([
  ['the whole delay of the timer if its thread was idle', 5000, 5000, 4900],
  ['only the part of the delay during which its thread was idle', 5000, 4000, 3900],
  ['the shortest suspension that counts', MIN_SUSPENDED_MS + EVERY_MS, MIN_SUSPENDED_MS + EVERY_MS, 1000],
])('the clock returns %s', (_, passedMs, idleMs, suspendedMs) => {
  expect(measureAfter(passedMs, idleMs)).toBeCloseTo(suspendedMs);
});

test.each([
  ['if the timer is on time', EVERY_MS, EVERY_MS],
  ['if the timer is a little late', 1000, 1000],
  ['if its thread was busy', 5000, 0],
])('the clock returns 0 %s', (_, passedMs, idleMs) => {
  expect(measureAfter(passedMs, idleMs)).toBe(0);
});
