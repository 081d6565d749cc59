import { formatAmount, unitDefinitions } from '../../report/amount.js';
import { groupByHost } from '../../report/host-summary.js';
import { percentileCurve } from '../../report/measure/latency-summary.js';
import { deviceShareText, primaryRateOf, primaryRateUnit } from '../../report/rate.js';
import type { LoadCurve } from '../../sweep/measured-points.js';
import { findKnee } from '../../sweep/sweep-result.js';
import { type Markup, tag } from '../../text/markup.js';
import { formatBytes, formatNs, formatSeconds, GIB } from '../../text/units.js';
import {
  describeKnee,
  describeQuota,
  kneeTitle,
  loadLines,
  pointColumns,
} from '../human/commands/sweep-text.js';
import { HOST_COLUMNS } from '../human/host-lines.js';
import { latencyCell, rateTitle } from '../human/step-table.js';
import { figure, folded, tableElement, textTag } from './document.js';
import {
  type ChartedResult,
  type ChartedResults,
  type ChartedStep,
  describeWork,
  findMeasurements,
  findRows,
} from './drawing/charted-result.js';
import { hueOfPhase } from './drawing/hues.js';
import { type Line, plot } from './drawing/plot.js';
import type { Points } from './drawing/scale.js';
import { amountCurve, cliffBytes, hasPauses, resultCurve } from './drawing/timeline.js';

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

/** Draws the rate of a phase over time or, with pauses, the latency. Empty if no run has it. */
export function rateFigure(step: ChartedStep, results: ChartedResults): readonly Markup[] {
  const { name: unit, divisor } = unitDefinitions[primaryRateUnit(step)].chart;
  const measurements = results.map((result) => findMeasurements(result, step.step));
  // The rate of a disk that is being filled depends on the amount, not on the time.
  const isFill = measurements.flat().some(({ phase }) => phase === 'fill');
  const toPoints = isFill ? amountCurve : resultCurve;
  const lines = results.flatMap(({ name }, at) => {
    const dashes = results.length - 1 - at;
    return (measurements[at] ?? []).map(
      (one): Line => ({ name, hue: step.hue, dashes, points: toPoints(one, divisor) }),
    );
  });
  const known = lines.filter(({ points }) => points.length > 0);
  if (known.length === 0) return [];
  const cliffs = measurements.flat().flatMap(({ cliff }) => (cliff ? [cliff] : []));
  const places = cliffs.map((cliff) => (isFill ? cliffBytes(cliff) / GIB : cliff.atSeconds));
  const isLatency = measurements.flat().some(hasPauses);
  const chart = plot({
    label: `${step.title}: ${isLatency ? 'latency' : 'rate'} over ${isFill ? 'the amount written' : 'time'}`,
    lines: known,
    height: HEIGHT,
    x: isFill ? 'gib' : 'seconds',
    y: isLatency ? 'latency' : 'rate',
    mark: { text: 'cliff', places },
  });
  return [figure(step.title, isLatency ? 'latency' : unit, `f${step.hue}`, chart)];
}

/** Draws the latencies of all phases by percentile, beside a table. Empty if no latency is known. */
export function percentileFigures(steps: readonly ChartedStep[], results: ChartedResults): readonly Markup[] {
  const curves = steps.flatMap((step, place) =>
    results.map((result, at) => {
      const sameHue = steps.slice(0, place).filter(({ hue }) => hue === step.hue).length;
      const rows = findRows(result, step.step);
      const latencies = findMeasurements(result, step.step).map(({ latencyNs }) => latencyNs);
      return {
        name: results.length > 1 ? `${step.step}, ${result.name}` : step.title,
        hue: step.hue,
        dashes: results.length - 1 - at + sameHue,
        // The mean of the runs, so the curve shows the p99 that tables show.
        points: percentileCurve(latencies, CURVE_POINTS),
        cells: rows.length > 0 ? PERCENTILES.map(({ name }) => latencyCell(rows, name)) : [],
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
  const chart = plot({ label, lines, height: PERCENTILES_HEIGHT, x: 'percentiles', y: 'latency' });
  return [figure('Latency', 'by percentile of the operations', '', chart), table];
}

/** Lists every run of the phases as timed. */
export function runsTable(steps: readonly ChartedStep[], results: ChartedResults): Markup {
  const prefix = ({ name }: ChartedResult) => (results.length > 1 ? `${name}, ` : '');
  const rows = steps.flatMap(({ step, title }) =>
    results.flatMap((result) =>
      // Only the last run may be incomplete, so the complete runs have their own numbers.
      findMeasurements(result, step).map((one, index) => [
        `${title}, ${prefix(result)}run ${index + 1}`,
        formatAmount(primaryRateOf(one), primaryRateUnit(one)),
        one.latencyNs ? formatNs(one.latencyNs.p99) : '',
        deviceShareText(one),
        formatSeconds(one.seconds),
      ]),
    ),
  );
  return tableElement([['', 'as timed', 'p99', 'device', 'duration'], ...rows]);
}

const LOAD_CURVE_HEIGHT = 160;

/** Draws the rate and the p99 by depth, and marks the knee. Empty if the device served no point. */
export function loadCurveFigures(curve: LoadCurve, resultName: string): readonly Markup[] {
  const { work, points, quota } = curve;
  const unit = work.phase === 'random' ? 'operationsPerSecond' : 'bytesPerSecond';
  const knee = findKnee(points);
  if (!knee) return [];
  const { quantity: rate, rates, latencies } = loadLines(points, unit);
  const hue = hueOfPhase(work.phase, 0);
  const size = formatBytes(points[0].ioSizeBytes ?? 0);
  const title = `${resultName === '' ? '' : `${resultName}: `}${describeWork(work)}, ${size}`;
  const draw = (quantity: string, y: 'rate' | 'latency', linePoints: Points) => {
    const lines = [{ name: quantity, hue, points: linePoints }];
    const mark = { text: kneeTitle(points), places: [knee.depth] };
    const label = `${title}: ${quantity} by depth`;
    const chart = plot({ label, lines, height: LOAD_CURVE_HEIGHT, x: 'depth', y, mark });
    return linePoints.length === 0 ? [] : [figure(title, `${quantity} by depth`, `f${hue}`, chart)];
  };
  const figures = [...draw(rate, 'rate', rates), ...draw('p99', 'latency', latencies)];
  const columns = pointColumns(points, unit);
  const head = columns.map(({ title }) => title);
  const rows = points.map((point) => columns.map(({ value }) => value(point)));
  return [
    tag('div', { class: 'grid wider' }, ...figures),
    textTag('p', `${describeKnee(points, unit)} ${describeQuota({ quota, points })}`, 'note'),
    folded('All points', tableElement([head, ...rows])),
  ];
}

/** Lists the hosts of a job, the slowest first. Empty with fewer than two hosts. */
export function hostTables({ report }: ChartedResult): readonly Markup[] {
  if (!report?.job) return [];
  return groupByHost(report).flatMap(({ title, rows: hosts, primaryRate }) => {
    if (hosts.length < 2) return [];
    const show = (perSecond: number) => formatAmount(perSecond, primaryRateUnit({ primaryRate }));
    const head = [title, 'as timed', rateTitle(report.target), ...HOST_COLUMNS.map((column) => column.title)];
    const rows = hosts.map((host) => [
      `${host.name}${host.isOutlier ? ', an outlier' : ''}`,
      show(host.timedPerSecond),
      host.perSecond === null ? 'unknown' : show(host.perSecond),
      ...HOST_COLUMNS.map(({ value }) => value(host)),
    ]);
    return [tableElement([head, ...rows])];
  });
}
