import type { MetricUnit } from './amount.js';

interface Rates<Rate> {
  readonly primaryRate: 'bytes' | 'operations';
  readonly bytesPerSecond: Rate;
  readonly operationsPerSecond: Rate;
}

export function primaryRateOf<Rate extends number | null>(rates: Rates<Rate>): Rate {
  return rates[primaryRateUnit(rates)];
}

export function primaryRateUnit({ primaryRate }: Pick<Rates<null>, 'primaryRate'>) {
  return (primaryRate === 'bytes' ? 'bytesPerSecond' : 'operationsPerSecond') satisfies MetricUnit;
}
