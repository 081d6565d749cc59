import { compareSides } from '../../compare/comparison.js';
import type { Comparison } from '../../compare/comparison-schema.js';
import { toComparisonSide } from '../../compare/side.js';
import { formatErrorLine, GobonnieError } from '../../errors.js';
import { findProvenance, listReports, programName, type Results } from '../../report/results.js';
import type { ExpectationResult, Report, Warning } from '../../report/schema/report.js';
import { sanitize } from '../../text/escape.js';
import { escapeMarkup, type Markup, tag } from '../../text/markup.js';
import { formatBytes, pluralize } from '../../text/units.js';
import { summarizeWarnings, titledWarnings } from '../../warnings/summary.js';
import { reportMetadata } from '../data/report-metadata.js';
import { reportAnswer } from '../human/answer.js';
import type { ComparisonDocument } from '../human/commands/comparison-format.js';
import { devWorkloads, isDevReport } from '../human/commands/dev-text.js';
import { describeIncomplete, expectationLine } from '../human/sentences.js';
import { PART_INDENT, STEP_COLUMNS, stepTableRows } from '../human/step-table.js';
import { type StepNumbers, sparkline, splitRate, stepCard, stepNumbers } from './cards.js';
import { hostTables, loadCurveFigures, percentileFigures, rateFigure, runsTable } from './charts.js';
import { comparisonElements, describeVerdict, splitHeadline } from './comparison-section.js';
import { folded, htmlDocument, section, sentence, tableElement, textTag } from './document.js';
import {
  type ChartedResult,
  type ChartedResults,
  type ChartedStep,
  toChartedResults,
  toChartedSteps,
} from './drawing/charted-result.js';
import { loadElements } from './load-section.js';
import { reproductionCommand } from './reproduction.js';

/** A longer list of steps has a table instead of cards, and no charts of each step. */
const MAX_LISTED_CARDS = 8;

/** Renders a page of one result, or of several results that begins with their comparison. */
export function htmlPage(sources: readonly Results[], document?: ComparisonDocument): string {
  const results = toChartedResults(sources);
  const steps = toChartedSteps(results);
  const [only, ...others] = results;
  if (only && others.length === 0) return resultPage(only, steps);
  const compared = document ?? { comparisons: compareWithFirst(results) };
  const isCompared = compared.comparisons.length > 0;
  // The comparison already shows these rates.
  const showsRates = ({ name }: ChartedResult) =>
    document !== undefined ||
    compared.comparisons.some(({ before, after }) => before === name || after === name);
  const title = isCompared ? describeVerdict(compared).headline : pluralize(results.length, 'result');
  const verdict = isCompared ? comparisonElements(compared) : [textTag('h1', title)];
  const details = results.map((result) => resultDetails(result, showsRates(result) ? [] : steps));
  return htmlDocument(`gobonnie: ${title}`, [
    ...(results.length > 0 ? [pageHeader(results)] : []),
    ...verdict,
    ...chartSections(steps, results),
    ...section('Results', details),
  ]);
}

function resultPage(result: ChartedResult, steps: readonly ChartedStep[]): string {
  const { report } = result;
  const [answer = '', ...others] = report ? reportAnswer(report) : [];
  const { headline, details } = splitHeadline(answer);
  const title = headline || rateHeadline(result, stepNumbers(result, steps));
  return htmlDocument(`gobonnie: ${title}`, [
    pageHeader([result]),
    textTag('h1', title),
    leadElement(result, [details, ...others].filter(Boolean).join(' ')),
    ...summaryElements(result, steps),
    ...(report ? callouts(report) : []),
    ...chartSections(steps, [result]),
    ...section('How it was measured', report ? factElements(report) : []),
  ]);
}

/** True for a long list of steps, or for a sweep, whose charts are by depth. */
function hasTable({ report, loadCurves }: ChartedResult): boolean {
  return (report?.options.steps ?? []).length > MAX_LISTED_CARDS || loadCurves.length > 0;
}

