import { formatAmount, formatShare, unitDefinitions } from '../../../report/amount.js';
import { latenciesAt, percentileCurve } from '../../../report/measure/latency-summary.js';
import { primaryRateOf, primaryRateUnit } from '../../../report/rate.js';
import { groupByStep } from '../../../report/results.js';
import { averageRuns } from '../../../report/statistics/statistics.js';
import type { Markup } from '../../../text/markup.js';
import { formatNs, formatSeconds } from '../../../text/units.js';
import { runsToShow } from '../../data/metric-summary.js';
import { latencyCell } from '../../human/aligned-table.js';
import { figure, tableElement } from '../document.js';
import {
  type ChartedMeasurement,
  type ChartedResults,
  type ChartedStep,
  findMeasurements,
} from '../drawing/charted-result.js';
import { type Line, plot } from '../drawing/plot.js';
import type { Points } from '../drawing/scale.js';
import { rateCurve } from '../drawing/timeline.js';

const HEIGHT = 140;
const PERCENTILES_HEIGHT = 200;
const CURVE_POINTS = 120;
/** More lines would hide each other. */
const MAX_PERCENTILE_LINES = 12;
const PERCENTILES = [
  { name: 'p50', head: '50 %' },
  { name: 'p90', head: '90 %' },
  { name: 'p99', head: '99 %' },
  { name: 'p999', head: '99.9 %' },
  { name: 'max', head: 'longest' },
] as const;

/** Draws the rate of a phase over time. Empty if no run has it. */
export function rateFigure(step: ChartedStep, results: ChartedResults): readonly Markup[] {
  const { name: unit, divisor } = unitDefinitions[primaryRateUnit(step)].chart;
  const measurements = findMeasurements(results, step.step);
  const lines = measurements.map(({ result, measurement }): Line => {
    const dashes = results.length - 1 - results.indexOf(result);
    return { name: result.name, hue: step.hue, dashes, points: rateCurve(measurement, divisor) };
  });
  const known = lines.filter(({ points }) => points.length > 0);
  if (known.length === 0) return [];
  const chart = plot({
    label: `${step.title}: rate over time`,
    lines: known,
    height: HEIGHT,
    x: 'linear s',
    y: `linear ${unit}`,
    mark: {
      text: 'cliff',
      places: measurements.flatMap(({ measurement: { cliff } }) => (cliff ? [cliff.atSeconds] : [])),
    },
  });
  return [figure(step.title, unit, `f${step.hue}`, chart)];
}

/** Draws the latencies of all phases by percentile, beside a table. Empty if no latency is known. */
export function percentileFigures(steps: readonly ChartedStep[], results: ChartedResults): readonly Markup[] {
  const curves = steps.flatMap((step, place) =>
    results.map((result, at) => {
      const sameHue = steps.slice(0, place).filter(({ hue }) => hue === step.hue).length;
      const rows = groupByStep(runsToShow(result)).find(([first]) => first.step === step.step);
      return {
        name: results.length > 1 ? `${step.step}, ${result.name}` : step.title,
        hue: step.hue,
        dashes: results.length - 1 - at + sameHue,
        points: meanCurve(findMeasurements([result], step.step)),
        cells: rows ? PERCENTILES.map(({ name }) => latencyCell(rows, name)) : [],
      };
    }),
  );
  const lines = curves.filter(({ points }) => points.length > 0);
  if (lines.length === 0) return [];
  const known = curves.filter(({ cells }) => cells.length > 0);
  const table = tableElement([
    ['', ...PERCENTILES.map(({ head }) => head)],
    ...known.map(({ name, cells }) => [name, ...cells]),
  ]);
  if (lines.length > MAX_PERCENTILE_LINES) return [table];
  const label = 'Latency by percentile';
  const chart = plot({ label, lines, height: PERCENTILES_HEIGHT, x: 'nines', y: 'log ns' });
  return [figure('Latency', 'by percentile of the operations', '', chart), table];
}

/** Returns the mean of the runs at each percentile, so the curve shows the p99 that tables show. */
function meanCurve(measurements: readonly ChartedMeasurement[]): Points {
  const latencies = measurements
    .map(({ measurement }) => measurement.latencyNs)
    .filter((one) => one !== null);
  const [fewest] = latencies.toSorted((one, other) => one.samples - other.samples);
  const shares = (fewest ? percentileCurve(fewest, CURVE_POINTS) : []).map(([share]) => share);
  const curves = latencies.map((latency) => latenciesAt(latency, shares));
  return shares.map((share, at) => [share, averageRuns(curves.map((curve) => curve[at] ?? 0))] as const);
}

/** Lists every run of the phases as timed. */
export function runsTable(steps: readonly ChartedStep[], results: ChartedResults): Markup {
  const rows = steps.flatMap(({ step, title }) =>
    findMeasurements(results, step).map(({ runName, measurement }) => {
      const { latencyNs, device, seconds } = measurement;
      return [
        `${title}, ${runName}`,
        formatAmount(primaryRateOf(measurement), primaryRateUnit(measurement)),
        latencyNs ? formatNs(latencyNs.p99) : '',
        device.share === null ? 'unknown' : formatShare(device.share),
        formatSeconds(seconds),
      ];
    }),
  );
  return tableElement([['', 'as timed', 'p99', 'device', 'duration'], ...rows]);
}
