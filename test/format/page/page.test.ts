import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { pickBenchmarkOptions } from '../../../src/cli/argv/option-rows.js';
import { gobonniego } from '../../../src/cli/compat/gobonniego.js';
import { SCRIPT, SCRIPT_HASH, STYLE, STYLE_HASH } from '../../../src/format/page/document.js';
import { htmlPage } from '../../../src/format/page/page.js';
import { reproductionCommand } from '../../../src/format/page/summary-section.js';
import { validateOptions } from '../../../src/options/validate-options.js';
import { plan } from '../../../src/plan/plan.js';
import { formatAmount } from '../../../src/report/amount.js';
import { toResults } from '../../../src/report/report-to-results.js';
import type { Measurement, Report } from '../../../src/report/schema/report.js';
import { emptyReport } from '../../../src/run/empty-report.js';
import { machineWith, measurementWith, reportWith, runWith } from '../../support/data/fixtures.js';
import { seededRandom } from '../../support/data/seeded-random.js';
import { wavyReport } from './wavy.js';

test('results of the same directory are numbered, and without a common metric have no change chart', () => {
  const results = ['write', 'read'].map((step) =>
    toResults(reportWith({ runs: [runWith({ measurements: [measurementWith({ step })] })] })),
  );
  const page = htmlPage(results);
  expect(page).toContain('2 results');
  expect(page).toContain('<h2>/mnt/disk (2)</h2>');
  expect(page).not.toContain('Change from');
});

test.each([
  [5, 200_000],
  [1000, 2_000_000],
])('a page of %i runs of three phases has fewer than %i bytes', (runs, most) => {
  const levels = Array.from({ length: runs }, (_, run) => 1 + (run % 10) / 50);
  const page = htmlPage([toResults(wavyReport(5, levels))]);
  expect(Buffer.byteLength(page)).toBeLessThan(most);
  expect(page).toContain('<polyline ');
});

test.each([
  ['style', STYLE, STYLE_HASH],
  ['script', SCRIPT, SCRIPT_HASH],
])("the page's policy allows its own %s by its current hash", (_, text, hash) => {
  expect(hash).toBe(`sha256-${createHash('sha256').update(text).digest('base64')}`);
});

/** Tolerance for rounding to a tenth of a pixel. */
const PIXEL = 0.06;

function randomReport(seed: number): Report {
  const { upTo, between } = seededRandom(seed);
  const levels = Array.from({ length: 2 + upTo(5) }, () => between(0.01, 50));
  const report = wavyReport(seed, levels);
  const runs = report.runs.map(({ measurements, ...run }) => ({
    ...run,
    measurements: measurements.map((one) => ({
      ...one,
      device: { ...one.device, share: upTo(1000) / 1000 },
    })),
  }));
  return { ...report, runs };
}

/** Returns the markup of the chart with this title. */
function chartIn(page: string, title: string): string {
  const charts = page.match(/<svg [\s\S]*?<\/svg>/g) ?? [];
  return charts.find((chart) => chart.includes(`>${title}</title>`)) ?? '';
}

function findNumbers(markup: string, pattern: RegExp): readonly number[] {
  return [...markup.matchAll(pattern)].map(([, digits]) => Number(digits));
}

/** Returns the rate between each two samples of the series, twice: at its start and at its end. */
function expectedRates({ series, primaryRate }: Measurement): readonly number[] {
  return series.seconds.flatMap((time, at) => {
    const amount = (series[primaryRate][at] ?? 0) - (series[primaryRate][at - 1] ?? 0);
    const rate = amount / (time - (series.seconds[at - 1] ?? 0));
    return [rate, rate];
  });
}