/** Renders a card for each step, or a table of a long list of steps. */
function summaryElements(result: ChartedResult, steps: readonly ChartedStep[]): readonly Markup[] {
  const { report } = result;
  const numbers = stepNumbers(result, steps);
  if (numbers.length === 0) return [];
  const cards = tag('div', { class: 'grid' }, ...numbers.map((one) => stepCard(one, result)));
  if (!report) return [cards];
  const load = loadElements(report);
  if (load.length > 0) return [...load, folded('Each step', stepTable(result, report, steps))];
  const workloads = devWorkloads(report);
  if (workloads.length > 0) return [tableElement([[], ...workloads]), folded('Each step', cards)];
  if (hasTable(result)) return [stepTable(result, report, steps)];
  const hasParts = stepTableRows(report).some(({ part }) => part !== null);
  return hasParts ? [cards, folded('Reads, writes and syncs', stepTable(result, report, steps))] : [cards];
}

function resultDetails(result: ChartedResult, steps: readonly ChartedStep[]): Markup {
  const summary = summaryElements(result, steps);
  const { report } = result;
  const warnings = report ? callouts(report) : [];
  const count = warnings.length > 0 ? `, ${pluralize(warnings.length, 'note')}` : '';
  return folded(`${result.name}${count}`, ...summary, ...warnings, ...(report ? factElements(report) : []));
}

function chartSections(steps: readonly ChartedStep[], results: ChartedResults): readonly Markup[] {
  const charted = results.some(hasTable) ? [] : steps;
  const grid = (figures: readonly Markup[], className = 'grid') =>
    figures.length === 0 ? [] : [tag('div', { class: className }, ...figures)];
  const rates = grid(charted.flatMap((step) => rateFigure(step, results)));
  if (rates.length > 0) rates.push(textTag('p', describeLines(results), 'note'));
  const sections = {
    'Rate and latency by depth': results.flatMap(({ loadCurves, name }) =>
      loadCurves.flatMap((curve) => loadCurveFigures(curve, results.length > 1 ? name : '')),
    ),
    'Over time': rates,
    'Latency by percentile': grid(percentileFigures(charted, results), 'grid wider'),
    'By host': results.flatMap(hostTables),
  };
  return [
    ...Object.entries(sections).flatMap(([title, content]) => section(title, content)),
    ...(rates.length > 0 ? [folded('Every run', runsTable(charted, results))] : []),
  ];
}

function describeLines(results: ChartedResults): string {
  const runs = Math.max(...results.map(({ runs }) => runs.length));
  const axes = 'Each chart has its own axes. Buffered writes end at 0 while their data is synced.';
  return runs > 1 ? `Line: median of the runs. Band: lowest to highest run. ${axes}` : axes;
}

/** Compares each result with the first one, if both have complete runs and metrics in common. */
function compareWithFirst([first, ...others]: ChartedResults): readonly Comparison[] {
  if (!first) return [];
  return others.flatMap((other) => {
    try {
      const before = toComparisonSide(first.name, [first]);
      return compareSides(before, toComparisonSide(other.name, [other]));
    } catch (error) {
      if (error instanceof GobonnieError) return [];
      throw error;
    }
  });
}

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
function rateHeadline({ name }: ChartedResult, numbers: readonly StepNumbers[]): string {
  const known = numbers.filter(({ rate }) => rate !== 'unknown');
  const rated = known.filter(({ isPaced }) => !isPaced);
  const best = CLAUSES.flatMap(({ phases, say }) => {
    const [fastest] = rated
      .filter(({ step }) => phases.includes(step.phase))
      .toSorted((one, other) => Number(splitRate(other.rate).number) - Number(splitRate(one.rate).number));
    return fastest ? [say(fastest.rate)] : [];
  });
  if (best.length > 0) return `${name} ${best.join(', ').replace(/, ([^,]*)$/, ' and $1')}`;
  if (numbers.length === 0) return `${name}: no results`;
  const others = known
    .slice(0, MAX_CLAUSES)
    .map(({ step, rate, isPaced }) => `${step.title} ${isPaced ? 'p50 ' : ''}${rate}`);
  return `${name}: ${others.length > 0 ? others.join(', ') : "the device's rates are unknown"}`;
}

