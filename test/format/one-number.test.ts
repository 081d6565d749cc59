import { expect, test } from 'vitest';
import { evaluateExpectation, parseExpectation } from '../../src/checks/expectation.js';
import { logLines } from '../../src/cli/output/log-format.js';
import { compareSides } from '../../src/compare/comparison.js';
import { toComparisonSide } from '../../src/compare/side.js';
import { marginText } from '../../src/format/human/step-table.js';
import { type FormatName, renderReport, reportFormats } from '../../src/format/index.js';
import { listSteps } from '../../src/options/measured-steps.js';
import { formatAmount, unitDefinitions } from '../../src/report/amount.js';
import { groupByHost } from '../../src/report/host-summary.js';
import { type MetricSummary, metricName, summarizeMetrics } from '../../src/report/metrics.js';
import { primaryRateUnit } from '../../src/report/rate.js';
import { groupByStep, toResults } from '../../src/report/results.js';
import type { Report } from '../../src/report/schema/report.js';
import { measuredPoints } from '../../src/sweep/measured-points.js';
import { formatSeconds } from '../../src/text/units.js';
import { presetSteps, stepsReport } from '../support/data/step-reports.js';
import { jobReport } from './page/wavy.js';
import { COMPLETED, varyRuns } from './reports.js';

const PHASES: Report = {
  ...varyRuns(COMPLETED, 5),
  memoryCeiling: [
    { step: 'read', perSecond: 8.2e9 },
    { step: 'iops', perSecond: 814_183 },
  ],
};
const STEPS = varyRuns(stepsReport(presetSteps('crystaldiskmark', 2 ** 30)), 4);

const summaries = (report: Report) => groupByStep(toResults(report).runs).flatMap(summarizeMetrics);

/** Removes tags, spaces and the escapes of Markdown, which differ between outputs. */
const plain = (text: string) =>
  text
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/\s/g, '');

const inUnit = ({ value, unit }: MetricSummary) => formatAmount(value, unit);
const withoutUnit = (summary: MetricSummary) => inUnit(summary).replace(/ ?[A-Za-z]*\/s$/, '');
const inBaseUnit = ({ value, unit }: MetricSummary) => String(value / unitDefinitions[unit].base.divisor);
const exact = ({ value }: MetricSummary) => String(value);
const inChartUnit = ({ value, unit }: MetricSummary) =>
  `"value":${Number((value / unitDefinitions[unit].chart.divisor).toPrecision(6))}`;
const interval = ({ spread: { confidence95 }, unit }: MetricSummary) =>
  `${formatAmount(confidence95?.low ?? 0, unit)} to ${formatAmount(confidence95?.high ?? 0, unit)}`;
const margin = ({ value, spread }: MetricSummary) => marginText({ mean: value, ...spread });
const range = ({ spread: { min, max }, unit }: MetricSummary) =>
  `${formatAmount(min, unit)} to ${formatAmount(max, unit)}`;

const BRIEF = ['', 'p50', 'p99', 'max', 'share', 'ceiling'];

