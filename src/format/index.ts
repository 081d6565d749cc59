import type { Comparison } from '../compare/comparison.js';
import { GobonnieError } from '../errors.js';
import { toEventRecords } from '../report/events/recording.js';
import { FILE_TESTS, IO_TESTS } from '../report/family.js';
import { completeRuns, type Results, type RunResult } from '../report/results.js';
import { hasSeveralRuns, toRunResult, toResults } from '../report/results-of-report.js';
import type { Report } from '../report/schema/report.js';
import { validateChoice } from '../text/choice.js';
import { stringifySafely } from '../text/escape.js';
import { flag, msg } from '../text/sentence.js';
import { bonnieBrayTable, bonnieTable } from './ancestors/bonnie.js';
import { bonnieHtml } from './ancestors/bonnie-html.js';
import { bonniePlusPlusText } from './ancestors/bonnie-plus-plus.js';
import { bonniePlusPlusCsv, csvHeader } from './ancestors/bonnie-plus-plus-csv.js';
import { svgPicture } from './charts/picture.js';
import type { Baseline, Format } from './format.js';
import { htmlPage } from './page/page.js';
import { chart, chartOn } from './people/chart.js';
import { markdownText } from './people/markdown.js';
import { table, tableOn } from './people/screen.js';
import { bonniegoText, text } from './people/text.js';
import { bencherJson } from './programs/bencher.js';
import { csv } from './programs/csv.js';
import { csvOverTime } from './programs/csv-series.js';
import { githubBenchmark } from './programs/github.js';
import { json } from './programs/json.js';
import { junitXml } from './programs/junit.js';
import { prometheusText } from './programs/prometheus.js';
import type { Screen } from './writing/screen.js';

/** The whole report; its schema is published. */
const report: Format = { isJson: true, oneByOne: 'plain', end: stringifySafely };

/** Each event as it happens, one JSON object per line. */
const ndjson: Format = { isJson: true, oneByOne: 'plain', event: stringifySafely };

/** One document, printed at the end. */
function document(render: (results: readonly Results[]) => string): Format {
  return { end: (report) => render([toResults(report)]), render };
}

function jsonDocument(render: (results: readonly Results[]) => string): Format {
  return { ...document(render), isJson: true };
}

function bonnieFormat(render: (runs: readonly RunResult[]) => string): Format {
  return { ...document((results) => render(completeRuns(results))), holds: IO_TESTS };
}

/** Printed after each run, as bonnie++ does. */
function bonniePlusPlusFormat(render: (runs: readonly RunResult[]) => string): Format {
  return {
    holds: [...IO_TESTS, ...FILE_TESTS],
    run: (report, run) => render([toRunResult(report, run)]),
    render: (results) => render(completeRuns(results)),
  };
}

/** Several lines get a header. */
const bonniePlusPlusLines: Format = {
  ...bonniePlusPlusFormat(bonniePlusPlusCsv),
  run: (report, run) => {
    const header = hasSeveralRuns(report) && run === report.runs[0] ? `${csvHeader()}\n` : '';
    return header + bonniePlusPlusCsv([toRunResult(report, run)]);
  },
};

/** With what the report was compared with. */
const page: Format = {
  end: (report, baseline) => {
    const results = toResults(report);
    if (!baseline) return htmlPage([results]);
    const { before, after } = baseline.comparison;
    const known = baseline.results.map((one) => ({ ...one, name: before }));
    return htmlPage([...known, { ...results, name: after }], [baseline.comparison]);
  },
  render: htmlPage,
};

/** Every format, one row each. */
export const formats = {
  text,
  table,
  chart,
  json,
  report,
  markdown: document(markdownText),
  html: page,
  svg: document(svgPicture),
  csv,
  'csv-series': { ...document(csvOverTime), isOfReports: true },
  junit: document(junitXml),
  ndjson,
  prometheus: document(prometheusText),
  bencher: jsonDocument(bencherJson),
  'github-throughput': jsonDocument(githubBenchmark('higher')),
  'github-latency': jsonDocument(githubBenchmark('lower')),
  bonniego: bonniegoText,
  bonnie: bonnieFormat(bonnieTable),
  'bonnie-bray': bonnieFormat(bonnieBrayTable),
  'bonnie-html': bonnieFormat(bonnieHtml),
  'bonnie++': bonniePlusPlusFormat(bonniePlusPlusText),
  'bonnie++-csv': bonniePlusPlusLines,
} as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof formats;

export function formatNamed(given: string): FormatName {
  return validateChoice(formats, given, flag('format', given));
}

/** The format as a terminal shows it. */
export function formatOn(name: FormatName, screen: Screen | null): Format {
  if (screen && name === 'table') return tableOn(screen);
  return screen && name === 'chart' ? chartOn(screen) : formats[name];
}

export function isJson(name: FormatName): boolean {
  const format: Format = formats[name];
  return format.isJson ?? false;
}

/** The format of a file by its extension; the longest that fits wins. */
export const formatsByExtension = {
  '.json': 'report',
  '.bencher.json': 'bencher',
  '.github-throughput.json': 'github-throughput',
  '.github-latency.json': 'github-latency',
  '.ndjson': 'ndjson',
  '.md': 'markdown',
  '.html': 'html',
  '.svg': 'svg',
  '.csv': 'csv',
  '.series.csv': 'csv-series',
  '.xml': 'junit',
  '.prom': 'prometheus',
} as const satisfies Readonly<Record<`.${string}`, FormatName>>;

/** Throws if the format shows none of the phases, or requires others; called before anything is measured. */
export function refuseUnfit(name: FormatName, phases: readonly string[]): void {
  const { needs = [], holds = phases }: Format = formats[name];
  if (!phases.some((phase) => holds.includes(phase))) {
    throw new GobonnieError(
      'option-invalid',
      msg`${flag('format', name)} shows none of ${flag('phases', phases.join(','))}`,
      msg`pass another ${flag('format')}, such as text or bonnie++`,
    );
  }
  const missing = needs.filter((phase) => !phases.includes(phase));
  if (missing.length === 0) return;
  throw new GobonnieError(
    'option-invalid',
    msg`${flag('format', name)} needs the phases ${needs.join(', ')}, but ${flag('phases')} leaves out ${missing.join(', ')}`,
    msg`add them to ${flag('phases')}, pass another ${flag('format')}, or ${flag('out')} FILE.json for the full report`,
  );
}

/** A line that names the phases that are measured but not shown. */
export function leftOut(name: FormatName, phases: readonly string[]): readonly string[] {
  const { holds = phases }: Format = formats[name];
  const hidden = phases.filter((phase) => !holds.includes(phase));
  return hidden.length === 0 ? [] : [`gobonnie: --format ${name} does not show ${hidden.join(', ')}`];
}

/** A report as it is printed while measuring. */
export function renderReport(
  { event, phase, run, end }: Format,
  report: Report,
  baseline?: Baseline,
): string {
  if (event) return toEventRecords(report).map(event).join('');
  const ofRuns = report.runs.map(
    (one) =>
      one.measurements.map((measurement) => phase?.(measurement, report) ?? '').join('') +
      (one.state === 'completed' ? (run?.(report, one) ?? '') : ''),
  );
  return ofRuns.join('') + (end?.(report, baseline) ?? '');
}

/** Several reports as one text. */
export function renderReports(
  format: Format,
  reports: readonly Report[],
  comparisons?: readonly Comparison[],
): string {
  if (format.render && !format.oneByOne) return format.render(reports.map(toResults), comparisons);
  return format.event ? reports.map((one) => renderReport(format, one)).join('') : stringifySafely(reports);
}