/** Renders the programs, the machine of a single result, and the date above everything. */
function pageHeader(results: readonly ChartedResult[]): Markup {
  const programs = results.map((result) => programName(findProvenance(result).program));
  const reports = listReports(results);
  const machines = reports.map(({ label, machine }) => {
    const memory = formatBytes(machine.memoryLimitBytes);
    return `${label}, ${machine.cpuModel}, ${pluralize(machine.cores, 'core')}, ${memory}`;
  });
  const dates = [
    ...new Set(reports.map(({ startedAt }) => startedAt.slice(0, 16).replace('T', ' '))),
  ].toSorted();
  const program = textTag('b', sanitize([...new Set(programs)].join(', ')));
  const machine = [...new Set(machines)].map((text) => ` · ${sanitize(text)}`).join('');
  const start = tag('span', {}, program, escapeMarkup(machine));
  const period = [...new Set([...dates.slice(0, 1), ...dates.slice(-1)])].join(' to ');
  return tag('header', {}, start, textTag('span', period === '' ? '' : `${period} UTC`));
}

/** Describes the target of the results, and repeats the clauses of the answer that the headline leaves out. */
function leadElement({ report }: ChartedResult, details: string): Markup {
  if (!report) return textTag('p', 'Higher is better.', 'lead');
  const { job, target } = report;
  const { filesystem, device, disk } = target;
  const parts = [filesystem, device && `on ${device}`, disk?.model && `(${disk.model})`];
  const place = sanitize(parts.filter(Boolean).join(' '));
  const ranks = job ? ` ${pluralize(job.ranks, 'rank')} on ${pluralize(job.hosts.length, 'host')}.` : '';
  const start = escapeMarkup(`${place}.${ranks} `);
  const verdict = details === '' ? [] : [textTag('b', details), escapeMarkup(' ')];
  return tag('p', { class: 'lead' }, start, ...verdict, escapeMarkup(betterDirection(report)));
}

/** The workloads of `gobonnie dev` have both times and rates. */
function betterDirection(report: Report): string {
  if (isDevReport(report)) return '';
  const isPaced = report.options.steps?.every(({ intervalSeconds }) => intervalSeconds !== undefined);
  return isPaced || report.command?.name === 'load' ? 'Lower is better.' : 'Higher is better.';
}

/** Renders why a run is incomplete, the verdicts of --expect and the warnings, each on its own. */
function callouts(report: Report): readonly Markup[] {
  const { outcome, expectations = [], warnings } = report;
  const incomplete = describeIncomplete(outcome);
  const callout = (name: string, words: string, className = 'callout') =>
    tag('p', { class: className }, textTag('b', name), escapeMarkup(' '), ...sentence(words));
  const verdictOf = (one: ExpectationResult) => {
    const name = one.passed ? 'passed' : one.inconclusive ? 'inconclusive' : 'failed';
    return callout(name, expectationLine(one), one.passed ? 'callout pass' : undefined);
  };
  const summaries = summarizeWarnings(report);
  const toCallout = (warning: Warning) => callout(`⚠ ${warning.code}`, formatErrorLine(warning));
  return [
    ...(incomplete === null ? [] : [callout('incomplete', incomplete)]),
    ...expectations.map(verdictOf),
    ...summaries.map(toCallout),
    ...(summaries.length < warnings.length
      ? [folded('Each warning', ...titledWarnings(report).map(toCallout))]
      : []),
  ];
}

/** Renders the steps of a list that is too long for cards: the table that a terminal shows, and a curve of each step. */
function stepTable(result: ChartedResult, report: Report, steps: readonly ChartedStep[]): Markup {
  const rows = stepTableRows(report).map((row) => {
    const { name, part } = row;
    const step = part ? undefined : steps.find((one) => one.title === name);
    const [curve = escapeMarkup('')] = step ? sparkline(step, result, { height: 20 }) : [];
    const texts = STEP_COLUMNS.map(({ value }) => value(row));
    return [part ? PART_INDENT + name : name, { markup: curve }, ...texts];
  });
  return tableElement([['', 'over time', ...STEP_COLUMNS.map(({ title }) => title)], ...rows]);
}

/** Renders how a report was measured, and the command that repeats it. */
function factElements(report: Report): readonly Markup[] {
  const facts = reportMetadata(report).map(({ name, value }) =>
    tag('div', {}, textTag('dt', name), textTag('dd', value)),
  );
  const note = report.job ? [textTag('p', `On each of ${pluralize(report.job.ranks, 'rank')}:`)] : [];
  return [tag('dl', { class: 'facts' }, ...facts), ...note, textTag('pre', reproductionCommand(report))];
}
