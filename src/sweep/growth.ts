import { primaryRateOf } from '../report/rate.js';
import type { Report } from '../report/schema/report.js';
import { minMax } from '../report/statistics/statistics.js';

/** The curve grows if one of the last points exceeds the best of the others by this. */
const GROWTH = 1.05;
const LAST_POINTS = 2;

/**
 * True if a point of a sweep has to be measured: in the first run while the rate of its curve grows, afterwards if the
 * first run measured it.
 */
export function isPointNeeded(name: string, { options, runs }: Pick<Report, 'options' | 'runs'>): boolean {
  const steps = options.steps ?? [];
  const step = steps.find((one) => one.name === name);
  const [first] = runs;
  const findInFirst = (point: string) => first?.measurements.find((one) => one.step === point);
  if (runs.length > 1) return findInFirst(name) !== undefined;
  const lower = steps.filter((one) => one.ioBytes === step?.ioBytes && one.threads < step.threads);
  const measured = lower.map((one) => findInFirst(one.name)).filter((one) => one !== undefined);
  if (measured.length < lower.length) return false;
  const rates = measured.map(primaryRateOf);
  if (rates.length <= LAST_POINTS) return true;
  const best = minMax(rates.slice(0, -LAST_POINTS)).max;
  return minMax(rates.slice(-LAST_POINTS)).max > best * GROWTH;
}
