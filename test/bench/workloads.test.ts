import { expect, test } from 'vitest';
import { median } from '../../bench/bench-row.js';
import { type Cell, computeAgreement, fitLine, forecastEach } from '../../bench/workloads/agreement.js';
import { compareStep, type FilesystemRounds } from '../../bench/workloads/comparison.js';
import { formatValidation } from '../../bench/workloads/format-validation.js';

function cell(filesystem: string, real: number, model: number): Cell {
  return { filesystem, isNative: filesystem !== 'bindfs', real, model };
}

test('computeAgreement returns the geometric mean of the ratios, and the largest factor to it', () => {
  const { mean, min, max, worstError } = computeAgreement([cell('ext4', 1, 2), cell('xfs', 4, 2)]);
  expect([min, mean, max]).toEqual([0.5, expect.closeTo(1), 2]);
  expect(worstError).toBeCloseTo(2);
});

const line = [cell('tmpfs', 12, 1), cell('ext4', 14, 2), cell('bindfs', 20, 5)];

test('fitLine and forecastEach recover a constant and a slope', () => {
  expect(fitLine(line)).toEqual({ constant: expect.closeTo(10), slope: expect.closeTo(2) });
  expect(forecastEach(line).map(({ forecast }) => forecast)).toEqual(
    [12, 14, 20].map((s) => expect.closeTo(s)),
  );
});

test('forecastEach forecasts a filesystem without its own measurement', () => {
  const [first] = forecastEach([cell('tmpfs', 100, 1), ...line.slice(1)]);
  expect(first).toEqual({ filesystem: 'tmpfs', real: 100, forecast: expect.closeTo(12) });
});

function rounds(filesystem: string, real: readonly number[], model: number): FilesystemRounds {
  const toSteps = (seconds: number) => ({ 'commit-wal': seconds, install: seconds });
  return { ...cell(filesystem, 0, 0), real: real.map(toSteps), model: [toSteps(model)] };
}

test('compareStep compares medians', () => {
  expect(compareStep([rounds('xfs', [1, 9, 2], 4)], 'install', median)).toEqual([cell('xfs', 2, 4)]);
});

test('the goal of a commit applies only to native filesystems', () => {
  const text = formatValidation(
    [rounds('ext4', [1], 1), rounds('xfs', [1.2], 1), rounds('bindfs', [9], 1)],
    median,
  );
  expect(text).toMatch(/^\| commit-wal \| SQLite.* 1\.25 on ext4, xfs \| yes: 1\.1 \|$/m);
});
