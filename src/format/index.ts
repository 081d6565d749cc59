import { compareReportsOfAb } from '../compare/winners.js';
import { optionError } from '../errors.js';
import { listSteps, type MeasuredOptions } from '../options/measured-steps.js';
import { toEventRecords } from '../report/events/event-record.js';
import { completeRuns, type Results, type RunResult, toResults, toRunResult } from '../report/results.js';
import { hasSeveralRuns } from '../report/runs.js';
import type { Report } from '../report/schema/report.js';
import { stringifySafely } from '../text/escape.js';
import { flag, msg } from '../text/message-template.js';
import { validateChoice } from '../text/suggest.js';
import { bonnieBrayTable, bonnieHtml, bonnieTable } from './compat/bonnie.js';
import { bonniePlusPlusText } from './compat/bonnie-plus-plus.js';
import { BONNIE_PLUS_PLUS_CSV_HEADER, createBonniePlusPlusCsv } from './compat/bonnie-plus-plus-csv.js';
import { FILE_TESTS, IO_TESTS } from './compat/bonnie-tests.js';
import { crystalDiskMarkText, DISK_MARK_PHASES } from './compat/crystaldiskmark.js';
import { YABS_PHASES, yabsJson, yabsText } from './compat/yabs.js';
import { bencherJson, githubBenchmark } from './data/continuous-benchmarks.js';
import { csvTable, seriesCsv } from './data/csv.js';
import { gobonniegoJson } from './data/json.js';
import { junitXml } from './data/junit.js';
import { prometheusText } from './data/prometheus.js';
import type { Baseline, Format } from './format.js';
import { chartText } from './human/chart-format.js';
import { markdownText } from './human/markdown.js';
import { PLAIN_SCREEN, type Screen } from './human/screen.js';
import { createTableFormat } from './human/terminal-table.js';
import { bonniegoFormat, gobonniegoFormat, textFormat } from './human/text-format.js';
import { htmlPage } from './page/page.js';
import { svgPicture } from './page/svg-card.js';

function bonnieFormat(render: (runs: readonly RunResult[]) => string): Format {
  return { supportedPhases: IO_TESTS, render: (results) => render(completeRuns(results)) };
}

/** A format that prints each run when it completes, as bonnie++ does. The header is only above several runs. */
function bonniePlusPlusFormat(render: (runs: readonly RunResult[]) => string, header = ''): Format {
  return {
    supportedPhases: [...IO_TESTS, ...FILE_TESTS],
    run: (report, run) => {
      const isHeaded = hasSeveralRuns(report) && run === report.runs[0];
      return (isHeaded ? header : '') + render([toRunResult(report, run)]);
    },
    render: (results) => render(completeRuns(results)),
  };
}

const createScreenFormats = (screen: Screen) => ({
  table: createTableFormat(screen),
  chart: { render: (results: readonly Results[]) => chartText(results, screen) },
});

export const reportFormats = {
  text: textFormat,
  ...createScreenFormats(PLAIN_SCREEN),
  json: { isJson: true, perFile: true, requiredPhases: ['write', 'read', 'iops'], render: gobonniegoJson },
  report: { isJson: true, perFile: true, end: stringifySafely },
  markdown: { render: markdownText },
  html: { showsBaseline: true, render: htmlPage },
  svg: { render: svgPicture },
  csv: { render: csvTable },
  'csv-series': { render: seriesCsv },
  junit: { render: junitXml },
  ndjson: { isJson: true, perFile: true, event: stringifySafely },
  prometheus: { render: prometheusText },
  bencher: { isJson: true, render: bencherJson },
  'github-throughput': { isJson: true, render: githubBenchmark('higher') },
  'github-latency': { isJson: true, render: githubBenchmark('lower') },
  gobonniego: gobonniegoFormat,
  bonniego: bonniegoFormat,
  bonnie: bonnieFormat(bonnieTable),
  'bonnie-bray': bonnieFormat(bonnieBrayTable),
  'bonnie-html': bonnieFormat(bonnieHtml),
  'bonnie++': bonniePlusPlusFormat(bonniePlusPlusText),
  'bonnie++-csv': bonniePlusPlusFormat(createBonniePlusPlusCsv('1.98'), `${BONNIE_PLUS_PLUS_CSV_HEADER}\n`),
  'bonnie++-csv-1.97': bonniePlusPlusFormat(createBonniePlusPlusCsv('1.97')),
  'bonnie++-csv-1.03': bonniePlusPlusFormat(createBonniePlusPlusCsv('1.03')),
  crystaldiskmark: { needsList: true, supportedPhases: DISK_MARK_PHASES, render: crystalDiskMarkText },
  yabs: { needsList: true, supportedPhases: YABS_PHASES, render: yabsText },
  'yabs-json': { isJson: true, needsList: true, supportedPhases: YABS_PHASES, render: yabsJson },
} as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof reportFormats;

