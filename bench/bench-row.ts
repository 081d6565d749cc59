/** What must hold of a row: of its own median, or of the median of its ratios to the peer. */
export interface RowTarget {
  readonly statistic: 'median' | 'ratio';
  readonly bound: 'at least' | 'at most';
  readonly limit: number;
}

/** The same thing measured several times by one program. */
export interface ProgramSeries {
  readonly name: string;
  readonly values: readonly number[];
  /** The share of the CPUs that other processes took meanwhile, if known. */
  readonly otherCpuShares: readonly number[];
}

export interface RowLabel {
  /** The name for `--only`. */
  readonly name: string;
  /** What is done, for example with how many threads. */
  readonly work: string;
}

export interface MeasuredRow extends RowLabel {
  readonly unit: string;
  readonly ours: ProgramSeries;
  readonly peer: ProgramSeries | null;
  readonly target: RowTarget;
}

export interface UnmeasuredRow extends RowLabel {
  readonly reason: string;
}

export type BenchRow = MeasuredRow | UnmeasuredRow;

/**
 * Gobonnie's value divided by the peer's, round by round, because the machine changes from minute to minute.
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

/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** Something that a bench needs is not on this machine: its rows are not measured, which is not a failure. */
export class Unavailable extends Error {}
