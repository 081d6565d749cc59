import { expect, test } from 'vitest';
import { findLevelFall, findQuota, type QuotaFacts, UNKNOWN_FACTS } from '../../src/sweep/quota.js';
import { MIB } from '../../src/text/units.js';
import { createCurve, createPoint } from './points.js';

const FLAT = createCurve([1500, 2900, 3010, 3011, 3012]);
const EBS: QuotaFacts = { ...UNKNOWN_FACTS, model: 'Amazon Elastic Block Store', sizeBytes: 2 ** 36 };
const limit = (perSecond: number, direction: 'read' | 'write' = 'read'): QuotaFacts => ({
  ...UNKNOWN_FACTS,
  ioLimits: [{ direction, unit: 'operations', perSecond, file: '/sys/fs/cgroup/job/io.max' }],
});

test.each([
  ['the limit is reached', limit(3000), 3000],
  ['the limit is far higher', limit(5000), null],
  ['the limit is lower than the rate', limit(2000), null],
  ['it limits writes, and all operations read', limit(3000, 'write'), null],
  ['the limit grants a tenth of a second at once', { ...limit(2500), minSeconds: 0.5 }, 2500],
  ['it limits the tenth that writes', { ...limit(300, 'write'), readShare: 0.9 }, 300],
] as const)(
  'for a control group, the configured limit is named only if the rate is there: %s',
  (_, facts, perSecond) => {
    const expected = perSecond && { evidence: 'cgroup', source: '/sys/fs/cgroup/job/io.max', perSecond };
    expect(findQuota(FLAT, facts)).toEqual(expected && expect.objectContaining(expected));
  },
);

test('no quota is named if the CPU limits the rate or a cache served it', () => {
  expect(findQuota(createCurve([3000, 3000], { limitedBy: 'cpu' }), limit(3000))).toBeNull();
  expect(findQuota(createCurve([3000, 3000], { isServedByDevice: false }), limit(3000))).toBeNull();
});

test.each([
  ['a volume at its limit', FLAT, EBS, 'AWS gp3, or gp2 in a burst'],
  ['a gp2 volume after its burst', createCurve([190, 192, 191]), EBS, 'AWS gp2'],
  ['a rate that still grows', createCurve([700, 1500, 3000]), EBS, null],
  ['another device', FLAT, { ...EBS, model: 'Samsung SSD 980' }, null],
  ['a VMware disk', createCurve([240, 240]), { ...EBS, model: 'Virtual disk' }, null],
  ['an Azure disk', createCurve([240, 240]), { ...EBS, model: 'Virtual Disk' }, 'Azure P6'],
  ['a Google disk', createCurve([380, 384]), { ...EBS, model: 'PersistentDisk' }, 'Google pd-balanced'],
  ['writes to it', createCurve([380, 384]), { ...EBS, model: 'PersistentDisk', readShare: 0 }, null],
] as const)(
  'a published limit is named with the model and size of the volume: %s',
  (_, points, facts, source) => {
    const quota = findQuota(points, facts);
    expect(quota && [quota.evidence, quota.source]).toEqual(source && ['cloud-volume', source]);
  },
);

/** Repeats a rate, each time a little different. */
const level = (rate: number, count: number) =>
  Array.from({ length: count }, (_, at) => rate * (1 + ((at * 7) % 5) / 200));

test.each([
  ['spent credits', [...level(3600, 33), ...level(108, 7)], '3636 109'],
  ['a measurement during the fall', [...level(136, 5), 40, ...level(13, 4)], '137 13'],
  ['credits that return', [...level(96, 4), 6, 6, 26, ...level(95, 3), 10, ...level(6, 20)], '96 6'],
  ['a lasting fall by a third', [...level(2900, 20), ...level(1800, 20)], '2929 1818'],
  ['a brief fall by a third', [...level(2900, 3), ...level(1800, 4)], undefined],
  ['a rise', [...level(108, 10), ...level(3600, 10)], undefined],
  ['alternation', Array.from({ length: 20 }, (_, at) => (at % 2 ? 100 : 3600)), undefined],
  ['a steady decline', Array.from({ length: 20 }, (_, at) => 2000 - at * 90), undefined],
  ['a single slow measurement', [...level(3600, 20), 100], undefined],
])('in repeated measurements, only a fall between flat levels is found: %s', (_, rates, levels) => {
  const fall = findLevelFall(rates.map((rate) => ({ depth: 8, operationsPerSecond: rate })));
  expect(fall?.beforePerSecond.toFixed(0).concat(' ', fall.afterPerSecond.toFixed(0))).toBe(levels);
});

test('with several depths, a fall is found in order of time, and loads too small for the burst are ignored', () => {
  const times = [9, 0, 1, 2, 6, 7, 8];
  const rates = [500, 3000, 3005, 3002, 100, 100, 101];
  const points = rates.map((rate, at) =>
    createPoint(2 ** at, rate, { samples: [{ atSeconds: times[at] ?? 0, operationsPerSecond: rate }] }),
  );
  expect(findQuota(points, UNKNOWN_FACTS)).toMatchObject({
    evidence: 'level-fall',
    burstPerSecond: 3002,
    limits: null,
  });
  expect(findQuota(createCurve([51_000, 51_500, 51_700, 35_400, 35_500, 35_300]), UNKNOWN_FACTS)).toBeNull();
});

test.each([
  ['operations', 1, 1],
  ['bytes', 16, 4096],
] as const)('two I/O sizes show that %s are limited', (limits, divisor, unitBytes) => {
  const burst = (ioSizeBytes: number, scale: number) =>
    [...level(3600, 5), ...level(100, 5)].map((rate, at) =>
      createPoint(at + 1, rate / scale, {
        ioSizeBytes,
        bytesPerSecond: (rate / scale) * ioSizeBytes,
        samples: [{ atSeconds: at, operationsPerSecond: rate / scale }],
      }),
    );
  const quota = findQuota([...burst(4096, 1), ...burst(65_536, divisor)], UNKNOWN_FACTS);
  expect(quota).toMatchObject({ evidence: 'level-fall', unit: limits, limits });
  expect(quota?.perSecond).toBeCloseTo(101 * unitBytes, 0);
});

test('a bandwidth limit of a control group is compared with the bytes', () => {
  const points = createCurve([100, 101], { bytesPerSecond: 10.2 * MIB });
  const ioLimits = [{ direction: 'read', unit: 'bytes', perSecond: 10 * MIB, file: 'io.max' }] as const;
  expect(findQuota(points, { ...UNKNOWN_FACTS, ioLimits })).toMatchObject({
    limits: 'bytes',
    perSecond: 10 * MIB,
  });
});
