import { expect, test } from 'vitest';
import { mergeRanks, type RankMeasurement } from '../../../src/report/measure/merge-ranks.js';
import { measurementSchema } from '../../../src/report/schema/measurement-schema.js';
import type { Measurement } from '../../../src/report/schema/report.js';
import { sum } from '../../../src/report/statistics/statistics.js';
import { measurementWith } from '../../support/data/fixtures.js';
import { seededRandom } from '../../support/data/seeded-random.js';

function rankWith(
  rank: number,
  facts: Partial<Measurement> = {},
  more: Partial<RankMeasurement> = {},
): RankMeasurement {
  const measurement = measurementWith(facts);
  return { rank, host: 'h1', startOffsetSeconds: 0, startOffsetErrorSeconds: 0, measurement, ...more };
}

/** Even progress until the end. */
function evenly(seconds: number, bytes: number): Partial<Measurement> {
  const times = [0.25, 0.5, 0.75, 1].map((share) => share * seconds);
  const series = { seconds: times, bytes: times.map((at) => (at / seconds) * bytes), operations: times };
  return { seconds, bytes, bytesPerSecond: bytes / seconds, series };
}

test('firstDone ends with the first rank, and counts the work of every rank until then', () => {
  const { firstDone } = mergeRanks([rankWith(0, evenly(2, 1000)), rankWith(1, evenly(4, 1000))]);
  expect(firstDone).toMatchObject({ seconds: 2, bytesPerSecond: 750 });
});

test("percentiles cover all operations together, not the mean of the ranks' percentiles", () => {
  const latencyWith = (from: number, count: number) => {
    const percentiles = { p50: from, p90: from, p95: from, p99: from, p999: from, p9999: from };
    const buckets = [{ from, below: from + 1024, count }];
    return { samples: count, min: from, mean: from, ...percentiles, max: from, buckets };
  };
  const { latencyNs } = mergeRanks([
    rankWith(0, { latencyNs: latencyWith(46_080, 95) }),
    rankWith(1, { latencyNs: latencyWith(1_015_808, 5) }),
  ]);
  expect(latencyNs?.samples).toBe(100);
  expect(latencyNs?.p90).toBeLessThan(50_000);
  expect(latencyNs?.p99).toBeGreaterThan(1_000_000);
  expect(latencyNs?.mean).toBeCloseTo(0.95 * 46_080 + 0.05 * 1_015_808, 3);
});

test("otherIo excludes the I/O of the job's own ranks on the same host", () => {
  const device = { readBytes: 0, writtenBytes: 100, dirtyBytes: 0, share: 1, reason: null };
  const withOtherIo = (writtenBytes: number) => ({ device, otherIo: { readBytes: 0, writtenBytes } });
  const together = mergeRanks([rankWith(0, withOtherIo(130)), rankWith(1, withOtherIo(125))]);
  expect(together.otherIo?.writtenBytes).toBe(30);
  const apart = [rankWith(0, withOtherIo(30)), rankWith(1, withOtherIo(5), { host: 'h2' })] as const;
  expect(mergeRanks(apart).otherIo?.writtenBytes).toBe(35);
});

test("the device's share covers the bytes of all ranks, and is unknown if any rank's share is unknown", () => {
  const share = (value: number | null) => ({
    ...measurementWith().device,
    share: value,
    reason: value === null ? 'FUSE' : null,
  });
  const merged = mergeRanks([
    rankWith(0, { bytes: 300, device: share(1) }),
    rankWith(1, { bytes: 100, device: share(0.2) }),
  ]);
  expect(merged.device.share).toBeCloseTo(0.8, 9);
  const { device } = mergeRanks([rankWith(0), rankWith(1, { device: share(null) })]);
  expect(device).toMatchObject({ share: null, reason: 'FUSE' });
});

test.each([1, 2, 3, 4])('a merged measurement sums its ranks and fits the schema: seed %i', (seed) => {
  const { between, upTo } = seededRandom(seed);
  const parts = Array.from({ length: 1 + upTo(20) }, (_, rank) =>
    rankWith(rank, evenly(between(0.01, 100), Math.round(between(1, 1e12))), {
      host: `h${upTo(3)}`,
      startOffsetSeconds: between(0.001, 1),
    }),
  );
  const [first, ...others] = parts;
  const merged = mergeRanks([first ?? rankWith(0), ...others]);
  for (const name of ['bytes', 'readBytes', 'writtenBytes', 'operations', 'threads'] as const)
    expect(merged[name], name).toBe(sum(parts.map(({ measurement }) => measurement[name])));
  expect(merged.series.bytes.at(-1)).toBeCloseTo(merged.bytes, 0);
  expect(merged.series.bytes).toEqual(merged.series.bytes.toSorted((one, other) => one - other));
  expect(merged.firstDone?.seconds).toBeLessThanOrEqual(merged.seconds);
  expect(merged.ranks?.map(({ rank }) => rank)).toEqual(parts.map(({ rank }) => rank));
  expect(measurementSchema.safeParse(merged).error).toBeUndefined();
});
