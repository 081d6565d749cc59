import type { Phase } from '../../workers/phases/phase.js';
import type { Tally } from '../../workers/protocol.js';
import { NS_PER_SECOND } from '../units.js';
import type { Measurement } from './report.js';

/** Merges the tallies of one phase. Its time is gate to last finisher. */
export function merge(
  { name, title, figure }: Pick<Phase, 'name' | 'title' | 'figure'>,
  tallies: readonly Tally[],
  gateNs: bigint,
): Measurement {
  const bytes = sum(tallies.map((tally) => tally.bytes));
  const operations = sum(tallies.map((tally) => tally.operations));
  // A clock that stood still would make the rates infinite, which no format can hold.
  const elapsedNs = Math.max(1, ...tallies.map(({ endNs }) => Number(endNs - gateNs)));
  const seconds = elapsedNs / NS_PER_SECOND;
  return {
    phase: name,
    title,
    figure,
    bytes,
    operations,
    seconds,
    bytesPerSecond: bytes / seconds,
    operationsPerSecond: operations / seconds,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
