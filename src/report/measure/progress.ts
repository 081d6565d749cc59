import type { Measurement } from '../schema/measurement-schema.js';

/** The amount of work done after `seconds`. */
export interface ProgressPoint {
  readonly seconds: number;
  readonly amount: number;
}

export const PROGRESS_START: ProgressPoint = { seconds: 0, amount: 0 };

/** Returns the progress of a phase at each sample, without its start. */
export function progressPoints({ series, primaryRate }: Pick<Measurement, 'series' | 'primaryRate'>) {
  return series.seconds.map((seconds, at) => ({ seconds, amount: series[primaryRate][at] ?? 0 }));
}

/** Returns the rate in each of `parts` equal parts of the time. */
export function resampleRates(curve: readonly ProgressPoint[], parts: number): readonly number[] {
  const { seconds } = curve.at(-1) ?? PROGRESS_START;
  const edges = Array.from({ length: parts + 1 }, (_, at) => interpolatePoint(curve, (seconds * at) / parts));
  return edges.slice(1).map((edge, at) => rateBetween(edges[at] ?? PROGRESS_START, edge));
}

/** Returns 0 if no time has passed. */
export function rateBetween(before: ProgressPoint, after: ProgressPoint): number {
  const seconds = after.seconds - before.seconds;
  return seconds > 0 ? (after.amount - before.amount) / seconds : 0;
}

export function interpolatePoint(curve: readonly ProgressPoint[], seconds: number): ProgressPoint {
  const next = curve.findIndex((point) => point.seconds >= seconds);
  const before = curve[next - 1];
  const after = curve[next] ?? curve.at(-1) ?? PROGRESS_START;
  if (!before) return after;
  const share = (seconds - before.seconds) / (after.seconds - before.seconds);
  return { seconds, amount: before.amount + share * (after.amount - before.amount) };
}
