import { formatAmount, formatDeviceShare, formatRateNumber, type RateUnit } from '../../report/amount.js';
import { findListedSteps, listPart, type StepPart } from '../../report/listed-steps.js';
import { metricOfRuns, rateMetric, summarizeMetric } from '../../report/metrics.js';
import type { TargetKind } from '../../report/rate.js';
import type { StepValues } from '../../report/results.js';
import type { Report } from '../../report/schema/report.js';
import {
  computeMarginPercent,
  isTellingInterval,
  type Statistics,
} from '../../report/statistics/statistics.js';
import { sanitize } from '../../text/escape.js';
import { formatNs, MB } from '../../text/units.js';
import type { Screen } from './screen.js';
import { type Column, INDENT, textTable } from './table.js';

/** A step, or a part of the step above. Without a result, its cells are empty. */
export interface StepRow {
  readonly name: string;
  /** Null for a whole step. */
  readonly part: StepPart | null;
  readonly rows: readonly StepValues[];
}

/** The device share is known only for reads and writes together. The widths leave space for longer rows, which may still follow. */
// biome-ignore format: a row per column
export const STEP_COLUMNS: readonly Column<StepRow>[] = [
  { title: 'MB/s', minWidth: 7, value: (row) => rateCell(row, 'throughput', 'bytesPerSecond') },
  { title: 'IOPS', minWidth: 7, value: (row) => rateCell(row, 'ops', 'operationsPerSecond') },
  { title: 'varies', minWidth: 7, value: (row) => spreadCell(row) },
  { title: 'p50', minWidth: 7, value: ({ rows }) => latencyCell(rows, 'p50') },
  { title: 'p99', minWidth: 7, value: ({ rows }) => latencyCell(rows, 'p99') },
  { title: 'device', minWidth: 7, value: ({ rows, part }) => part || rows.length === 0 ? '' : formatDeviceShare(metricOfRuns(rows, 'share')) },
];

/** An em space, which pages and Markdown show at the start of a text. */
export const PART_INDENT = '\u2003';
const PARTS: readonly StepPart[] = ['reads', 'writes', 'sync'];
/** From here on, a short number is in thousands. */
const MIN_THOUSANDS = 10_000;

export function stepTableLines(report: Report, screen: Screen): readonly string[] {
  const name: Column<StepRow> = { title: '', value: (row) => (row.part ? INDENT : '') + row.name };
  return textTable([name, ...STEP_COLUMNS], stepTableRows(report), screen);
}

/** Returns a row for each step, in the order of the request, and below it the rows of its parts. */
export function stepTableRows(report: Report): readonly StepRow[] {
  return findListedSteps(report).flatMap((result) => {
    const name = sanitize(result.step.name);
    const parts = PARTS.map((part) => ({ name: part, part, rows: listPart(result, part, report) }));
    const known = parts.filter(({ rows }) => rows.length > 0);
    return [{ name, part: null, rows: result.rows }, ...known];
  });
}

function rateCell({ rows, part }: StepRow, name: 'throughput' | 'ops', unit: RateUnit): string {
  if (rows.length === 0 || part === 'sync') return '';
  if (summarizeRate(rows)?.isFromDevice) return formatRateNumber(metricOfRuns(rows, name) ?? 0, unit);
  return metricOfRuns(rows, 'share') === null ? 'unknown' : 'cached';
}

/** Returns how far the rate is from its mean or, if that is more than an interval should be, the lowest and the highest rate. */
function spreadCell({ rows, part }: StepRow): string {
  if (part === 'sync') return '';
  const { margin, shortRange } = rateTexts(rows);
  return margin || shortRange;
}

/** Returns the title of a column of rates. */
export function rateTitle({ isMemory }: TargetKind): string {
  return isMemory ? 'in memory' : 'on the disk';
}

/** Summarizes the disk's rate over the runs or, for data in RAM, the timed rate. */
function summarizeRate(rows: readonly StepValues[]) {
  const isMemory = rows.some((row) => row.isMemory);
  return summarizeMetric(rows, rateMetric, isMemory);
}

/** Returns the texts of the rate. */
export function rateTexts(rows: readonly StepValues[]) {
  const rate = summarizeRate(rows);
  if (!rate?.isFromDevice) {
    // bonnie++ prints no rate then.
    const mean =
      rate === null && rows.every(({ measurement }) => measurement === null) ? 'too quick' : 'unknown';
    return { mean, margin: '', range: '', shortRange: '' };
  }
  const { value: mean, spread } = rate;
  const { runs, min, max } = spread;
  const show = (perSecond: number) => formatAmount(perSecond, rate.unit);
  const margin = marginText({ mean, ...spread });
  if (runs < 2) return { mean: show(mean), margin, range: '', shortRange: '' };
  const divisor = rate.unit === 'bytesPerSecond' ? MB : 1;
  const shortRange = `${shortNumber(min / divisor)}-${shortNumber(max / divisor)}`;
  return { mean: show(mean), margin, range: `${show(min)} to ${show(max)}`, shortRange };
}

/** `934` or `228k`. */
function shortNumber(value: number): string {
  return value < MIN_THOUSANDS ? String(Number(value.toPrecision(3))) : `${Math.round(value / 1000)}k`;
}

/**
 * Returns how far the ends of the confidence interval are from the mean at most, in percent of the mean. Empty if it is so
 * wide that the lowest and the highest value say more.
 */
export function marginText(statistics: Pick<Statistics, 'mean' | 'confidence95'>): string {
  const { confidence95 } = statistics;
  const percent = computeMarginPercent(statistics);
  return percent === null || !confidence95 || !isTellingInterval(confidence95)
    ? ''
    : `± ${percent.toFixed(0)} %`;
}

/** Returns the percentile's mean over the runs. */
export function latencyCell(rows: readonly StepValues[], name: keyof StepValues['latencyNs']): string {
  const ns = metricOfRuns(rows, name);
  return ns === null ? '' : formatNs(ns);
}
