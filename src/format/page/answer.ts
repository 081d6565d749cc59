import { showAmount, showShare } from '../../report/amount.js';
import { rate, sampleOf } from '../../report/metrics.js';
import { rateUnitOf } from '../../report/rate.js';
import { type PhaseRows, phasesOf, provenanceOf } from '../../report/results.js';
import type { Report } from '../../report/schema/report.js';
import { meanOf, reachPercentOf, statisticsOf } from '../../report/statistics/statistics.js';
import { harmless } from '../../text/escape.js';
import { showNs } from '../../text/units.js';
import type { Side } from '../drawing/side.js';
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
  const { program } = provenanceOf(results);
  const rows = phasesOf(shownRuns(results));
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

function placeOf({ label, target, machine, startedAt }: Report): string {
  const disk = [
    target.filesystem,
    target.device && `on ${target.device}`,
    target.disk?.model && `(${target.disk.model})`,
  ];
  const moment = startedAt.replace(/\..*$/, ' UTC').replace('T', ' ');
  return harmless(
    `${target.directory}: ${disk.filter(Boolean).join(' ')}; ${label}, ${machine.cpuModel}, ${machine.os}; ${moment}`,
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
  const [{ title, figure }] = row;
  const { values, isOfDisk } = sampleOf(row, rate, isMemory);
  const statistics = isOfDisk && values.length > 0 ? statisticsOf(values) : null;
  const reachPercent = statistics && reachPercentOf(statistics);
  const latency = (name: 'p50' | 'p99') => {
    const known = row.flatMap(({ latencyNs }) => latencyNs[name] ?? []);
    return known.length > 0 ? showNs(meanOf(known)) : '';
  };
  const shares = row.flatMap(({ deviceShare }) => deviceShare ?? []);
  return [
    harmless(title),
    statistics ? showAmount(statistics.mean, rateUnitOf({ figure })) : 'unknown',
    reachPercent === null ? '' : `± ${reachPercent.toFixed(0)} %`,
    latency('p50'),
    latency('p99'),
    shares.length > 0 ? showShare(meanOf(shares)) : '',
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
