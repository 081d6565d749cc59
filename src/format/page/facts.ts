import { optionCatalogue } from '../../options/option-catalogue.js';
import { type OptionRow, toFlag } from '../../options/option-row.js';
import { usedOptions } from '../../report/reported-options.js';
import { findProvenance, listReports, programName } from '../../report/results.js';
import type { ExpectationResult, Report } from '../../report/schema/report.js';
import { sanitize } from '../../text/escape.js';
import { escapeMarkup, type Markup, tag } from '../../text/markup.js';
import { formatBytes, pluralize } from '../../text/units.js';
import { reportMetadata } from '../data/report-metadata.js';
import { describeIncomplete, expectationLine, mergeWarnings, warningWithHint } from '../human/sentences.js';
import { STEP_COLUMNS, stepTableRows } from '../human/step-table.js';
import { type StepNumbers, sparkline, splitRate } from './cards.js';
import { sentence, tableElement, textTag } from './document.js';
import type { ChartedResult, ChartedStep } from './drawing/charted-result.js';

/** An em space, which pages show at the start of a text. */
const PART_INDENT = '\u2003';
const MAX_CLAUSES = 3;
/** The phases that a headline names, and their verbs. */
const CLAUSES = [
  { phases: ['write'], say: (rate: string) => `writes ${rate}` },
  { phases: ['read'], say: (rate: string) => `reads ${rate}` },
  {
    phases: ['iops', 'random'],
    say: (rate: string) => `does ${splitRate(rate).number} random operations a second`,
  },
];

/** Summarizes the best known rates in a sentence. */
export function headline({ name }: ChartedResult, numbers: readonly StepNumbers[]): string {
  const known = numbers.filter(({ rate }) => rate !== 'unknown');
  const best = CLAUSES.flatMap(({ phases, say }) => {
    const [fastest] = known
      .filter(({ step }) => phases.includes(step.phase))
      .toSorted((one, other) => Number(splitRate(other.rate).number) - Number(splitRate(one.rate).number));
    return fastest ? [say(fastest.rate)] : [];
  });
  if (best.length > 0) return `${name} ${best.join(', ').replace(/, ([^,]*)$/, ' and $1')}`;
  if (numbers.length === 0) return `${name}: no results`;
  const others = known.slice(0, MAX_CLAUSES).map(({ step, rate }) => `${step.title} ${rate}`);
  return `${name}: ${others.length > 0 ? others.join(', ') : "the device's rates are unknown"}`;
}

/** Renders the programs, the machine of a single result, and the date above everything. */
export function pageHeader(results: readonly ChartedResult[]): Markup {
  const programs = results.map((result) => programName(findProvenance(result).program));
  const reports = listReports(results);
  const machines = reports.map(({ label, machine }) => {
    const memory = formatBytes(machine.memoryLimitBytes);
    return `${label}, ${machine.cpuModel}, ${pluralize(machine.cores, 'core')}, ${memory}`;
  });
  const date = reports[0]?.startedAt.slice(0, 16).replace('T', ' ');
  const program = textTag('b', sanitize([...new Set(programs)].join(', ')));
  const machine = [...new Set(machines)].map((text) => ` · ${sanitize(text)}`).join('');
  const start = tag('span', {}, program, escapeMarkup(machine));
  return tag('header', {}, start, textTag('span', date ? `${date} UTC` : ''));
}

/** Describes the target of the results, and how fast it is for its kind if the headline does not. */
export function leadElement({ report }: ChartedResult, speed: string | null): Markup {
  if (!report) return textTag('p', 'Higher is better.', 'lead');
  const { filesystem, device, disk } = report.target;
  const { ranks, hosts } = report.job ?? { ranks: 1, hosts: [] };
  const target = [filesystem, device && `on ${device}`, disk?.model && `(${disk.model})`]
    .filter(Boolean)
    .join(' ');
  const job = report.job ? ` ${pluralize(ranks, 'rank')} on ${pluralize(hosts.length, 'host')}.` : '';
  const start = escapeMarkup(`${sanitize(target)}.${job} `);
  const verdict = speed === null ? [] : [textTag('b', speed), escapeMarkup(' ')];
  return tag('p', { class: 'lead' }, start, ...verdict, escapeMarkup('Higher is better.'));
}

/** Renders why a run is incomplete, the verdicts of --expect and the warnings, each on its own. */
export function callouts({ outcome, expectations = [], warnings }: Report): readonly Markup[] {
  const incomplete = describeIncomplete(outcome);
  const callout = (name: string, words: string, className = 'callout') =>
    tag('p', { class: className }, textTag('b', name), escapeMarkup(' '), ...sentence(words));
  const verdictOf = (one: ExpectationResult) => {
    const name = one.passed ? 'passed' : one.inconclusive ? 'inconclusive' : 'failed';
    return callout(name, expectationLine(one), one.passed ? 'callout pass' : undefined);
  };
  return [
    ...(incomplete === null ? [] : [callout('incomplete', incomplete)]),
    ...expectations.map(verdictOf),
    ...mergeWarnings(warnings).map((warning) => callout(`⚠ ${warning.code}`, warningWithHint(warning))),
  ];
}

/** Renders the steps of a list that is too long for cards: the table that a terminal shows, and a curve of each step. */
export function stepTable(result: ChartedResult, report: Report, steps: readonly ChartedStep[]): Markup {
  const rows = stepTableRows(report).map((row) => {
    const { name, isPart } = row;
    const step = isPart ? undefined : steps.find((one) => one.title === name);
    const [curve = escapeMarkup('')] = step ? sparkline(step, result, { height: 20 }) : [];
    const texts = STEP_COLUMNS.map(({ value }) => value(row));
    return [isPart ? PART_INDENT + name : name, { markup: curve }, ...texts];
  });
  return tableElement([['', 'over time', ...STEP_COLUMNS.map(({ title }) => title)], ...rows]);
}

/** Renders how a report was measured, and the command that repeats it. */
export function factElements(report: Report): readonly Markup[] {
  const facts = reportMetadata(report).map(({ name, value }) =>
    tag('div', {}, textTag('dt', name), textTag('dd', value)),
  );
  return [tag('dl', { class: 'facts' }, ...facts), textTag('pre', reproductionCommand(report))];
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
