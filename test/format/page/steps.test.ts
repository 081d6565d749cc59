import { expect, test } from 'vitest';
import { htmlPage } from '../../../src/format/page/page.js';
import { toResults } from '../../../src/report/results.js';
import { findLoadCurves } from '../../../src/sweep/measured-points.js';
import { presetSteps, stepsReport } from '../../support/data/step-reports.js';
import { pages } from './pages.js';
import { KNEE_THREADS, sweepReport } from './sweeps.js';

const THREADS = [1, 2, 4, 8, 16];
const SWEEP = sweepReport(THREADS);

/** Returns the charts of a page. */
function chartsOf(page: string): readonly string[] {
  return page.match(/<figure>.*?<\/figure>/g) ?? [];
}

test('each curve of a sweep has a chart of its rate and a chart of its p99, above the knee and the quota', () => {
  const page = htmlPage([toResults(SWEEP)]);
  const charts = chartsOf(page);
  expect(charts.map((chart) => chart.match(/<circle /g)?.length)).toEqual([5, 5, 5, 5]);
  expect(charts.map((chart) => chart.match(/aria-label="(.*?)"/)?.[1])).toEqual(
    ['4 KiB', '64 KiB'].flatMap((size) =>
      ['ops/s', 'p99'].map((quantity) => `Random, 70 % reads, ${size}: ${quantity} by depth`),
    ),
  );
  expect(
    page.match(/Knee: depth 4 \(\d+\/s ± \d %, p99 59\.9 µs\)[^<]* Quota: no sign of one\. A limit/g),
  ).toHaveLength(2);
});

test('the marks of a curve are equally far apart, as high as their rates, and the knee is marked', () => {
  const [chart = ''] = chartsOf(htmlPage([toResults(SWEEP)]));
  const circles = [...chart.matchAll(/<circle cx="([\d.]+)%" cy="([\d.]+)"/g)];
  expect(circles.map(([, x]) => Number(x))).toEqual([0, 25, 50, 75, 100]);
  const bottom = 18 + 160;
  const heights = circles.map(([, , y]) => bottom - Number(y));
  for (const [at, threads] of THREADS.entries())
    expect((heights[at] ?? 0) / (heights[0] ?? 1)).toBeCloseTo(Math.min(KNEE_THREADS, threads), 1);
  expect(chart).toMatch(/<line x1="50%" x2="50%"[^>]*stroke-dasharray/);
});

test('steps with fewer than three depths, or that a cache served, have no curve', () => {
  const cached = { device: { readBytes: 0, writtenBytes: 0, dirtyBytes: 0, share: 0.2, reason: null } };
  const runs = SWEEP.runs.map((run) => ({
    ...run,
    measurements: run.measurements.map((one) => ({ ...one, ...cached })),
  }));
  for (const report of [sweepReport([1, 8]), { ...SWEEP, runs }])
    expect(htmlPage([toResults(report)])).not.toContain('by depth');
});

test('steps beside others have a table coloured by the growth of p99, and a chart of each', () => {
  const page = pages['commits under load'] ?? '';
  expect(page).toMatch(/<h1>99 % of the commits take at most .* while a file is written/);
  const opacities = [...page.matchAll(/<rect [^>]*fill-opacity="([\d.]+)"/g)].map(([, opacity]) =>
    Number(opacity),
  );
  expect(opacities).toEqual([0, 0.32, 0, 0.59]);
  const charts = chartsOf(page).slice(0, 2);
  expect(charts.map((chart) => chart.match(/aria-label="(.*?)"/)?.[1])).toEqual([
    'commit: p99 over time, alone and beside others',
    'open: p99 over time, alone and beside others',
  ]);
  for (const chart of charts) expect(chart.match(/<polyline /g)).toHaveLength(2);
});

test('steps of different phases, mixes and accesses are on different curves', () => {
  const steps = [{}, { mixPercent: 0 }, { direct: false }, { phase: 'read' as const }].flatMap((facts, at) =>
    [1, 2, 4].map((threads) => ({ step: { name: `${at}-${threads}`, threads, ...facts }, rates: [1e6] })),
  );
  const curves = findLoadCurves(stepsReport(steps));
  expect(curves.map(({ points }) => points.map(({ depth }) => depth))).toEqual(new Array(4).fill([1, 2, 4]));
});

test('a page of up to eight steps has a card and a chart of each step', () => {
  const steps = presetSteps('crystaldiskmark', 1.5e9);
  const page = htmlPage([toResults(stepsReport(steps))]);
  for (const { step } of steps) {
    expect(page).toContain(`<h2>${step.name}</h2>`);
    expect(page).toContain(`aria-label="${step.name}: rate over time"`);
  }
  expect(page).toContain('Sequential read, 1 MiB, 1 thread, 8 in flight');
});

test('a page of more steps has a table of all steps, each with its curve', () => {
  const steps = Array.from({ length: 9 }, (_, at) => ({
    step: { name: `s${at}`, ioBytes: 4096 * (at + 1) },
    rates: [1e9],
  }));
  const page = htmlPage([toResults(stepsReport(steps))]);
  expect(page.match(/<tr><th scope="row">s\d<\/th><td><svg class="spark"/g)).toHaveLength(9);
  expect(page).not.toContain('class="card"');
});

test('the table of a page has the reads and the writes of a mixed step below the step', () => {
  const [table = ''] = htmlPage([toResults(SWEEP)]).match(/<table>.*?<\/table>/) ?? [];
  const rows = table
    .split('</tr>')
    .map((row) => [...row.matchAll(/<t[hd][^>]*?>(.*?)</g)].map(([, cell]) => cell));
  expect(
    rows.slice(1, 4).map(([name, , rate, operations, , , , device]) => [name, rate, operations, device]),
  ).toEqual([
    ['rnd4k-t1.mix70', '4.04', '986.3', '100.0 %'],
    ['\u2003reads', '2.828', '690.4', ''],
    ['\u2003writes', '1.212', '295.9', ''],
  ]);
});
