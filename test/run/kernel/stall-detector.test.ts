import { performance as loop } from 'node:perf_hooks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Stall } from '../../../src/report/events/event.js';
import { StallDetector, type WatchedOperation } from '../../../src/run/kernel/stall-detector.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function watched(timeoutSeconds: number) {
  const reported: Stall[] = [];
  const abort = new AbortController();
  const stallDetector = new StallDetector({
    timeoutSeconds,
    signal: abort.signal,
    onStall: (stall) => reported.push(stall),
  });
  return { reported, abort, stallDetector };
}

function never(stallDetector: StallDetector, waiting: Partial<WatchedOperation> = {}): void {
  void stallDetector.watch({ description: () => 'a read', ...waiting }, new Promise(() => {}));
}

const AFTER_TEN = { waitingFor: 'a read', seconds: 10, isAborted: false };

test('work without progress is reported once, however long it waits', () => {
  const { reported, stallDetector } = watched(10);
  never(stallDetector);
  vi.advanceTimersByTime(9900);
  expect(reported).toEqual([]);
  vi.advanceTimersByTime(3_600_000);
  expect(reported).toEqual([AFTER_TEN]);
});

test('work is reported only when its progress stops', () => {
  const { reported, stallDetector } = watched(10);
  let operations = 0;
  never(stallDetector, { progress: () => operations });
  for (let second = 0; second < 100; second++) {
    operations += 1;
    vi.advanceTimersByTime(1000);
  }
  expect(reported).toEqual([]);
  vi.advanceTimersByTime(11_000);
  expect(reported).toEqual([AFTER_TEN]);
});

test('a second stall of the same work is reported again', () => {
  const { reported, stallDetector } = watched(10);
  let operations = 0;
  never(stallDetector, { progress: () => operations });
  vi.advanceTimersByTime(20_000);
  operations += 1;
  vi.advanceTimersByTime(20_000);
  expect(reported).toEqual([AFTER_TEN, AFTER_TEN]);
});

test('the message names what the work waits for when it is reported', () => {
  const { reported, stallDetector } = watched(1);
  let offset = 0;
  never(stallDetector, { description: () => `offset ${offset}` });
  offset = 4096;
  vi.advanceTimersByTime(2000);
  expect(reported.map(({ waitingFor }) => waitingFor)).toEqual(['offset 4096']);
});

test('time in which the process was suspended is no stall', () => {
  const { reported, stallDetector } = watched(10);
  const utilization = vi.spyOn(loop, 'eventLoopUtilization');
  utilization.mockReturnValue({ idle: 0, active: 0, utilization: 0 });
  never(stallDetector);
  vi.advanceTimersByTime(5000);
  // The clock advances, and no timer fires.
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
  utilization.mockReturnValue({ idle: 65_000, active: 0, utilization: 0 });
  vi.advanceTimersByTime(4600);
  expect(reported).toEqual([]);
  vi.advanceTimersByTime(600);
  expect(reported).toEqual([AFTER_TEN]);
});

test('of two stalls at the same time only the first is reported', () => {
  const { reported, stallDetector } = watched(10);
  never(stallDetector);
  never(stallDetector, { description: () => 'a sync' });
  vi.advanceTimersByTime(60_000);
  expect(reported).toEqual([AFTER_TEN]);
});

test('work that has ended is not reported, and leaves no timer', async () => {
  const { reported, stallDetector } = watched(10);
  expect(await stallDetector.watch('a read', Promise.resolve('done'))).toBe('done');
  await expect(stallDetector.watch('a read', Promise.reject(new Error('EIO')))).rejects.toThrow('EIO');
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(60_000);
  expect(reported).toEqual([]);
});

test.each([10, 0])(
  'after an abort a stall is reported after 2 s, with a timeout of %d s',
  (timeoutSeconds) => {
    const { reported, abort, stallDetector } = watched(timeoutSeconds);
    never(stallDetector);
    vi.advanceTimersByTime(5000);
    abort.abort('SIGINT');
    vi.advanceTimersByTime(60_000);
    expect(reported).toEqual([{ waitingFor: 'a read', seconds: 2, isAborted: true }]);
  },
);

test('with a timeout of 0 no stall is reported before an abort', () => {
  const { reported, stallDetector } = watched(0);
  never(stallDetector);
  vi.advanceTimersByTime(3_600_000);
  expect(reported).toEqual([]);
});
