import { minMax } from '../../report/measure/min-max.js';
import { formatNs } from '../../text/units.js';
import type { Area, Chart } from '../drawing/chart.js';
import {
  type ChartedMeasurement,
  type ChartedPhase,
  type ChartedResult,
  describeRun,
  findMeasurements,
  legendEntries,
} from '../drawing/charted-result.js';
import { type Curve, constantSegment } from '../drawing/curve.js';
import { createFrame } from '../drawing/frame.js';
import { lineStyle } from '../drawing/line-style.js';
import { logarithmicScale, spanValues } from '../drawing/scale.js';
import { timePlot } from '../drawing/time-plot.js';

const PLOT_HEIGHT = 140;

type LatencyName = 'p50' | 'p99' | 'max';
const LATENCY_NAMES = ['p50', 'p99', 'max'] as const;

/** Draws latency over time: p50, p99 and max of a single run, or the p99 of each run. Null if unknown. */
export function latencyOverTimeChart(
  { phase, title }: ChartedPhase,
  chartedResults: readonly ChartedResult[],
  lastSeconds: number,
): Chart | null {
  const measurements = findMeasurements(chartedResults, phase).filter(
    ({ measurement }) => measurement.series.latencyNs,
  );
  const [only, ...others] = measurements;
  if (!only) return null;
  const isSingle = others.length === 0;
  const lines = isSingle
    ? LATENCY_NAMES.map((name, at) => ({
        name: name as string,
        style: lineStyle(at),
        curve: latencyCurve(only, name),
      }))
    : measurements.map((one) => ({
        name: one.result.name,
        style: one.result.style,
        curve: latencyCurve(one, 'p99'),
      }));
  const values = lines.flatMap(({ curve }) => curve.map(([, ns]) => ns));
  if (values.length === 0) return null;
  const plot = timePlot(lines, createFrame(legendEntries(isSingle ? lines : chartedResults), PLOT_HEIGHT), {
    divisor: 1,
    lastSeconds,
    titles: ['seconds', isSingle ? 'latency' : 'p99'],
    scale: (area: Area) => logarithmicScale(spanValues(values), [area.bottom, area.top], formatNs),
  });
  return {
    id: `latency-over-time-${phase}`,
    heading: title,
    title: `${title}: latency over time`,
    description: describeLatencies(values, isSingle),
    height: plot.height,
    marks: plot.marks,
    table: [
      ['', 'lowest p50', 'highest p50', 'lowest p99', 'highest p99', 'longest'],
      ...measurements.map((one) => {
        const [p50, p99, max] = LATENCY_NAMES.map((name) => latencyCurve(one, name).map(([, ns]) => ns));
        const extremes = [p50, p99].flatMap((all = []) => spanValues(all).map(formatNs));
        return [describeRun(one, chartedResults), ...extremes, formatNs(minMax(max ?? []).max)];
      }),
    ],
  };
}

/** Omits slots in which no operation ended. */
function latencyCurve({ measurement: { series } }: ChartedMeasurement, name: LatencyName): Curve {
  return (series.latencyNs?.[name] ?? []).flatMap((ns, at) => {
    if (ns === null) return [];
    return constantSegment(series.seconds[at - 1] ?? 0, series.seconds[at] ?? 0, Math.max(1, ns));
  });
}

function describeLatencies(values: readonly number[], isSingle: boolean): string {
  const { min, max } = minMax(values);
  return isSingle
    ? `Median (p50), p99 and maximum latency of each tenth of a second: from ${formatNs(min)} to ${formatNs(max)}.`
    : `p99 latency of each tenth of a second of each run: from ${formatNs(min)} to ${formatNs(max)}.`;
}
