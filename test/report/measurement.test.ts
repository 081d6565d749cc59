import { expect, test } from 'vitest';
import { merge } from '../../src/report/measurement.js';
import type { Tally } from '../../workers/protocol.js';

const GATE_NS = 5_000_000_000_000_000n;
const WRITE = { name: 'write', title: 'Sequential Write', figure: 'bytes' } as const;

/** What a worker did that ended so long after the gate. */
function tally(bytes: number, operations: number, endNs: bigint): Tally {
  return { type: 'tally', bytes, operations, endNs: GATE_NS + endNs };
}

test('bytes and operations are summed, and the time is from the gate to the last finisher', () => {
  const tallies = [tally(3000, 3, 500_000_000n), tally(5000, 5, 2_000_000_000n), tally(0, 0, 100n)];
  expect(merge(WRITE, tallies, GATE_NS)).toEqual({
    phase: 'write',
    title: 'Sequential Write',
    figure: 'bytes',
    bytes: 8000,
    operations: 8,
    seconds: 2,
    bytesPerSecond: 4000,
    operationsPerSecond: 4,
  });
});

test('a late start of a thread is not taken off the time', () => {
  expect(merge(WRITE, [tally(1000, 1, 1_000_000_000n)], GATE_NS).seconds).toBe(1);
});

test('the order of the tallies does not matter', () => {
  const tallies = [tally(1, 1, 7n), tally(2, 2, 9n), tally(3, 3, 8n)];
  expect(merge(WRITE, tallies.toReversed(), GATE_NS)).toEqual(merge(WRITE, tallies, GATE_NS));
});

test('a nanosecond is told from the next on a clock of many days', () => {
  const seconds = [1_000_000_001n, 1_000_000_002n].map(
    (endNs) => merge(WRITE, [tally(1, 1, endNs)], GATE_NS).seconds,
  );
  expect(seconds).toEqual([1.000000001, 1.000000002]);
});

test('a clock that stood still gives a rate that JSON can hold', () => {
  const { seconds, bytesPerSecond } = merge(WRITE, [tally(1000, 1, 0n)], GATE_NS);
  expect(seconds).toBeGreaterThan(0);
  expect(Number.isFinite(bytesPerSecond)).toBe(true);
});

test('a phase in which nothing was done has rates of 0', () => {
  expect(merge(WRITE, [tally(0, 0, 1_000_000n)], GATE_NS)).toMatchObject({
    bytesPerSecond: 0,
    operationsPerSecond: 0,
  });
});