describe.each([1, 2, 3])('the page of random report %i', (seed) => {
  const report = randomReport(seed);
  const page = htmlPage([toResults(report)]);
  const titles = ['Sequential Write', 'Sequential Read', 'IOPS'];
  const measurementsByTitle = titles.map((title) =>
    report.runs.flatMap(({ measurements }) => measurements.filter((one) => one.title === title)),
  );

  test('draws each run at its rates over time', () => {
    for (const [at, title] of titles.entries()) {
      const chart = chartIn(page, `${title}: rate over time`);
      const bottom = Number(/y1="([\d.]+)" x2="704"[^>]*class="axis"/.exec(chart)?.[1]);
      const heights = [...chart.matchAll(/<polyline data-line="" points="([^"]*)"/g)].map(([, points = '']) =>
        points.split(' ').map((pair) => bottom - Number(pair.split(',')[1])),
      );
      const rates = (measurementsByTitle[at] ?? []).map(expectedRates);
      const pixelsPerRate = Math.max(...heights.flat()) / Math.max(...rates.flat());
      expect(heights).toHaveLength(report.runs.length);
      for (const [run, ratesOfRun] of rates.entries())
        for (const [point, rate] of ratesOfRun.entries())
          expect(Math.abs((heights[run]?.[point] ?? NaN) - rate * pixelsPerRate)).toBeLessThanOrEqual(
            2 * PIXEL,
          );
    }
  });

  test('fills each bar in proportion to the mean device share', () => {
    const widths = findNumbers(chartIn(page, 'Device share'), /<rect [^>]*width="([\d.]+)"/g);
    expect(widths).toHaveLength(2 * titles.length);
    for (const [at, all] of measurementsByTitle.entries()) {
      const [whole = 0, filled = 0] = widths.slice(2 * at);
      const shares = all.map(({ device }) => device.share ?? NaN);
      const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
      expect(Math.abs(filled - whole * mean)).toBeLessThanOrEqual(2 * PIXEL);
    }
  });

  test('draws a dot for each run in proportion to its rate, and lists the rates in a table', () => {
    for (const [at, title] of titles.entries()) {
      const rates = (measurementsByTitle[at] ?? []).map((one) =>
        one.primaryRate === 'bytes' ? one.bytesPerSecond : one.operationsPerSecond,
      );
      const dots = findNumbers(chartIn(page, `${title}: run by run`), /<circle cx="([\d.]+)"/g);
      const unit = title === 'IOPS' ? 'operationsPerSecond' : 'bytesPerSecond';
      for (const rate of rates) expect(page).toContain(`<td>${formatAmount(rate, unit)}</td>`);
      // Partly cached results are shown as timed; a write's rate includes the final sync.
      if (title === 'Sequential Write') continue;
      const low = Math.min(...rates);
      const high = Math.max(...rates);
      const fraction = (rate: number) => (rate - low) / (high - low);
      const left = Math.min(...dots);
      const right = Math.max(...dots);
      expect(right - left).toBeGreaterThan(100);
      for (const [run, rate] of rates.entries())
        expect(Math.abs((dots[run] ?? NaN) - left - fraction(rate) * (right - left))).toBeLessThanOrEqual(
          3 * PIXEL,
        );
    }
  });
});

/** Returns the report of a command, before its first measurement. */
function reportOf(command: string): Report {
  const words = [...command.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
  const request = gobonniego.parse(words.slice(2));
  if (request.type !== 'benchmark') throw new Error('the command measures nothing');
  return emptyReport(
    plan(validateOptions(pickBenchmarkOptions(request.rawOptions)), machineWith()),
    new Date(),
  );
}

test.each([
  '--size 1',
  "--size 0.3 --dir '/mnt/with space' --threads 3 --runs 5 --direct --io-size 4096 --cache keep",
  '--size 1 --unique --verify --compressible 50 --until-stable 5 --max-runs 9 --one-file',
  '--size 1 --phases write,rewrite,seeks --seeks 99 --seek-threads 3 --data-files 2 --fsync --fsync-per-write',
  '--size 1 --phases create,stat --files 64 --file-size 4096 --file-min-size 100 --directories 3',
])('the command of a report of %s repeats its measurement', (flags) => {
  const report = reportOf(`npx gobonnie --seed 7 ${flags}`);
  expect(reportOf(reproductionCommand(report)).options).toEqual(report.options);
});

test('the command omits options with default values', () => {
  const report = reportOf('npx gobonnie --seed 7 --size 1');
  expect(reproductionCommand(report)).toBe(
    `npx gobonnie --dir ${report.target.directory} --size 1 --threads ${report.options.threads} --seed 7`,
  );
});
