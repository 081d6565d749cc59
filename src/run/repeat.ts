import type { Options } from '../options/schema.js';
import { showAmount } from '../report/amount.js';
import { rateUnitOf } from '../report/rate.js';
import type { Warning } from '../report/schema/report.js';
import { areStable, type Measured, spreadsOf } from '../report/statistics/figures.js';
import { warningOf } from '../report/warning-catalogue.js';

type Repetition = Pick<Options, 'runs' | 'seconds' | 'untilStable' | 'maxRuns'>;

/** Whether no more runs are needed. */
export function isEnough(measured: Measured, elapsedSeconds: number, wanted: Repetition): boolean {
  const { runs } = measured;
  if (runs.length < wanted.runs || elapsedSeconds < wanted.seconds) return false;
  return (
    wanted.untilStable === undefined ||
    runs.length >= wanted.maxRuns ||
    areStable(measured, wanted.untilStable)
  );
}

/** The warnings after the last run: of figures that are not stable, and of those whose mean hides how they are spread. */
export function spreadWarnings(measured: Measured, { untilStable, maxRuns }: Repetition): readonly Warning[] {
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
  const shown = (rate: number) => showAmount(rate, rateUnitOf({ primaryRate }));
  if (spread.kind === 'outliers')
    return warningOf('outliers', { values: spread.values.map(shown).join(', ') }, phase);
  const { low, high } = spread;
  const facts = { low: shown(low.mean), lowRuns: low.runs, high: shown(high.mean), highRuns: high.runs };
  return warningOf('bimodal', facts, phase);
}
