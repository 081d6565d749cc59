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
import { changeChart, deviceShareChart, hostsChart, spreadChart } from './charts/row-charts.js';
import { stepRatesChart } from './charts/step-rates.js';
import { figureElement, htmlDocument } from './document.js';
import type { Chart } from './drawing/chart.js';
import {
  type ChartedResult,
  type ChartedStep,
  toChartedResults,
  toChartedSteps,
} from './drawing/charted-result.js';
import { summarySection } from './summary-section.js';

/** Renders a page of one result or several: the summaries, then the charts. */
export function htmlPage(results: readonly Results[], comparisons?: readonly Comparison[]): string {
  const chartedResults = toChartedResults(results);
  const isSeveral = chartedResults.length > 1;
  const subject = isSeveral ? `${chartedResults.length} results` : (chartedResults[0]?.name ?? 'no results');
  return htmlDocument(`gobonnie: ${subject}`, [
    ...chartedResults.map((result) => summarySection(result, isSeveral)),
    ...chartSections(chartedResults, comparisons ?? compareWithFirst(chartedResults)),
  ]);
}

function chartSections(
  chartedResults: readonly ChartedResult[],
  comparisons: readonly Comparison[],
): readonly Markup[] {
  const steps = toChartedSteps(chartedResults);
  // A list of steps is too long for a chart of each step.
  const isList = chartedResults.some(({ source }) => source.report?.options.steps);
  const phases = isList ? [] : steps;
  const rates = isList ? stepRatesChart(steps, chartedResults) : null;
  const lastSeconds = longestSeconds(chartedResults, phases);
  const figures = (name: string, drawChart: (phase: ChartedStep) => Chart | null, list = phases) =>
    list.flatMap((phase) => {
      const chart = drawChart(phase);
      const id = `${name.replaceAll(' ', '-')}-${phase.step}`;
      return chart ? figureElement(chart, id, `${phase.title}: ${name}`, phase.title) : [];
    });
  const share = deviceShareChart(phases, chartedResults);
  const runs = figures('run by run', (phase) => spreadChart(phase, chartedResults));
  const change = changeChart(comparisons);
  const changeTitle = `Change from ${comparisons[0]?.before}`;
  if (change) runs.push(figureElement(change, 'change', changeTitle, changeTitle));
  const sections = {
    'Rate and latency by threads': chartedResults.flatMap(curveFigures),
    'Device and page cache': share ? [figureElement(share, 'device', 'Device share')] : [],
    'Rate over time': rates
      ? [figureElement(rates, 'rates', 'Rate over time')]
      : figures('rate over time', (phase) => rateOverTimeChart(phase, chartedResults, lastSeconds)),
    'Latency over time': figures('latency over time', (phase) =>
      latencyOverTimeChart(phase, chartedResults, lastSeconds),
    ),
    'Latency by percentile': figures('latency by percentile', (phase) =>
      percentileChart(phase, chartedResults),
    ),
    'Runs and changes': runs,
    'By host': figures('by host', (phase) => hostsChart(phase, chartedResults), steps),
  };
  return Object.entries(sections)
    .filter(([, content]) => content.length > 0)
    .map(([title, content]) => tag('section', {}, tag('h2', {}, text(title)), ...content));
}

function curveFigures(
  { source: { report }, style, name }: ChartedResult,
  index: number,
  all: readonly ChartedResult[],
): readonly Markup[] {
  const curves = report ? findLoadCurves(report) : [];
  return curves.flatMap((curve, at) => {
    const chart = loadCurveChart(curve, style);
    const heading = all.length > 1 ? `${name}: ${curveTitle(curve)}` : curveTitle(curve);
    return chart ? [figureElement(chart, `curve-${index}-${at}`, heading, heading)] : [];
  });
}

/** Compares each result with the first one, if both have complete runs and metrics in common. */
function compareWithFirst([first, ...others]: readonly ChartedResult[]): readonly Comparison[] {
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
