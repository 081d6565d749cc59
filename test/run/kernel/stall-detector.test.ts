import { performance as loop } from 'node:perf_hooks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Stall } from '../../../src/report/events/event-record.js';
import { StallDetector } from '../../../src/run/kernel/stall-detector.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function makeDetector(timeoutSeconds: number) {
  const reported: Stall[] = [];
  const abort = new AbortController();
  const stallDetector = new StallDetector(timeoutSeconds, abort.signal, (stall) => reported.push(stall));
  return { reported, abort, stallDetector };
}

function watchForever(stallDetector: StallDetector, progress?: () => number, work = 'a read'): void {
  void stallDetector.watch(() => work, new Promise(() => {}), progress);
}

const AFTER_TEN = { waitingFor: 'a read', seconds: 10, isAborted: false };

test('a stall is reported once, however long it lasts', () => {
  const { reported, stallDetector } = makeDetector(10);
  watchForever(stallDetector);
  vi.advanceTimersByTime(9900);
  expect(reported).toEqual([]);
  vi.advanceTimersByTime(3_600_000);
  expect(reported).toEqual([AFTER_TEN]);
});

test('a stall is reported only after progress stops', () => {
  const { reported, stallDetector } = makeDetector(10);
  let operations = 0;
  watchForever(stallDetector, () => operations);
  for (let second = 0; second < 100; second++) {
    operations += 1;
    vi.advanceTimersByTime(1000);
  }
  expect(reported).toEqual([]);
  vi.advanceTimersByTime(11_000);
  expect(reported).toEqual([AFTER_TEN]);
});

test('a second stall of the same work is reported again', () => {
  const { reported, stallDetector } = makeDetector(10);
  let operations = 0;
  watchForever(stallDetector, () => operations);
  vi.advanceTimersByTime(20_000);
  operations += 1;
  vi.advanceTimersByTime(20_000);
  expect(reported).toEqual([AFTER_TEN, AFTER_TEN]);
});

test('time during which the process was suspended does not count as a stall', () => {
  const { reported, stallDetector } = makeDetector(10);
  const utilization = vi.spyOn(loop, 'eventLoopUtilization');
  utilization.mockReturnValue({ idle: 0, active: 0, utilization: 0 });
  watchForever(stallDetector);
  vi.advanceTimersByTime(5000);
  // Advance the clock without firing a timer.
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
  utilization.mockReturnValue({ idle: 65_000, active: 0, utilization: 0 });
  vi.advanceTimersByTime(4600);
  expect(reported).toEqual([]);
  vi.advanceTimersByTime(600);
  expect(reported).toEqual([AFTER_TEN]);
});

test('only the first of two simultaneous stalls is reported', () => {
  const { reported, stallDetector } = makeDetector(10);
  watchForever(stallDetector);
  watchForever(stallDetector, undefined, 'a sync');
  vi.advanceTimersByTime(60_000);
  expect(reported).toEqual([AFTER_TEN]);
});

test('finished work is not reported and leaves no timer', async () => {
  const { reported, stallDetector } = makeDetector(10);
  expect(await stallDetector.watch('a read', Promise.resolve('done'))).toBe('done');
  await expect(stallDetector.watch('a read', Promise.reject(new Error('EIO')))).rejects.toThrow('EIO');
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(60_000);
  expect(reported).toEqual([]);
});

test.each([10, 0])(
  'after an abort a stall is reported after 2 s, even with a timeout of %d s',
  (timeoutSeconds) => {
    const { reported, abort, stallDetector } = makeDetector(timeoutSeconds);
    watchForever(stallDetector);
    vi.advanceTimersByTime(5000);
    abort.abort('SIGINT');
    vi.advanceTimersByTime(60_000);
    expect(reported).toEqual([{ waitingFor: 'a read', seconds: 2, isAborted: true }]);
  },
);

test('with a timeout of 0 no stall is reported before an abort', () => {
  const { reported, stallDetector } = makeDetector(0);
  watchForever(stallDetector);
  vi.advanceTimersByTime(3_600_000);
  expect(reported).toEqual([]);
});
