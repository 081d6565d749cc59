import type { Unit } from './amount.js';

interface Rates<Rate> {
  /** Which of the two is the main one. */
  readonly figure: 'bytes' | 'operations';
  readonly bytesPerSecond: Rate;
  readonly operationsPerSecond: Rate;
}

/** The main rate of a phase. */
export function rateOf<Rate extends number | null>(rates: Rates<Rate>): Rate {
  return rates[rateUnitOf(rates)];
}

export function rateUnitOf({ figure }: Pick<Rates<null>, 'figure'>) {
  return (figure === 'bytes' ? 'bytesPerSecond' : 'operationsPerSecond') satisfies Unit;
}
