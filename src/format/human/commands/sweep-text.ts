import { MAX_DEPTH } from '../../../options/option-catalogue.js';
import { formatAmount, formatRateNumber, type RateUnit, unitDefinitions } from '../../../report/amount.js';
import type { Report } from '../../../report/schema/report.js';
import { measuredPoints, quotaFactsOf } from '../../../sweep/measured-points.js';
import { groupByIoSize } from '../../../sweep/point.js';
import type { Quota } from '../../../sweep/quota.js';
import {
  analyzeSweep,
  findKnee,
  greatestDepthWithin,
  isKneeReached,
  type LatencyBound,
  parseLatencyBound,
  type ResultPoint,
  type SweepResult,
} from '../../../sweep/sweep-result.js';
import { sanitize } from '../../../text/escape.js';
import { formatBytes, formatNs } from '../../../text/units.js';
import { toText, wrapLine } from '../../../text/wrap.js';
import { depthScale, latencyAxis, type Points, rateAxis } from '../../page/drawing/scale.js';
import { drawPlots } from '../chart-format.js';
import type { Screen } from '../screen.js';
import { marginText } from '../step-table.js';
import { type Column, textTable } from '../table.js';
import { joinWithAnd } from './conclusion.js';

const PLOT_ROWS = 6;

const WAIT_NOTES: Readonly<Record<NonNullable<ResultPoint['waitReason']>, string>> = {
  cpu: 'perhaps limited by the CPU',
  quota: 'threads wait for the quota',
  'outside-io': 'threads wait outside of I/O',
};

/** Renders the tables, the charts and the conclusions. With `latency`, also the greatest depth that meets it. */
export function sweepText(
  result: SweepResult,
  unit: RateUnit,
  latency: LatencyBound | null,
  screen: Screen,
  isStopped = false,
) {
  const groups = groupByIoSize(result.points);
  const gap = groups.length > 1 ? [''] : [];
  const sections = groups.flatMap((group) => {
    const [{ ioSizeBytes }] = group;
    const heading = groups.length > 1 && ioSizeBytes !== null ? [`${formatBytes(ioSizeBytes)}:`, ''] : [];
    const sentences = curveSentences(group, unit, latency, isStopped);
    return [
      ...heading,
      ...textTable(pointColumns(group, unit), group, screen),
      '',
      ...chartLines(group, unit, screen),
      ...sentences.flatMap((sentence) => wrapLine(sentence, screen.columns)),
      ...gap,
    ];
  });
  const lines = [...sections, ...wrapLine(describeQuota(result), screen.columns)];
  return toText(lines);
}

export function pointColumns(points: readonly ResultPoint[], unit: RateUnit): readonly Column<ResultPoint>[] {
  const knee = findKnee(points);
  const isByThreads = points.every(({ depth, threads }) => depth === threads);
  return [
    { title: isByThreads ? 'threads' : 'depth', value: ({ depth }) => `${depth}` },
    { title: unit === 'bytesPerSecond' ? 'MB/s' : 'IOPS', value: (point) => rateCell(point, unit) },
    { title: 'p99', value: ({ p99Ns }) => (p99Ns === null ? '' : formatNs(p99Ns)) },
    { title: 'in flight', value: ({ inFlight }) => (inFlight === null ? '' : inFlight.toFixed(1)) },
    {
      title: 'notes',
      value: (point) => noteCell(point, point.depth === knee?.depth ? kneeTitle(points) : null),
    },
  ];
}

/** A cached rate is not the device's rate. */
function rateCell(point: ResultPoint, unit: RateUnit): string {
  const rate = point[unit];
  return rate === null || !point.isServedByDevice ? 'unknown' : formatRateNumber(rate, unit);
}

function noteCell(point: ResultPoint, knee: string | null): string {
  if (point.isServedByDevice === null) return 'device share unknown';
  if (!point.isServedByDevice) return 'served by a cache';
  const notes = knee === null ? [] : [knee];
  const reason = point.limitedBy ?? point.waitReason;
  if (reason !== null) notes.push(WAIT_NOTES[reason]);
  return notes.join(', ');
}

/** Draws the rate and, if known, the p99. */
function chartLines(points: readonly ResultPoint[], unit: RateUnit, screen: Screen): readonly string[] {
  const { quantity, rates, latencies } = loadLines(points, unit);
  const plots = [
    { quantity, lines: [rates], x: depthScale, y: rateAxis },
    { quantity: 'p99', lines: [latencies], x: depthScale, y: latencyAxis },
  ].filter(({ lines }) => lines.flat().length > 1);
  return plots.length === 0 ? [] : [...drawPlots('by depth', plots, PLOT_ROWS, screen), ''];
}

/** Returns the lines of a chart by depth: the rate in the unit of charts, and the p99. Omits points that a cache served. */
export function loadLines(points: readonly ResultPoint[], unit: RateUnit) {
  const { name: quantity, divisor } = unitDefinitions[unit].chart;
  const served = servedPoints(points);
  const rates: Points = served.map((point) => [point.depth, (point[unit] ?? 0) / divisor]);
  const latencies: Points = served.flatMap(({ depth, p99Ns }) => (p99Ns === null ? [] : [[depth, p99Ns]]));
  return { quantity, rates, latencies };
}

function servedPoints(points: readonly ResultPoint[]): readonly ResultPoint[] {
  return points.filter(({ isServedByDevice }) => isServedByDevice);
}

/** Returns the knee, and the answer to --latency. */
function curveSentences(
  points: readonly ResultPoint[],
  unit: RateUnit,
  latency: LatencyBound | null,
  isStopped: boolean,
): readonly string[] {
  const knee = describeKnee(points, unit, isStopped);
  return latency === null ? [knee] : [knee, describeLatency(points, latency, unit)];
}

