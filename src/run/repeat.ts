import type { Options } from '../options/schema.js';
import { showAmount } from '../report/amount.js';
import { rateUnitOf } from '../report/rate.js';
import type { Warning } from '../report/schema/report.js';
import { areStable, type Measured, spreadsOf } from '../report/statistics/figures.js';
import { warningOf } from '../report/warning-catalogue.js';

type RepeatOptions = Pick<Options, 'runs' | 'seconds' | 'untilStable' | 'maxRuns'>;

/** Whether no more runs are needed. */
export function hasEnoughRuns(measured: Measured, elapsedSeconds: number, options: RepeatOptions): boolean {
  const { runs } = measured;
  if (runs.length < options.runs || elapsedSeconds < options.seconds) return false;
  return (
    options.untilStable === undefined ||
    runs.length >= options.maxRuns ||
    areStable(measured, options.untilStable)
  );
}

/** The warnings after the last run: of figures that are not stable, and of those whose mean hides how they are spread. */
export function spreadWarnings(measured: Measured, { untilStable, maxRuns }: RepeatOptions): readonly Warning[] {
  const isUnstable = untilStable !== undefined && !areStable(measured, untilStable);
  return [
    ...spreadsOf(measured).map(spreadWarning),
    ...(isUnstable
      ? [
          warningOf('not-stable', {
            runs: measured.runs.length,
            withinPercent: untilStable,
            maxRuns: Math.max(maxRuns, measured.runs.length),
          }),
        ]
      : []),
  ];
}

function spreadWarning({ phase, primaryRate, spread }: ReturnType<typeof spreadsOf>[number]): Warning {
  const formatRate = (rate: number) => showAmount(rate, rateUnitOf({ primaryRate }));
  if (spread.kind === 'outliers')
    return warningOf('outliers', { values: spread.values.map(formatRate).join(', ') }, phase);
  const { low, high } = spread;
  const facts = { low: formatRate(low.mean), lowRuns: low.runs, high: formatRate(high.mean), highRuns: high.runs };
  return warningOf('bimodal', facts, phase);
}
