import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StallDetector } from '../../src/run/kernel/stall-detector.js';
import { watchRemoval } from '../../src/run/removal.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const GIB = 1024 ** 3;

/** Starts a removal that lasts until the end of the test. Returns the stalls that it reports. */
async function startRemoval(scratch: { freeBytes: number; removedFiles: number }) {
  const stalled: string[] = [];
  const stallDetector = new StallDetector({
    timeoutSeconds: 10,
    signal: new AbortController().signal,
    onStall: ({ waitingFor }) => stalled.push(waitingFor),
  });
  const source = {
    availableBytes: async () => scratch.freeBytes,
    get removedFiles() {
      return scratch.removedFiles;
    },
  };
  const work = () => new Promise<void>(() => {});
  void watchRemoval(source, 'the removal', stallDetector, work);
  await vi.advanceTimersByTimeAsync(0);
  return stalled;
}

test('a large file whose space becomes free counts as progress', async () => {
  const scratch = { freeBytes: 0, removedFiles: 0 };
  const stalled = await startRemoval(scratch);
  for (let second = 0; second < 60; second++) {
    scratch.freeBytes += GIB;
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(stalled).toEqual([]);
});

test('removed small files count as progress', async () => {
  const scratch = { freeBytes: 0, removedFiles: 0 };
  const stalled = await startRemoval(scratch);
  for (let second = 0; second < 60; second++) {
    scratch.removedFiles += 50;
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(stalled).toEqual([]);
});

test('a removal without progress is reported as a stall', async () => {
  const stalled = await startRemoval({ freeBytes: 1, removedFiles: 0 });
  await vi.advanceTimersByTimeAsync(12_000);
  expect(stalled).toEqual(['the removal']);
});
