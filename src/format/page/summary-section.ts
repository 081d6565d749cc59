import { optionCatalogue } from '../../options/option-catalogue.js';
import { type OptionRow, toFlag } from '../../options/option-row.js';
import { formatShare } from '../../report/amount.js';
import { findProvenance, groupByStep, type Results } from '../../report/results.js';
import type { Report } from '../../report/schema/report.js';
import { computeMean } from '../../report/statistics/statistics.js';
import { allMeasurements } from '../../report/step-results.js';
import { usedOptions } from '../../report/used-options.js';
import { speedFactsOf } from '../../speed/report-facts.js';
import { describeSpeed } from '../../speed/verdict.js';
import { sanitize } from '../../text/escape.js';
import { type Markup, tag, escapeMarkup as text } from '../../text/markup.js';
import { reportMetadata, runsToShow } from '../data/metric-summary.js';
import { latencyCell, marginCell, rateCell } from '../human/aligned-table.js';
import { statusLines, warningText } from '../human/sentences.js';
import { STEP_HEADS, stepTableRows } from '../human/step-table.js';
import { tableElement } from './document.js';
import type { ChartedResult } from './drawing/charted-result.js';

/** An em space, which pages show at the start of a text. */
const PART_INDENT = '\u2003';

/** Renders the results as a terminal shows them, the verdicts and warnings, and the settings. */
export function summarySection(result: ChartedResult, isOneOfSeveral: boolean): Markup {
  const { source, name } = result;
  const { report } = source;
  const { program } = findProvenance(source);
  const by = [program.name, program.version].filter(Boolean).join(' ');
  return tag(
    'section',
    {},
    isOneOfSeveral ? tag('h2', {}, text(name)) : text(''),
    tag('p', { class: 'note' }, text(report ? describeTarget(report) : `measured by ${by}`)),
    ...(report?.options.steps ? stepElements(report) : phaseElements(source)),
    ...(report ? detailElements(report) : []),
  );
}

function describeTarget(report: Report): string {
  const { label, target, machine } = report;
  const model = target.disk?.model;
  const disk = [target.filesystem, target.device && `on ${target.device}`, model && `(${model})`];
  const startTime = report.startedAt.replace(/\..*$/, '').replace('T', ' ');
  return sanitize(
    `${target.directory}: ${disk.filter(Boolean).join(' ')}; ${label}, ${machine.cpuModel}, ${machine.os}; ${startTime} UTC`,
  );
}

/** Renders the table of a list of steps, and how fast the disk is for its kind. */
function stepElements(report: Report): readonly Markup[] {
  const measurements = allMeasurements(report);
  if (measurements.length === 0) return [];
  const rows = stepTableRows(report, measurements).map(({ name, isPart, cells }) => {
    return [isPart ? PART_INDENT + name : name, ...STEP_HEADS.map((_, at) => cells[at] ?? '')];
  });
  const speed = describeSpeed(speedFactsOf(report));
  const sentence = speed === null ? [] : [tag('p', {}, text(speed))];
  return [tableElement([['', ...STEP_HEADS], ...rows], 'steps'), ...sentence];
}

function phaseElements(source: Results): readonly Markup[] {
  const { report } = source;
  const rows = groupByStep(runsToShow(source));
  if (rows.length === 0) return [];
  const isMemory = report?.target.isMemory === true;
  const head = report ? (isMemory ? 'in memory' : 'on the disk') : 'rate';
  const cells = rows.map((row) => {
    const shares = row.map(({ deviceShare }) => deviceShare).filter((share) => share !== null);
    return [
      sanitize(row[0].title),
      rateCell(row, isMemory),
      marginCell(row, isMemory),
      latencyCell(row, 'p50'),
      latencyCell(row, 'p99'),
      shares.length > 0 ? formatShare(computeMean(shares)) : '',
    ];
  });
  const isShown = (_: string, at: number) => at === 0 || cells.some((row) => row[at] !== '');
  const heads = ['', head, 'within', 'p50', 'p99', 'from the device'];
  const table = [heads, ...cells].map((row) => row.filter(isShown));
  return [tableElement(table, 'answer')];
}

function detailElements(report: Report): readonly Markup[] {
  const lines = statusLines(report, (warning) => `${warningText(warning)} [${warning.code}]`);
  const items = lines.map((line) => tag('li', {}, text(line)));
  const summary = tag('summary', {}, text('Settings, and the command to run it again'));
  const command = tag('pre', {}, text(reproductionCommand(report)));
  const settings = tableElement([
    ['', ''],
    ...reportMetadata(report).map(({ name, value }) => [name, value]),
  ]);
  return [
    items.length > 0 ? tag('ul', {}, ...items) : text(''),
    tag('details', {}, summary, command, settings),
  ];
}

export function reproductionCommand(report: Report): string {
  const rows: Readonly<Record<string, OptionRow>> = optionCatalogue;
  const flags = Object.entries(usedOptions(report)).flatMap(([name, value]) => {
    if (value === null || value === false || String(value) === String(rows[name]?.default)) return [];
    return value === true ? [toFlag(name)] : [toFlag(name), quoteForShell(String(value))];
  });
  return ['npx gobonnie', ...flags].join(' ');
}

/** Quotes text for a POSIX shell if needed. */
function quoteForShell(text: string): string {
  return /^[\w.,:/+@%-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
