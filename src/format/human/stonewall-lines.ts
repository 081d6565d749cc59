import { formatAmount } from '../../report/amount.js';
import { minMax } from '../../report/measure/min-max.js';
import { primaryRateUnit } from '../../report/rate.js';
import type { Measurement, Report } from '../../report/schema/report.js';
import { computeMean } from '../../report/statistics/statistics.js';
import { sanitize } from '../../text/escape.js';
import { groupBy } from '../../text/group-by.js';
import { formatSeconds } from '../../text/units.js';
import { hangingIndent, wrapLine } from '../../text/wrap.js';
import type { Screen } from './screen.js';

const INDENT = '  ';

/** Returns the rate of each phase until --stonewall stopped it. Empty if --stonewall stopped no phase. */
export function stonewallLines({ runs }: Report, screen: Screen): readonly string[] {
  const stopped = runs.flatMap(({ measurements }) => measurements.filter(({ stonewall }) => stonewall));
  const phases = groupBy(stopped, ({ phase }) => phase).flatMap((measurements) =>
    hangingIndent(`${INDENT}${sanitize(measurements[0].phase)}: `, phaseText(measurements), screen.columns),
  );
  if (phases.length === 0) return [];
  const head = `${INDENT}stopped by --stonewall (rate as timed); stragglers then caught up:`;
  return ['', ...wrapLine(head, screen.columns), ...phases];
}

function phaseText(measurements: readonly [Measurement, ...Measurement[]]): string {
  const unit = primaryRateUnit(measurements[0]);
  const stonewalls = measurements.map(({ stonewall }) => stonewall).filter((one) => one !== undefined);
  const { max: lastSeconds } = minMax(measurements.map(({ seconds }) => seconds));
  const rate = formatAmount(computeMean(stonewalls.map((one) => one[unit])), unit);
  const until = formatSeconds(computeMean(stonewalls.map(({ seconds }) => seconds)));
  const isEven = stonewalls.every((one) => one.isEven);
  return `${rate} until ${until}, ${isEven ? 'all caught up' : 'not all caught up'} at ${formatSeconds(lastSeconds)}`;
}
