import { performance as loop } from 'node:perf_hooks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Stall } from '../../../src/report/events/event.js';
import { Stalls, type Waiting } from '../../../src/run/kernel/stalls.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function watched(timeoutSeconds: number) {
  const told: Stall[] = [];
  const abort = new AbortController();
  const stalls = new Stalls({ timeoutSeconds, signal: abort.signal, onStall: (stall) => told.push(stall) });
  return { told, abort, stalls };
}

function never(stalls: Stalls, waiting: Partial<Waiting> = {}): void {
  void stalls.over({ words: () => 'a read', ...waiting }, new Promise(() => {}));
}

const AFTER_TEN = { waiting: 'a read', seconds: 10, isAborted: false };

test('what moves nothing is told of once, however long it waits', () => {
  const { told, stalls } = watched(10);
  never(stalls);
  vi.advanceTimersByTime(9900);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(3_600_000);
  expect(told).toEqual([AFTER_TEN]);
});

test('what moves is not, and once it stands still it is', () => {
  const { told, stalls } = watched(10);
  let operations = 0;
  never(stalls, { pulse: () => operations });
  for (let second = 0; second < 100; second++) {
    operations += 1;
    vi.advanceTimersByTime(1000);
  }
  expect(told).toEqual([]);
  vi.advanceTimersByTime(11_000);
  expect(told).toEqual([AFTER_TEN]);
});

test('what moved again and stands still again is told of again', () => {
  const { told, stalls } = watched(10);
  let operations = 0;
  never(stalls, { pulse: () => operations });
  vi.advanceTimersByTime(20_000);
  operations += 1;
  vi.advanceTimersByTime(20_000);
  expect(told).toEqual([AFTER_TEN, AFTER_TEN]);
});

test('the words are those of the moment', () => {
  const { told, stalls } = watched(1);
  let offset = 0;
  never(stalls, { words: () => `offset ${offset}` });
  offset = 4096;
  vi.advanceTimersByTime(2000);
  expect(told.map(({ waiting }) => waiting)).toEqual(['offset 4096']);
});

test('for how long the process itself was stopped the kernel is not blamed', () => {
  const { told, stalls } = watched(10);
  const utilization = vi.spyOn(loop, 'eventLoopUtilization');
  utilization.mockReturnValue({ idle: 0, active: 0, utilization: 0 });
  never(stalls);
  vi.advanceTimersByTime(5000);
  // The clock goes on, and no timer fires.
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
  utilization.mockReturnValue({ idle: 65_000, active: 0, utilization: 0 });
  vi.advanceTimersByTime(4600);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(600);
  expect(told).toEqual([AFTER_TEN]);
});

test('of two that wait at once one is told of', () => {
  const { told, stalls } = watched(10);
  never(stalls);
  never(stalls, { words: () => 'a sync' });
  vi.advanceTimersByTime(60_000);
  expect(told).toEqual([AFTER_TEN]);
});

test('what has ended is not, and leaves no timer', async () => {
  const { told, stalls } = watched(10);
  expect(await stalls.over({ words: () => 'a read' }, Promise.resolve('done'))).toBe('done');
  await expect(stalls.over({ words: () => 'a read' }, Promise.reject(new Error('EIO')))).rejects.toThrow(
    'EIO',
  );
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(60_000);
  expect(told).toEqual([]);
});

test.each([10, 0])('what is to end and cannot is told of, be the timeout %d', (timeoutSeconds) => {
  const { told, abort, stalls } = watched(timeoutSeconds);
  never(stalls);
  vi.advanceTimersByTime(5000);
  abort.abort('SIGINT');
  vi.advanceTimersByTime(60_000);
  expect(told).toEqual([{ waiting: 'a read', seconds: 2, isAborted: true }]);
});

test('with a timeout of 0 nothing else is', () => {
  const { told, stalls } = watched(0);
  never(stalls);
  vi.advanceTimersByTime(3_600_000);
  expect(told).toEqual([]);
});
