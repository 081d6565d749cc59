import { median } from './median.js';

/** What a row has to reach: its own median, or the median of its ratios to the peer. */
export interface Target {
  readonly of: 'median' | 'ratio';
  readonly bound: 'at least' | 'at most';
  readonly limit: number;
}

/** The same thing measured a few times, by whoever the name says. */
export interface Series {
  readonly name: string;
  readonly values: readonly number[];
  /** What everybody else took of the CPUs meanwhile, where that is known. */
  readonly othersShares: readonly number[];
}

export interface Subject {
  /** What `--only` takes. */
  readonly name: string;
  /** With how many threads on how much data. */
  readonly work: string;
}

export interface MeasuredRow extends Subject {
  readonly unit: string;
  readonly ours: Series;
  readonly peer: Series | null;
  readonly target: Target;
}

export interface UnmeasuredRow extends Subject {
  readonly why: string;
}

export type Row = MeasuredRow | UnmeasuredRow;

/**
 * Gobonnie over the peer, round by round: the two of a round met the same machine, which a minute later is another.
 * Null without a peer.
 */
export function ratiosOf({ ours, peer }: MeasuredRow): readonly number[] | null {
  return peer && ours.values.map((value, round) => value / (peer.values[round] ?? Number.NaN));
}

export function isHeld(row: MeasuredRow): boolean {
  const { of, bound, limit } = row.target;
  const value = median(of === 'ratio' ? (ratiosOf(row) ?? []) : row.ours.values);
  return bound === 'at least' ? value >= limit : value <= limit;
}
