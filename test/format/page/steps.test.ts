import { expect, test } from 'vitest';
import { htmlPage } from '../../../src/format/page/page.js';
import { toResults } from '../../../src/report/report-to-results.js';
import { findLoadCurves } from '../../../src/sweep/load-curves.js';
import { presetSteps, stepsReport } from '../../support/data/step-reports.js';
import { KNEE_THREADS, sweepReport } from './sweeps.js';

const THREADS = [1, 2, 4, 8, 16];
const SWEEP = sweepReport(THREADS);

/** Returns the charts of a page. */
function chartsOf(page: string): readonly string[] {
  return page.match(/<svg [\s\S]*?<\/svg>/g) ?? [];
}

test('each curve of a sweep has one mark per point for its rate and one for its p99, below the knee and the quota', () => {
  const page = htmlPage([toResults(SWEEP)]);
  const charts = chartsOf(page);
  expect(charts.map((chart) => chart.match(/<circle /g)?.length ?? 0)).toEqual([10, 10, 0]);
  expect(charts.map((chart) => chart.match(/<title [^>]*>(.*?)<\/title>/)?.[1])).toEqual([
    'Random, 70 % reads, 4 KiB',
    'Random, 70 % reads, 64 KiB',
    'Rate over time',
  ]);
  expect(
    page.match(/Knee: 4 threads \(\d+\/s ± \d %, p99 59\.9 µs\)[^<]* Quota: no sign of one\./g),
  ).toHaveLength(4);
});

test('the marks of a curve are equally far apart, and as high as their rates', () => {
  const [chart = ''] = chartsOf(htmlPage([toResults(SWEEP)]));
  const circles = [...chart.matchAll(/<circle cx="([\d.]+)" r="3.5" [^>]*cy="([\d.]+)"/g)].slice(
    0,
    THREADS.length,
  );
  const bottom = Number(/y1="([\d.]+)" x2="340"[^>]*class="axis"/.exec(chart)?.[1]);
  expect(circles.map(([, x]) => Number(x))).toEqual([64, 133, 202, 271, 340]);
  const heights = circles.map(([, , y]) => bottom - Number(y));
  for (const [at, threads] of THREADS.entries())
    expect((heights[at] ?? 0) / (heights[0] ?? 1)).toBeCloseTo(Math.min(KNEE_THREADS, threads), 1);
  expect(chart.match(/x1="202"[^>]*stroke-dasharray/g)).toHaveLength(2);
});

test('steps with fewer than three numbers of threads, or that a cache served, have no curve', () => {
  const cached = { device: { readBytes: 0, writtenBytes: 0, dirtyBytes: 0, share: 0.2, reason: null } };
  const runs = SWEEP.runs.map((run) => ({
    ...run,
    measurements: run.measurements.map((one) => ({ ...one, ...cached })),
  }));
  for (const report of [sweepReport([1, 8]), { ...SWEEP, runs }])
    expect(htmlPage([toResults(report)])).not.toContain('by threads');
});

test('steps of different phases, mixes and accesses are on different curves', () => {
  const steps = [{}, { mixPercent: 0 }, { direct: false }, { phase: 'read' as const }].flatMap((facts, at) =>
    [1, 2, 4].map((threads) => ({ step: { name: `${at}-${threads}`, threads, ...facts }, rates: [1e6] })),
  );
  const curves = findLoadCurves(stepsReport(steps));
  expect(curves.map(({ points }) => points.map(({ threads }) => threads))).toEqual(
    new Array(4).fill([1, 2, 4]),
  );
});

test('a page of steps has a table of all steps and one chart of their rates over time', () => {
  const steps = presetSteps('crystaldiskmark', 1.5e9);
  const page = htmlPage([toResults(stepsReport(steps))]);
  for (const { step } of steps)
    expect(page).toMatch(
      new RegExp(
        `>${step.name}</th><td>1500</td><td>\\d+</td><td></td><td>59.9 µs</td><td>59.9 µs</td><td>100.0 %</td>`,
      ),
    );
  expect(chartsOf(page)).toHaveLength(1);
  expect(chartsOf(page)[0]?.match(/<polyline /g)).toHaveLength(2 * steps.length);
});

test('the table of a page has the reads and the writes of a mixed step below the step', () => {
  const [table = ''] = htmlPage([toResults(SWEEP)]).match(/<table class="steps">.*?<\/table>/) ?? [];
  const rows = table
    .split('</tr>')
    .map((row) => [...row.matchAll(/<t[hd][^>]*?>(.*?)</g)].map(([, cell]) => cell));
  expect(
    rows.slice(1, 4).map(([name, rate, operations, , , , device]) => [name, rate, operations, device]),
  ).toEqual([
    ['rnd4k-t1.mix70', '4.0', '986.3', '100.0 %'],
    ['\u2003reads', '2.8', '690.4', ''],
    ['\u2003writes', '1.2', '295.9', ''],
  ]);
});