export function describeKnee(points: readonly ResultPoint[], unit: RateUnit, isStopped = false): string {
  const knee = findKnee(points);
  if (!knee) return 'Knee: unknown, because no point has a rate of the device.';
  const margin = marginText({ mean: knee.operationsPerSecond, confidence95: knee.confidence95 });
  const rate = [describeRate(knee, unit), margin].filter(Boolean).join(' ');
  const latency = knee.p99Ns === null ? '' : `, p99 ${formatNs(knee.p99Ns)}`;
  const cpu = knee.limitedBy === 'cpu' ? ' The CPU, not the disk, may limit this rate.' : '';
  if (isKneeReached(points))
    return `Knee: depth ${knee.depth} (${rate}${latency}), the least within 5 % of the best rate.${cpu}`;
  if (isStopped) return 'Knee: unknown, because the sweep did not finish.';
  const depths = [1, 2, 4].map((times) => knee.depth * times).filter((depth) => depth <= MAX_DEPTH);
  const greater = joinWithAnd(depths.map((depth) => `${depth}`));
  const advice = depths.length > 1 ? `: measure ${greater} to see if a greater depth is faster.` : '.';
  return (
    `Knee: not reached. The greatest depth, ${knee.depth}, is the fastest (${rate}${latency})` +
    `${advice}${cpu}`
  );
}

/** The title of a knee in tables and charts. */
export function kneeTitle(points: readonly ResultPoint[]): string {
  return isKneeReached(points) ? 'knee' : 'fastest';
}

function describeLatency(points: readonly ResultPoint[], bound: LatencyBound, unit: RateUnit): string {
  const point = greatestDepthWithin(points, bound);
  const condition = sanitize(bound.condition);
  if (point === null) return `Latency: no point meets ${condition}.`;
  // Rounded up, a latency below the bound could look equal to it.
  const p99Ns = point.p99Ns ?? 0;
  const unitNs = 10 ** (Math.floor(Math.log10(p99Ns || 1)) - 2);
  const isMet = bound.isMetBy(Number(p99Ns.toPrecision(3)));
  const p99 = formatNs(isMet ? p99Ns : Math.floor(p99Ns / unitNs) * unitNs);
  const facts = `${describeRate(point, unit)}, p99 ${p99}`;
  // Other programs can slow the measurement of a small depth.
  const missing = servedPoints(points).filter(
    (one) => one.depth < point.depth && !bound.isMetBy(one.p99Ns ?? 0),
  );
  if (missing.length === 0) return `Latency: up to depth ${point.depth} meets ${condition} (${facts}).`;
  const depths = new Intl.ListFormat('en').format(missing.map((one) => `${one.depth}`));
  const exception = missing.length === 1 ? `depth ${depths} does not` : `depths ${depths} do not`;
  return `Latency: depth ${point.depth} is the greatest that meets ${condition} (${facts}), but ${exception}.`;
}

function describeRate(point: ResultPoint, unit: RateUnit): string {
  return formatAmount(point[unit] ?? 0, unit);
}

/** Renders a report of `gobonnie sweep`. Empty without a point. */
export function sweepReportText(report: Report, screen: Screen): string {
  const result = analyzeReport(report);
  if (result.points.length === 0) return '';
  return sweepText(result, sweepUnit(report), latencyBound(report), screen, isStopped(report));
}

/** Returns the knee and the answer to --latency for each I/O size, and the quota. */
export function sweepSentences(report: Report): readonly string[] {
  const result = analyzeReport(report);
  const groups = groupByIoSize(result.points);
  const sentences = groups.flatMap((group) => {
    const own = curveSentences(group, sweepUnit(report), latencyBound(report), isStopped(report));
    const size = formatBytes(group[0].ioSizeBytes ?? 0);
    return groups.length > 1 ? own.map((one) => one.replace(':', ` (${size}):`)) : own;
  });
  return [...sentences, describeQuota(result)];
}

function isStopped({ outcome }: Report): boolean {
  return outcome.state === 'aborted' || outcome.state === 'failed';
}

export function analyzeReport(report: Report): SweepResult {
  return analyzeSweep(measuredPoints(report), quotaFactsOf(report), latencyBound(report));
}

function latencyBound({ command }: Report): LatencyBound | null {
  const { latency } = command?.options ?? {};
  return latency === undefined ? null : parseLatencyBound(String(latency));
}

/** All steps of a sweep do the same work. */
function sweepUnit({ options: { steps = [] } }: Report): RateUnit {
  return steps[0]?.phase === 'random' ? 'operationsPerSecond' : 'bytesPerSecond';
}

export function describeQuota({ quota, points }: Pick<SweepResult, 'quota' | 'points'>): string {
  if (quota) return describeLimit(quota);
  if (!points.some(({ isServedByDevice }) => isServedByDevice))
    return 'Quota: unknown, because no point has a rate of the device.';
  if (!groupByIoSize(points).some(isKneeReached)) return 'Quota: unknown, because the knee is not reached.';
  return 'Quota: no sign of one. A limit of the host that gobonnie cannot read looks like the disk itself.';
}

export function describeLimit(quota: Quota): string {
  const unit = `${quota.unit}PerSecond` as const;
  const limit = formatAmount(quota.perSecond, unit);
  const source = sanitize(quota.source ?? '');
  switch (quota.evidence) {
    case 'cgroup':
      return `Quota: ${limit}, configured in ${source}.`;
    case 'cloud-volume':
      return `Quota: ${limit}, the published limit of ${source}.`;
    case 'level-fall':
      return `Quota: the rate fell from ${formatAmount(quota.burstPerSecond ?? 0, unit)} to ${limit}; burst credits ran out, or a cache of the device is full.`;
  }
}
