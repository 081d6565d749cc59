import { compareSides } from '../../compare/comparison.js';
import type { Comparison } from '../../compare/comparison-schema.js';
import { toComparisonSide } from '../../compare/side.js';
import { GobonnieError } from '../../errors.js';
import type { Results } from '../../report/results.js';
import { findLoadCurves } from '../../sweep/load-curves.js';
import { type Markup, tag, escapeMarkup as text } from '../../text/markup.js';
import {
  latencyOverTimeChart,
  longestSeconds,
  percentileChart,
  rateOverTimeChart,
} from './charts/line-charts.js';
import { curveTitle, loadCurveChart } from './charts/load-curve.js';
import {
  changeChart,
  deviceShareChart,
  hostsChart,
  spreadChart,
  stepRatesChart,
} from './charts/row-charts.js';
import { figureElement, htmlDocument } from './document.js';
import type { Chart } from './drawing/chart.js';
import {
  type ChartedResult,
  type ChartedResults,
  type ChartedStep,
  toChartedResults,
  toChartedSteps,
} from './drawing/charted-result.js';
import { summarySection } from './summary-section.js';

export function htmlPage(results: readonly Results[], comparisons?: readonly Comparison[]): string {
  const charted = toChartedResults(results);
  const isSeveral = charted.length > 1;
  const subject = isSeveral ? `${charted.length} results` : (charted[0]?.name ?? 'no results');
  return htmlDocument(`gobonnie: ${subject}`, [
    ...charted.map((result) => summarySection(result, isSeveral)),
    ...chartSections(charted, comparisons ?? compareWithFirst(charted)),
  ]);
}

function chartSections(results: ChartedResults, comparisons: readonly Comparison[]): readonly Markup[] {
  const steps = toChartedSteps(results);
  // A list of steps is too long for a chart of each step.
  const isList = results.some(({ source }) => source.report?.options.steps);
  const phases = isList ? [] : steps;
  const rates = isList ? stepRatesChart(steps, results) : null;
  const lastSeconds = longestSeconds(results, phases);
  const figures = (name: string, drawChart: (phase: ChartedStep) => Chart | null, list = phases) =>
    list.flatMap((phase) => {
      const chart = drawChart(phase);
      const id = `${name.replaceAll(' ', '-')}-${phase.step}`;
      return chart ? figureElement(chart, id, `${phase.title}: ${name}`, phase.title) : [];
    });
  const share = deviceShareChart(phases, results);
  const runs = figures('run by run', (phase) => spreadChart(phase, results));
  const change = changeChart(comparisons);
  const changeTitle = `Change from ${comparisons[0]?.before}`;
  if (change) runs.push(figureElement(change, 'change', changeTitle, changeTitle));
  const sections = {
    'Rate and latency by threads': results.flatMap(curveFigures),
    'Device and page cache': share ? [figureElement(share, 'device', 'Device share')] : [],
    'Rate over time': rates
      ? [figureElement(rates, 'rates', 'Rate over time')]
      : figures('rate over time', (phase) => rateOverTimeChart(phase, results, lastSeconds)),
    'Latency over time': figures('latency over time', (phase) =>
      latencyOverTimeChart(phase, results, lastSeconds),
    ),
    'Latency by percentile': figures('latency by percentile', (phase) => percentileChart(phase, results)),
    'Runs and changes': runs,
    'By host': figures('by host', (phase) => hostsChart(phase, results), steps),
  };
  return Object.entries(sections)
    .filter(([, content]) => content.length > 0)
    .map(([title, content]) => tag('section', {}, tag('h2', {}, text(title)), ...content));
}

function curveFigures({ source, style, name }: ChartedResult, index: number, all: ChartedResults) {
  const curves = source.report ? findLoadCurves(source.report) : [];
  return curves.flatMap((curve, at) => {
    const chart = loadCurveChart(curve, style);
    const heading = all.length > 1 ? `${name}: ${curveTitle(curve)}` : curveTitle(curve);
    return chart ? [figureElement(chart, `curve-${index}-${at}`, heading, heading)] : [];
  });
}

/** Compares each result with the first one, if both have complete runs and metrics in common. */
function compareWithFirst([first, ...others]: ChartedResults): readonly Comparison[] {
  if (!first) return [];
  return others.flatMap((other) => {
    try {
      const before = toComparisonSide(first.name, [first.source]);
      return compareSides(before, toComparisonSide(other.name, [other.source]));
    } catch (error) {
      if (error instanceof GobonnieError) return [];
      throw error;
    }
  });
}
