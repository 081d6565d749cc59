import { formatShare } from '../../report/amount.js';
import { type PhaseRows, groupByPhase, findProvenance } from '../../report/results.js';
import type { Report } from '../../report/schema/report.js';
import { computeMean } from '../../report/statistics/statistics.js';
import { sanitize } from '../../text/escape.js';
import { type Side, startOf } from '../drawing/side.js';
import { latencyCell, rateCell, withinCell } from '../people/cells.js';
import { expectationLine, outcomeText, warningText } from '../people/sentences.js';
import { circumstancesOf } from '../programs/circumstances.js';
import { shownRuns } from '../programs/summary.js';
import { type Markup, tag, escapedMarkup as text } from '../writing/markup.js';
import { commandOf } from './command.js';
import { tableElement } from './figure.js';

/** The figures as a terminal shows them, what limits them, and how they were measured. */
export function answerSection(side: Side, isOneOfSeveral: boolean): Markup {
  const { results, name } = side;
  const { report } = results;
  const { program } = findProvenance(results);
  const rows = groupByPhase(shownRuns(results));
  const by = [program.name, program.version].filter(Boolean).join(' ');
  return tag(
    'section',
    {},
    ...(isOneOfSeveral ? [tag('h2', {}, text(name))] : []),
    tag('p', { class: 'note' }, text(report ? placeOf(report) : `measured by ${by}`)),
    ...(rows.length > 0 ? [tableElement(figuresOf(rows, report), 'answer')] : []),
    ...(report ? remarksOf(report) : []),
  );
}

function placeOf(report: Report): string {
  const { label, target, machine } = report;
  const disk = [
    target.filesystem,
    target.device && `on ${target.device}`,
    target.disk?.model && `(${target.disk.model})`,
  ];
  return sanitize(
    `${target.directory}: ${disk.filter(Boolean).join(' ')}; ${label}, ${machine.cpuModel}, ${machine.os}; ${startOf(report)} UTC`,
  );
}

function figuresOf(rows: readonly PhaseRows[], report: Report | null): readonly (readonly string[])[] {
  const isMemory = report?.target.isMemory === true;
  const head = report ? (isMemory ? 'in memory' : 'on the disk') : 'rate';
  const cells = rows.map((row) => cellsOf(row, isMemory));
  const isShown = (_: string, at: number) => at === 0 || cells.some((row) => row[at] !== '');
  const heads = ['', head, 'within', 'p50', 'p99', 'from the device'];
  return [heads, ...cells].map((row) => row.filter(isShown));
}

function cellsOf(row: PhaseRows, isMemory: boolean): readonly string[] {
  const shares = row.flatMap(({ deviceShare }) => deviceShare ?? []);
  return [
    sanitize(row[0].title),
    rateCell(row, isMemory),
    withinCell(row, isMemory),
    latencyCell(row, 'p50'),
    latencyCell(row, 'p99'),
    shares.length > 0 ? formatShare(computeMean(shares)) : '',
  ];
}

/** Why it is incomplete, verdicts, warnings, circumstances and the command. */
function remarksOf(report: Report): readonly Markup[] {
  const { outcome, expectations = [], warnings } = report;
  const end = outcomeText(outcome);
  const lines = [
    ...(end === null ? [] : [`not complete: ${end}`]),
    ...expectations.map(expectationLine),
    ...warnings.map((warning) => `${warningText(warning)} [${warning.code}]`),
  ];
  return [
    ...(lines.length > 0 ? [tag('ul', {}, ...lines.map((line) => tag('li', {}, text(line))))] : []),
    tag(
      'details',
      {},
      tag('summary', {}, text('How it was measured, and the command that does it again')),
      tag('pre', {}, text(commandOf(report))),
      tableElement([['', ''], ...circumstancesOf(report).map(({ name, value }) => [name, value])]),
    ),
  ];
}