/** Each output, the metrics that it shows, and how. */
test.each<[FormatName, Report, readonly string[], (summary: MetricSummary) => string]>([
  ['table', PHASES, ['', 'p99'], inUnit],
  ['table', PHASES, [''], margin],
  ['table', PHASES, [''], range],
  ['table', STEPS, ['throughput', 'ops'], withoutUnit],
  ['table', STEPS, ['p50', 'p99', 'share'], inUnit],
  ['markdown', PHASES, [...BRIEF, 'cpu'], inUnit],
  ['markdown', PHASES, [''], interval],
  ['html', PHASES, BRIEF, inUnit],
  ['html', PHASES, [''], margin],
  ['html', STEPS, ['', 'p50', 'p99', 'max', 'share'], inUnit],
  ['svg', PHASES, ['', 'p50', 'p99', 'share'], inUnit],
  ['svg', PHASES, [''], margin],
  ['chart', PHASES, ['timed', 'p50', 'p99'], inUnit],
  ['junit', PHASES, [...BRIEF, 'cpu'], inUnit],
  [
    'prometheus',
    PHASES,
    ['', 'timed', 'p50', 'p99', 'mean', 'share', 'ceiling', 'cpu', 'seconds'],
    inBaseUnit,
  ],
  ['bencher', PHASES, ['', 'p50', 'p99', 'mean', 'max'], exact],
  ['github-throughput', PHASES, [''], inChartUnit],
  ['github-latency', PHASES, ['p50', 'p99', 'max'], inChartUnit],
])('%s shows the same means and intervals as every other output: %#', (name, report, metrics, show) => {
  const text = plain(renderReport(reportFormats[name], report));
  const shown = summaries(report).filter(({ metric }) => metrics.includes(metric.name));
  expect(new Set(shown.map(({ metric }) => metric.name))).toEqual(new Set(metrics));
  for (const summary of shown)
    expect(text, metricName(summary.step, summary.metric)).toContain(plain(show(summary)));
});

test('conditions, comparisons, the statistics and the points of a sweep have the same means', () => {
  const all = summaries(PHASES);
  const { changes } = compareSides(
    toComparisonSide('a', [toResults(PHASES)]),
    toComparisonSide('b', [toResults(PHASES)]),
  );
  expect(changes.length).toBeGreaterThan(0);
  for (const { name, before } of changes)
    expect(all.find((one) => metricName(one.step, one.metric) === name)?.value).toBe(before.mean);
  for (const statistics of PHASES.statistics) {
    const timed = all.find((one) => one.step === statistics.step && one.metric.name === 'timed');
    expect(statistics).toMatchObject({ mean: timed?.value, ...timed?.spread });
  }
  for (const condition of ['write>=1MB/s', 'iops>=1', 'read.p99<=1s', 'read.cpu>=1%']) {
    const expectation = parseExpectation(condition, listSteps(PHASES.options));
    const mean = all.find(({ step, metric }) => step === expectation.step && metric === expectation.metric);
    expect(evaluateExpectation(expectation, PHASES).actual).toBe(mean?.value);
  }
  const rates = summaries(STEPS).filter(({ metric }) => metric.name === 'ops');
  expect(measuredPoints(STEPS).map((point) => point.operationsPerSecond)).toEqual(
    rates.map(({ value }) => value),
  );
});

test('the log with -v has the same ceilings', () => {
  const text = logLines({ type: 'end', report: PHASES }, true).join();
  const ceilings = summaries(PHASES).filter(({ metric }) => metric.name === 'ceiling');
  expect(ceilings).toHaveLength(2);
  for (const one of ceilings) expect(text).toContain(`${one.step} ${inUnit(one)} (the result is`);
});

test.each(['table', 'html'] as const)('%s shows the same rate and p99 of each host', (name) => {
  const report = jobReport();
  const text = plain(renderReport(reportFormats[name], report));
  for (const { primaryRate, rows } of groupByHost(report))
    for (const { timedPerSecond, latencyNs } of rows) {
      expect(text).toContain(plain(formatAmount(timedPerSecond, primaryRateUnit({ primaryRate }))));
      expect(text).toContain(plain(formatAmount(latencyNs?.p99 ?? 0, 'nanoseconds')));
    }
});

test("the table of a job has each step's rate until its first and its last rank is done", () => {
  const report = jobReport();
  const text = renderReport(reportFormats.table, report);
  for (const one of report.runs.flatMap(({ measurements }) => measurements)) {
    const { firstDone, seconds } = one;
    if (!firstDone) throw new Error('a job measures the work until its first rank is done');
    const unit = primaryRateUnit(one);
    expect(text).toContain(
      `${formatAmount(firstDone[unit], unit)} first done (${formatSeconds(firstDone.seconds)})`,
    );
    expect(text).toContain(`${formatAmount(one[unit], unit)} last done (${formatSeconds(seconds)})`);
  }
});
