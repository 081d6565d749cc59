import { expect, test } from 'vitest';
import { sweepText } from '../../src/format/human/commands/sweep-text.js';
import { PLAIN_SCREEN } from '../../src/format/human/screen.js';
import type { Warning } from '../../src/report/schema/report.js';
import { isPointNeeded, measuredPoints, quotaFactsOf } from '../../src/sweep/measured-points.js';
import { findQuota } from '../../src/sweep/quota.js';
import { analyzeSweep } from '../../src/sweep/sweep-result.js';
import { createReport, stepName } from './points.js';

const BUSY = ['t1', 't2'].map((step): Warning => ({ code: 'cpu-saturated', step, message: '', hint: '' }));

test('while other programs keep the CPUs busy, only a rate at the configured limit is not that of the CPU', () => {
  const { target } = createReport([]);
  const ioLimits = [{ direction: 'read', unit: 'operations', perSecond: 200, file: 'io.max' }] as const;
  const limited = createReport([120, 205], {
    target: { ...target, ioLimits: [...ioLimits] },
    warnings: BUSY,
  });
  expect(measuredPoints(limited).map(({ limitedBy }) => limitedBy)).toEqual(['cpu', null]);
  expect(findQuota(measuredPoints(limited), quotaFactsOf(limited))?.perSecond).toBe(200);
  const unlimited = createReport([120, 205], { warnings: BUSY });
  expect(measuredPoints(unlimited).map(({ limitedBy }) => limitedBy)).toEqual(['cpu', 'cpu']);
});

test.each([
  [0.2, false, 'served by a cache'],
  [null, null, 'device share unknown'],
])(
  'points with a device share of %s have no rate, no knee and no statement about a quota',
  (share, isServed, note) => {
    const report = createReport([100, 200]);
    const measurements = report.runs.flatMap((run) => run.measurements);
    for (const { device } of measurements) device.share = share;
    const points = measuredPoints(report);
    expect(points.map((point) => point.isServedByDevice)).toEqual([isServed, isServed]);
    const text = sweepText(
      analyzeSweep(points, quotaFactsOf(report)),
      'operationsPerSecond',
      null,
      PLAIN_SCREEN,
    );
    expect(text.split(note)).toHaveLength(3);
    expect(text).toMatch(
      /Knee: unknown, .*\.\nQuota: unknown, because no point has a rate of the device\.\n$/,
    );
  },
);

test.each([
  ['nothing is measured yet', [], 1, true],
  ['fewer than three points are measured', [100, 50], 4, true],
  ['the rate grows', [100, 200, 400], 8, true],
  ['the last two points show no growth', [100, 200, 201, 202], 16, false],
  ['a slow point is followed by growth', [100, 200, 150, 400], 16, true],
  ['a lower point was left out', [100, 200, 201, 202], 32, false],
])('in the first run, a point is measured until the rate stops growing: %s', (_, rates, depth, isNeeded) => {
  expect(isPointNeeded(stepName(depth), createReport(rates))).toBe(isNeeded);
});

test('later runs measure the points of the first run, even if the rate no longer grows', () => {
  const report = createReport([100, 200, 201, 202]);
  const [first] = report.runs;
  const runs = first ? [first, { ...first, measurements: [] }] : [];
  const measured = [1, 2, 4, 8, 16, 32].filter((depth) =>
    isPointNeeded(stepName(depth), { ...report, runs }),
  );
  expect(measured).toEqual([1, 2, 4, 8]);
});
