import { expect, test } from 'vitest';
import { groupByHost, slowestHostPerSecond } from '../../src/report/host-summary.js';
import type { RankResult } from '../../src/report/schema/measurement-schema.js';
import { measurementWith, rankResultWith, reportWith, runWith } from '../support/data/fixtures.js';

const rankWith = (host: string, facts: Partial<RankResult> = {}) => rankResultWith({ host, ...facts });

const hostsOf = (...ranks: readonly RankResult[]) => {
  const measurements = [measurementWith({ ranks: [...ranks] })];
  return groupByHost(reportWith({ runs: [runWith({ measurements })] }))[0]?.rows;
};

test('a host has the bytes of its ranks from its first start to its last end, and their longest latencies', () => {
  const late = rankWith('a', { startOffsetSeconds: 1, seconds: 3, latencyNs: { p50: 4, p99: 1, max: 9 } });
  const latencyNs = { p50: 4, p99: 2, max: 9 };
  const host = { name: 'a', ranks: 2, timedPerSecond: 500, endSeconds: 4, cpuPercent: 5, latencyNs };
  expect(hostsOf(rankWith('a'), late)).toMatchObject([host]);
});

test('the slowest host comes first, and a host far from the others is an outlier', () => {
  const rates = [100, 101, 102, 103, 5];
  const rows = hostsOf(...rates.map((bytes, host) => rankWith(`host${host}`, { bytes })));
  expect(rows?.map(({ name }) => name)).toEqual([4, 0, 1, 2, 3].map((host) => `host${host}`));
  expect(rows?.map(({ isOutlier }) => isOutlier)).toEqual([true, false, false, false, false]);
});

test.each<[string, Partial<RankResult>, number | null, number | null]>([
  ['a cached rate is unknown', { deviceShare: 0.5 }, 0.75, null],
  ['an unknown share makes the rate unknown', { deviceShare: null }, null, null],
  ['a share of 1 makes the timed rate the rate of the disk', { deviceShare: 1 }, 1, 2000],
])('%s', (_, facts, deviceShare, perSecond) => {
  expect(hostsOf(rankWith('a'), rankWith('a', facts))).toMatchObject([{ deviceShare, perSecond }]);
});

test('without operations, the share is unknown', () => {
  expect(hostsOf(rankWith('a', { operations: 0 }))).toMatchObject([{ deviceShare: null }]);
});

test('the slowest rate is the rate of the slowest host, and unknown if that of any host is', () => {
  const ranks = [rankWith('a', { seconds: 2 }), rankWith('b', { seconds: 4 })];
  const target = { isMemory: false };
  expect(slowestHostPerSecond(measurementWith({ ranks }), target)).toBe(250);
  const unknown = [...ranks, rankWith('c', { deviceShare: null })];
  expect(slowestHostPerSecond(measurementWith({ ranks: unknown }), target)).toBeNull();
});
