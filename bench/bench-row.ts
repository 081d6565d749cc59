/** Target of a row: for its own median, or for the median of its ratios to the peer. */
export interface RowTarget {
  readonly statistic: 'median' | 'ratio';
  readonly bound: 'at least' | 'at most';
  readonly limit: number;
}

/** Repeated results of one program. */
export interface ProgramSeries {
  readonly name: string;
  readonly values: readonly number[];
  /** Share of the CPU time that other processes used during each result, if known. */
  readonly otherCpuShares: readonly number[];
}

export interface RowLabel {
  /** The name for `--only`. */
  readonly name: string;
  /** Description of the work, for example `write 64 KiB, 2 threads`. */
  readonly work: string;
}

export interface MeasuredRow extends RowLabel {
  readonly unit: string;
  readonly ours: ProgramSeries;
  readonly peer: ProgramSeries | null;
  readonly target: RowTarget;
}

interface UnmeasuredRow extends RowLabel {
  readonly reason: string;
}

export type BenchRow = MeasuredRow | UnmeasuredRow;

/**
 * Divides gobonnie's value by the peer's in every round, because the machine's speed changes from minute to minute.
 * Null without a peer.
 */
export function computeRatios({ ours, peer }: MeasuredRow): readonly number[] | null {
  return peer && ours.values.map((value, round) => value / (peer.values[round] ?? Number.NaN));
}

export function meetsTarget(row: MeasuredRow): boolean {
  const { statistic, bound, limit } = row.target;
  const value = median(statistic === 'ratio' ? (computeRatios(row) ?? []) : row.ours.values);
  return bound === 'at least' ? value >= limit : value <= limit;
}

/** Returns the middle value, or the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** This machine lacks a requirement of the bench. Its rows are not measured, which is not a failure. */
export class Unavailable extends Error {}
