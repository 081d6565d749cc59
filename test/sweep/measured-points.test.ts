import { expect, test } from 'vitest';
import type { Warning } from '../../src/report/schema/report.js';
import { measuredPoints, quotaFactsOf } from '../../src/sweep/measured-points.js';
import { findQuota } from '../../src/sweep/quota.js';
import { createReport } from './points.js';

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
