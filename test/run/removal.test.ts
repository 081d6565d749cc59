import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RemainingFiles } from '../../src/report/events/event.js';
import { StallDetector } from '../../src/run/kernel/stall-detector.js';
import { watchRemoval } from '../../src/run/removal.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const GIB = 1024 ** 3;

/** Starts a removal of 100 GiB of data and 5000 small files that lasts until the end of the test. */
async function startRemoval(scratch: { freeBytes: number; dataBytes: number; removedFiles: number }) {
  const stalled: string[] = [];
  const reported: RemainingFiles[] = [];
  const stallDetector = new StallDetector({
    timeoutSeconds: 10,
    signal: new AbortController().signal,
    onStall: ({ waitingFor }) => stalled.push(waitingFor),
  });
  const source = {
    availableBytes: async () => scratch.freeBytes,
    dataBytes: async () => scratch.dataBytes,
    get removedFiles() {
      return scratch.removedFiles;
    },
    get remainingSmallFiles() {
      return 5000 - scratch.removedFiles;
    },
  };
  const work = () => new Promise<void>(() => {});
  void watchRemoval(source, 'the removal', stallDetector, work, (left) => reported.push(left));
  await vi.advanceTimersByTimeAsync(0);
  return { stalled, reported };
}

test('a large file whose space becomes free counts as progress, and the remaining bytes are reported', async () => {
  const scratch = { freeBytes: 0, dataBytes: 100 * GIB, removedFiles: 0 };
  const { stalled, reported } = await startRemoval(scratch);
  // The file's name disappears first.
  scratch.dataBytes = 0;
  for (let second = 0; second < 60; second++) {
    scratch.freeBytes += GIB;
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(stalled).toEqual([]);
  expect(reported.at(-1)?.bytes).toBeGreaterThanOrEqual(40 * GIB);
  expect(reported.at(-1)?.bytes).toBeLessThan(43 * GIB);
});

test('removed small files count as progress, and the remaining number is reported', async () => {
  const scratch = { freeBytes: 0, dataBytes: 0, removedFiles: 0 };
  const { stalled, reported } = await startRemoval(scratch);
  for (let second = 0; second < 60; second++) {
    scratch.removedFiles += 50;
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(stalled).toEqual([]);
  expect(reported.at(-1)).toEqual({ bytes: 0, files: expect.closeTo(2000, -2) });
});

test('other programs’ writes push the reported bytes neither below the remaining files nor above the total', async () => {
  const scratch = { freeBytes: 10 * GIB, dataBytes: 100 * GIB, removedFiles: 0 };
  const { reported } = await startRemoval(scratch);
  scratch.freeBytes = 500 * GIB;
  scratch.dataBytes = 30 * GIB;
  await vi.advanceTimersByTimeAsync(1200);
  scratch.freeBytes = 0;
  await vi.advanceTimersByTimeAsync(1200);
  expect(reported.map(({ bytes }) => bytes)).toEqual([30 * GIB, 100 * GIB]);
});

test('an error of a listener rejects only after the removal is complete', async () => {
  const stallDetector = new StallDetector({
    timeoutSeconds: 0,
    signal: new AbortController().signal,
    onStall: () => {},
  });
  const source = {
    availableBytes: async () => 0,
    dataBytes: async () => 1,
    removedFiles: 0,
    remainingSmallFiles: 0,
  };
  let end = () => {};
  let reported = 0;
  const work = () =>
    new Promise<void>((resolve) => {
      end = resolve;
    });
  const removal = watchRemoval(source, 'the removal', stallDetector, work, () => {
    reported += 1;
    throw new Error('of the listener');
  });
  await vi.advanceTimersByTimeAsync(5000);
  end();
  await expect(removal).rejects.toThrow('of the listener');
  expect(reported).toBe(1);
});

test('a removal without progress is reported as a stall', async () => {
  const { stalled } = await startRemoval({ freeBytes: 1, dataBytes: GIB, removedFiles: 0 });
  await vi.advanceTimersByTimeAsync(12_000);
  expect(stalled).toEqual(['the removal']);
});
