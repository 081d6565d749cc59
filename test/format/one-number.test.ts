import { expect, test } from 'vitest';
import { reportFormats } from '../../src/format/index.js';
import { formatAmount, type MetricUnit } from '../../src/report/amount.js';
import { toResults } from '../../src/report/report-to-results.js';
import { computeRunStatistics } from '../../src/report/statistics/step-statistics.js';
import { readCsvRows } from './data/read-csv.js';
import { wavyReport } from './page/wavy.js';

/** Five runs whose rates differ: every kind of mean has other digits. */
const draft = wavyReport(3, [1, 1.13, 0.87, 1.31, 0.94]);
const REPORT = { ...draft, statistics: computeRunStatistics(draft.runs) };
const RESULTS = [toResults(REPORT)];

const geometricMean = (values: readonly number[]) =>
  Math.exp(values.reduce((total, value) => total + Math.log(value), 0) / values.length);

/** What every format must show of each step: the mean rate and the mean p99. */
const EXPECTED = ['write', 'read', 'iops'].map((name) => {
  const measured = REPORT.runs.flatMap(({ measurements }) =>
    measurements.filter(({ step }) => step === name),
  );
  const unit: MetricUnit = name === 'iops' ? 'operationsPerSecond' : 'bytesPerSecond';
  const rate = geometricMean(measured.map((one) => one[unit]));
  const p99 = geometricMean(measured.map(({ latencyNs }) => latencyNs?.p99 ?? 0));
  return { name, unit, rate, rateText: formatAmount(rate, unit), p99Text: formatAmount(p99, 'nanoseconds') };
});

/** Undoes what HTML and Markdown escape, and removes tags and spaces. */
const plain = (text: string) =>
  text
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/\s+/g, '');

test.each([
  ['table', reportFormats.table.render?.(RESULTS) ?? ''],
  ['markdown', reportFormats.markdown.render(RESULTS)],
  ['junit', reportFormats.junit.render(RESULTS)],
  ['html', reportFormats.html.render?.(RESULTS) ?? ''],
  ['chart', reportFormats.chart.render(RESULTS)],
])('%s shows the mean rate and the mean p99 of each step', (_, rendered) => {
  const text = plain(rendered);
  for (const { rateText, p99Text } of EXPECTED) {
    expect(text).toContain(plain(rateText));
    expect(text).toContain(plain(p99Text));
  }
});

test.each([
  ['chart', reportFormats.chart.render(RESULTS)],
  ['svg', reportFormats.svg.render(RESULTS)],
])('%s shows the mean rate of each step', (_, rendered) => {
  const text = plain(rendered);
  for (const { rateText } of EXPECTED) expect(text).toContain(plain(rateText));
});

test('the formats for programs and the statistics of the report have the same means', () => {
  const rows = readCsvRows(reportFormats.csv.render(RESULTS));
  const prometheus = reportFormats.prometheus.render(RESULTS);
  const bencher = Object.values(JSON.parse(reportFormats.bencher.render(RESULTS)));
  for (const { name, unit, rate, rateText } of EXPECTED) {
    const column = unit === 'bytesPerSecond' ? 'rate_bytes_per_second' : 'rate_operations_per_second';
    const csvRates = rows.filter(({ step }) => step === name).map((row) => Number(row[column]));
    const [, sample] =
      new RegExp(`^gobonnie_${column}\\{[^}]*[^}]*step="${name}"[^}]*\\} (\\S+)`, 'm').exec(prometheus) ?? [];
    const reported = REPORT.statistics.find(({ step }) => step === name)?.mean;
    const means = [geometricMean(csvRates), Number(sample), reported ?? 0];
    expect(means.map((mean) => formatAmount(mean, unit))).toEqual(means.map(() => rateText));
    expect(JSON.stringify(bencher)).toContain(String(rate).slice(0, 9));
  }
});
