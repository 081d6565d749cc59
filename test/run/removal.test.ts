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

/** A removal that lasts until the end of the test, of 100 GiB of data and 5000 small files. */
async function removing(scratch: { freeBytes: number; dataBytes: number; removedFiles: number }) {
  const stalled: string[] = [];
  const told: RemainingFiles[] = [];
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
  void watchRemoval(source, 'the removal', stallDetector, work, (left) => told.push(left));
  await vi.advanceTimersByTimeAsync(0);
  return { stalled, told };
}

test('a large file whose space becomes free is progress, with what is left', async () => {
  const scratch = { freeBytes: 0, dataBytes: 100 * GIB, removedFiles: 0 };
  const { stalled, told } = await removing(scratch);
  // Its name goes first.
  scratch.dataBytes = 0;
  for (let second = 0; second < 60; second++) {
    scratch.freeBytes += GIB;
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(stalled).toEqual([]);
  expect(told.at(-1)?.bytes).toBeGreaterThanOrEqual(40 * GIB);
  expect(told.at(-1)?.bytes).toBeLessThan(43 * GIB);
});

test('many small files that go are progress, with how many are left', async () => {
  const scratch = { freeBytes: 0, dataBytes: 0, removedFiles: 0 };
  const { stalled, told } = await removing(scratch);
  for (let second = 0; second < 60; second++) {
    scratch.removedFiles += 50;
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(stalled).toEqual([]);
  expect(told.at(-1)).toEqual({ bytes: 0, files: expect.closeTo(2000, -2) });
});

test('what other programs write and free does not make less left than the files still there, nor more than there was', async () => {
  const scratch = { freeBytes: 10 * GIB, dataBytes: 100 * GIB, removedFiles: 0 };
  const { told } = await removing(scratch);
  scratch.freeBytes = 500 * GIB;
  scratch.dataBytes = 30 * GIB;
  await vi.advanceTimersByTimeAsync(1200);
  scratch.freeBytes = 0;
  await vi.advanceTimersByTimeAsync(1200);
  expect(told.map(({ bytes }) => bytes)).toEqual([30 * GIB, 100 * GIB]);
});

test('what a listener throws ends nothing before the removal is done', async () => {
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
  let told = 0;
  const work = () =>
    new Promise<void>((resolve) => {
      end = resolve;
    });
  const removal = watchRemoval(source, 'the removal', stallDetector, work, () => {
    told += 1;
    throw new Error('of the listener');
  });
  await vi.advanceTimersByTimeAsync(5000);
  end();
  await expect(removal).rejects.toThrow('of the listener');
  expect(told).toBe(1);
});

test('a removal in which nothing moves is a stall', async () => {
  const { stalled } = await removing({ freeBytes: 1, dataBytes: GIB, removedFiles: 0 });
  await vi.advanceTimersByTimeAsync(12_000);
  expect(stalled).toEqual(['the removal']);
});
