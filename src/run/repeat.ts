import type { Options } from '../options/options-schema.js';
import { formatAmount } from '../report/amount.js';
import { primaryRateUnit } from '../report/rate.js';
import type { Run, Warning } from '../report/schema/report.js';
import { areStable, findIrregularities } from '../report/statistics/step-statistics.js';
import { MS_PER_SECOND } from '../text/units.js';
import { createWarning } from '../warnings/warning-catalogue.js';

type RepeatOptions = Pick<Options, 'runs' | 'seconds' | 'untilStable' | 'maxRuns'>;

/**
 * Whether no more runs are needed. `isDecided`: whether they would not change a comparison. `isStable`: whether the
 * results vary by less than these percent.
 */
export function isEnough(
  runs: number,
  elapsedSeconds: number,
  options: RepeatOptions,
  isDecided: () => boolean,
  isStable: (withinPercent: number) => boolean,
): boolean {
  if (runs < options.runs || elapsedSeconds < options.seconds) return false;
  if (runs >= options.maxRuns) return true;
  return isDecided() && (options.untilStable === undefined || isStable(options.untilStable));
}

/** Returns the warnings after the last run: unstable results, and results whose mean hides their distribution. */
export function spreadWarnings(runs: readonly Run[], options: RepeatOptions): readonly Warning[] {
  const { untilStable, maxRuns } = options;
  const warnings = findIrregularities(runs).map(spreadWarning);
  if (untilStable !== undefined && !areStable(runs, untilStable)) {
    const count = runs.length;
    const facts = { runs: count, withinPercent: untilStable, maxRuns: Math.max(maxRuns, count) };
    warnings.push(createWarning('not-stable', facts));
  }
  return warnings;
}

type Irregularity = ReturnType<typeof findIrregularities>[number];

function spreadWarning({ step, primaryRate, irregularity }: Irregularity): Warning {
  const formatRate = (rate: number) => formatAmount(rate, primaryRateUnit({ primaryRate }));
  if (irregularity.kind === 'outliers')
    return createWarning('outliers', { values: irregularity.values.map(formatRate).join(', ') }, step);
  const { low, high } = irregularity;
  const facts = {
    low: formatRate(low.mean),
    lowRuns: low.runs,
    high: formatRate(high.mean),
    highRuns: high.runs,
  };
  return createWarning('bimodal', facts, step);
}

/** True if another round, as long as the others, would end within the limit. */
export function hasTimeForRound(rounds: number, elapsedSeconds: number, limitSeconds: number): boolean {
  return elapsedSeconds + elapsedSeconds / rounds <= limitSeconds;
}

/**
 * Measures several sides in turn, each once per round, so a disturbance affects all sides alike. Yields after each round;
 * the caller leaves the loop after enough of them. Ends as soon as `measure` returns false. Rounds count from 1; the seconds
 * are those since the start of the first round.
 */
export async function* measureInTurn<Side>(
  sides: readonly Side[],
  measure: (side: Side, round: number) => Promise<boolean>,
) {
  const startMs = performance.now();
  for (let round = 1; ; round++) {
    // Alternate A B and B A: the second run may find the device warm or throttled.
    for (const side of round % 2 === 1 ? sides : sides.toReversed())
      if (!(await measure(side, round))) return;
    yield { round, elapsedSeconds: (performance.now() - startMs) / MS_PER_SECOND };
  }
}
