import { recordsOf } from '../report/events/recording.js';
import type { Report } from '../report/schema/report.js';
import type { Sheet } from '../report/sheet.js';
import { sheetOf, sheetsOf } from '../report/sheets.js';
import { chosen } from '../text/choice.js';
import { harmlessJson } from '../text/escape.js';
import { flag } from '../text/sentence.js';
import { BONNIE_PHASES, bonnieBrayTable, bonnieTable } from './ancestors/bonnie.js';
import { bonnieHtml } from './ancestors/bonnie-html.js';
import { bonniePlusPlusText } from './ancestors/bonnie-plus-plus.js';
import { FILE_TESTS, IO_TESTS } from './ancestors/bonnie-plus-plus-cells.js';
import { bonniePlusPlusCsv, csvHeader } from './ancestors/bonnie-plus-plus-csv.js';
import type { Format } from './format.js';
import { markdownText } from './people/markdown.js';
import { bonniego, text } from './people/text.js';
import { bencherJson } from './programs/bencher.js';
import { csv } from './programs/csv.js';
import { type Digest, digestOf } from './programs/digest.js';
import { githubBenchmark } from './programs/github.js';
import { json } from './programs/json.js';
import { junitXml } from './programs/junit.js';
import { ndjson } from './programs/ndjson.js';
import { prometheusText } from './programs/prometheus.js';
import { report } from './programs/report.js';

const BONNIE_PLUS_PLUS_PHASES = [...IO_TESTS, ...FILE_TESTS];

/** One that prints Bonnie's table. */
function ofSheets(render: (sheets: readonly Sheet[]) => string): Format {
  return { holds: BONNIE_PHASES, end: (whole) => render(sheetsOf(whole)), sheets: render };
}

/** One that prints a table of its own for each run, as it is complete. */
function ofRuns(render: (sheets: readonly Sheet[]) => string): Format {
  return {
    holds: BONNIE_PLUS_PLUS_PHASES,
    run: (whole, run) => render([sheetOf(whole, run)]),
    sheets: render,
  };
}

/** One that prints a document of everything. */
function ofDigests(render: (digests: readonly Digest[]) => string): Format {
  return { end: (whole) => render([digestOf(whole)]), digests: render };
}

/** The same in JSON. */
function ofDigestsInJson(render: (digests: readonly Digest[]) => string): Format {
  return { ...ofDigests(render), isJson: true };
}

/** A line for each run as it is complete, under a header where there will be several. */
const bonniePlusPlusLines: Format = {
  holds: BONNIE_PLUS_PLUS_PHASES,
  run: (whole, run) =>
    (hasSeveralRuns(whole) && run === whole.runs[0] ? `${csvHeader()}\n` : '') +
    bonniePlusPlusCsv([sheetOf(whole, run)]),
  sheets: bonniePlusPlusCsv,
};

/** Known before the first of them is over. */
function hasSeveralRuns({ options }: Report): boolean {
  return options.runs > 1 || options.minimumSeconds > 0 || options.untilStablePercent !== null;
}

/** Every format, one row each. */
export const formats = {
  text,
  json,
  report,
  markdown: ofDigests(markdownText),
  csv,
  junit: ofDigests(junitXml),
  ndjson,
  prometheus: ofDigests(prometheusText),
  bencher: ofDigestsInJson(bencherJson),
  'github-throughput': ofDigestsInJson(githubBenchmark('more')),
  'github-latency': ofDigestsInJson(githubBenchmark('less')),
  bonniego,
  bonnie: ofSheets(bonnieTable),
  'bonnie-bray': ofSheets(bonnieBrayTable),
  'bonnie-html': ofSheets(bonnieHtml),
  'bonnie++': ofRuns(bonniePlusPlusText),
  'bonnie++-csv': bonniePlusPlusLines,
} as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof formats;

export function formatNamed(given: string): FormatName {
  return chosen(formats, given, flag('format', given));
}

export function isJson(name: FormatName): boolean {
  const format: Format = formats[name];
  return format.isJson ?? false;
}

/** The format of a file by how its name ends; the longest end counts. */
export const formatsByExtension = {
  '.json': 'report',
  '.bencher.json': 'bencher',
  '.github-throughput.json': 'github-throughput',
  '.github-latency.json': 'github-latency',
  '.ndjson': 'ndjson',
  '.md': 'markdown',
  '.csv': 'csv',
  '.xml': 'junit',
  '.prom': 'prometheus',
} as const satisfies Readonly<Record<`.${string}`, FormatName>>;

/** A report as it was printed when it was measured. */
export function renderReport({ event, phase, run, end }: Format, report: Report): string {
  if (event) return recordsOf(report).map(event).join('');
  const ofRuns = report.runs.map(
    (one) =>
      one.measurements.map((measurement) => phase?.(measurement) ?? '').join('') +
      (one.state === 'completed' ? (run?.(report, one) ?? '') : ''),
  );
  return ofRuns.join('') + (end?.(report) ?? '');
}

/** Several of them in one text. */
export function renderReports(format: Format, reports: readonly Report[]): string {
  if (format.digests) return format.digests(reports.map(digestOf));
  return format.event ? reports.map((one) => renderReport(format, one)).join('') : harmlessJson(reports);
}
