import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPoints } from '../../src/read/points-csv.js';
import { UNKNOWN_FACTS } from '../../src/sweep/quota.js';
import { analyzeSweep } from '../../src/sweep/sweep-result.js';
import { groupBy } from '../../src/text/group-by.js';
import { seededRandom } from '../support/data/seeded-random.js';
import { ROOT } from '../support/root.js';

/** Measurements of real disks and cloud volumes, which are not part of the project. */
const OUTSIDE = path.join(ROOT, '../shared/outside');
const NOISES = [0, 0.03];

function readRows(name: string): readonly Readonly<Record<string, string>>[] {
  const [head = '', ...lines] = readFileSync(path.join(OUTSIDE, name), 'utf8').trim().split('\n');
  const names = head.split(',');
  return lines.map((line) =>
    Object.fromEntries(line.split(',').map((cell, column) => [names[column] ?? '', cell])),
  );
}

/** Analyzes CSV with these points, each rate changed by up to `noise`. */
function analyze(points: readonly (readonly [depth: unknown, iops: unknown])[], noise: number) {
  const random = seededRandom(1);
  const factor = () => 1 + noise * (random.upTo(200) / 100 - 1);
  const lines = points.map(([depth, iops]) => `${depth},${Number(iops) * factor()}`);
  return analyzeSweep(readPoints(['depth,iops', ...lines].join('\n'), 'points.csv'), UNKNOWN_FACTS);
}

describe.skipIf(!existsSync(OUTSIDE))('of measurements by others', () => {
  const curves = () =>
    groupBy(readRows('curves.csv'), ({ dataset, pattern, numjobs }) => `${dataset},${pattern},${numjobs}`);

  test('at least 95 % of the knees are at the measured depth, or at its neighbour', () => {
    const curvesByName = new Map(
      curves().map((rows) => [`${rows[0].dataset},${rows[0].pattern},${rows[0].numjobs}`, rows]),
    );
    const knees = readRows('knees.csv');
    const near = knees.filter(({ dataset, pattern, knee_depth_5pct: expected }) => {
      const points = (curvesByName.get(`${dataset},${pattern},1`) ?? []).map(
        (row) => [row.iodepth, row.iops] as const,
      );
      const { knee, points: sorted } = analyze(points, 0);
      const at = (wanted: unknown) => sorted.findIndex(({ depth }) => depth === Number(wanted));
      return knee !== null && Math.abs(at(knee.depth) - at(expected)) <= 1;
    });
    expect(knees.length).toBeGreaterThan(0);
    expect(near.length / knees.length).toBeGreaterThanOrEqual(0.95);
  });

  test.each(NOISES)('no curve has a quota, with noise of %d', (noise) => {
    const named = curves().filter(
      (rows) =>
        analyze(
          rows.map(({ iodepth, iops }) => [iodepth, iops] as const),
          noise,
        ).quota !== null,
    );
    expect(named.map(([{ dataset, pattern, numjobs }]) => [dataset, pattern, numjobs])).toEqual([]);
  });

  test.each(NOISES)('every volume with two levels has a quota, with noise of %d', (noise) => {
    const volumes = readRows('quota-levels.csv').filter(({ note }) => note === 'two levels');
    const missed = volumes.filter(({ runs, levels = '', median }) => {
      const [high = 0, low = 0] = levels.split(' ').map(Number);
      const isMostlyHigh = Number(median) > (high + low) / 2;
      const highRuns = Math.round(Number(runs) * (isMostlyHigh ? 0.8 : 0.3));
      const rates = Array.from({ length: Number(runs) }, (_, run) => (run < highRuns ? high : low));
      // One measurement saw the fall.
      rates[highRuns] = (high + low) / 3;
      const repeated = analyze(
        rates.map((rate) => [4, rate] as const),
        noise,
      );
      const numbered = analyze(
        rates.map((rate, run) => [run + 1, rate] as const),
        noise,
      );
      return repeated.quota?.evidence !== 'level-fall' || numbered.quota?.evidence !== 'level-fall';
    });
    expect(volumes.length).toBeGreaterThan(0);
    expect(missed).toEqual([]);
  });
});