export function parseFormatName(name: string): FormatName {
  return validateChoice(reportFormats, name, flag('format', name));
}

/** Returns the format, adapted to the terminal if there is one. */
export function formatForScreen(name: FormatName, screen: Screen | null): Format {
  return { ...reportFormats, ...(screen && createScreenFormats(screen)) }[name];
}

/** The format of a file by its extension; the longest matching extension wins. */
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

/** Returns the names of the steps that the format shows. */
export function shownSteps({ supportedPhases, needsList }: Format, options: MeasuredOptions) {
  if (needsList && !options.steps) return [];
  const isShown = (phase: string) => supportedPhases?.includes(phase) ?? true;
  const steps = listSteps(options).filter(({ name, phase }) => isShown(needsList ? phase : name));
  return steps.map(({ name }) => name);
}

/** Throws if the format can show none of the steps, or requires a missing one. Call it before measuring. */
export function rejectUnsuitableFormat(name: FormatName, options: MeasuredOptions): void {
  const steps = listSteps(options).map((step) => step.name);
  const request = options.steps ? 'these steps' : flag('phases', steps.join(','));
  const format: Format = reportFormats[name];
  if (shownSteps(format, options).length === 0)
    throw optionError(
      msg`${flag('format', name)} shows none of ${request}`,
      msg`pass another ${flag('format')}, such as text or csv`,
    );
  const { requiredPhases = [] } = format;
  const missing = requiredPhases.filter((phase) => !steps.includes(phase));
  if (missing.length === 0) return;
  throw optionError(
    msg`${flag('format', name)} needs the phases ${requiredPhases.join(', ')}; missing: ${missing.join(', ')}`,
    msg`pass ${flag('format', 'report')} or ${flag('out')} FILE.json for the full report`,
  );
}

/** Returns a line that names the steps that are measured but not shown. Empty if the format shows every step. */
export function hiddenStepsNote(name: FormatName, options: MeasuredOptions): readonly string[] {
  const shown = shownSteps(reportFormats[name], options);
  const steps = listSteps(options).map((step) => step.name);
  const hidden = steps.filter((step) => !shown.includes(step));
  return hidden.length === 0 ? [] : [`gobonnie: --format ${name} does not show ${hidden.join(', ')}`];
}

/** Renders a report as it is printed while measuring. */
export function renderReport(format: Format, report: Report, baseline?: Baseline): string {
  const { event, step, run } = format;
  if (event) return toEventRecords(report).map(event).join('');
  const texts = report.runs.flatMap((one) => [
    ...one.measurements.map((measurement) => step?.(measurement, report)),
    one.state === 'completed' ? run?.(report, one) : '',
  ]);
  return texts.join('') + renderEnd(format, report, baseline);
}

/** Renders the text after the last run. A format that prints nothing until then is one document. */
export function renderEnd(format: Format, report: Report, baseline?: Baseline): string {
  const { event, step, run, end, render, showsBaseline } = format;
  if (end) return end(report);
  if (event || step || run || !render) return '';
  const results = toResults(report);
  if (!baseline) return render([results]);
  const { comparison, strict } = baseline;
  const { before, after } = comparison;
  const others = showsBaseline ? baseline.results.map((one) => ({ ...one, name: before })) : [];
  return render([...others, { ...results, name: after }], { comparisons: [comparison], strict });
}

/** Renders the reports of `ab`, with their comparison where the format has a place for it. */
export function renderReports(format: Format, reports: readonly Report[], strict = false) {
  const results = reports.map(toResults);
  const document = compareReportsOfAb(results);
  if (format.render && !format.perFile)
    return format.render(results, document ? { ...document, strict } : undefined);
  return format.event ? reports.map((one) => renderReport(format, one)).join('') : stringifySafely(reports);
}
