import { compareSides } from '../../compare/comparison.js';
import type { Comparison } from '../../compare/comparison-schema.js';
import { toComparisonSide } from '../../compare/side.js';
import { GobonnieError } from '../../errors.js';
import { describeSpeed, speedFactsOf } from '../../rating/rating.js';
import type { Results } from '../../report/results.js';
import { type Markup, tag } from '../../text/markup.js';
import { pluralize } from '../../text/units.js';
import type { ComparisonDocument } from '../human/comparison-format.js';
import { stepCard, stepNumbers } from './cards.js';
import { hostTables, loadCurveFigures, percentileFigures, rateFigure, runsTable } from './charts.js';
import { comparisonElements, describeVerdict } from './comparison-section.js';
import { folded, htmlDocument, section, sentence, textTag } from './document.js';
import {
  type ChartedResult,
  type ChartedResults,
  type ChartedStep,
  toChartedResults,
  toChartedSteps,
} from './drawing/charted-result.js';
import { callouts, factElements, headline, leadElement, pageHeader, stepTable } from './facts.js';

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
  const speed = report ? describeSpeed(speedFactsOf(report)) : null;
  const title =
    (report?.options.steps && speed?.replace(/\.$/, '')) || headline(result, stepNumbers(result, steps));
  return htmlDocument(`gobonnie: ${title}`, [
    pageHeader([result]),
    tag('h1', {}, ...sentence(title)),
    leadElement(result, speed?.startsWith(title) ? null : speed),
    ...summaryElements(result, steps),
    ...(report ? callouts(report) : []),
    ...chartSections(steps, [result]),
    ...section('How it was measured', report ? factElements(report) : []),
  ]);
}

/** True for a long list of steps, or for a sweep, whose charts are by threads. */
function hasTable({ report, loadCurves }: ChartedResult): boolean {
  return (report?.options.steps ?? []).length > MAX_LISTED_CARDS || loadCurves.length > 0;
}

/** Renders a card for each step, or a table of a long list of steps. */
function summaryElements(result: ChartedResult, steps: readonly ChartedStep[]): readonly Markup[] {
  const { report } = result;
  const numbers = stepNumbers(result, steps);
  if (numbers.length === 0) return [];
  if (report && hasTable(result)) return [stepTable(result, report, steps)];
  return [tag('div', { class: 'grid' }, ...numbers.map((one) => stepCard(one, result)))];
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
    'Rate and latency by threads': results.flatMap(({ loadCurves, name }) =>
      loadCurves.flatMap((curve) => loadCurveFigures(curve, results.length > 1 ? name : '')),
    ),
    'Rate over time': rates,
    'Latency by percentile': grid(percentileFigures(charted, results), 'grid wider'),
    'By host': results.flatMap((result) => hostTables(result, steps)),
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
