import { formatAmount } from '../../report/amount.js';
import { minMax } from '../../report/measure/min-max.js';
import { primaryRateUnit } from '../../report/rate.js';
import type { Measurement, Report } from '../../report/schema/report.js';
import { computeMean } from '../../report/statistics/statistics.js';
import { sanitize } from '../../text/escape.js';
import { groupBy } from '../../text/group-by.js';
import { formatSeconds } from '../../text/units.js';
import { hangingIndent, wrapLine } from '../writing/fold.js';
import type { Screen } from '../writing/screen.js';

const INDENT = '  ';

/** What each phase did until --stonewall cut it, and what followed. Empty if it cut none. */
export function stonewallLines({ runs }: Report, screen: Screen): readonly string[] {
  const cut = runs.flatMap(({ measurements }) => measurements.filter(({ stonewall }) => stonewall));
  const phases = groupBy(cut, ({ phase }) => phase).flatMap((measurements) =>
    hangingIndent(`${INDENT}${sanitize(measurements[0].phase)}: `, cutText(measurements), screen.columns),
  );
  if (phases.length === 0) return [];
  const head = `${INDENT}cut by --stonewall, as timed; from then on threads caught up with the furthest:`;
  return ['', ...wrapLine(head, screen.columns), ...phases];
}

function cutText(measured: readonly [Measurement, ...Measurement[]]): string {
  const unit = primaryRateUnit(measured[0]);
  const cuts = measured.flatMap(({ stonewall }) => stonewall ?? []);
  const { max: lastSeconds } = minMax(measured.map(({ seconds }) => seconds));
  const rate = formatAmount(computeMean(cuts.map((cut) => cut[unit])), unit);
  const until = formatSeconds(computeMean(cuts.map(({ seconds }) => seconds)));
  const isEven = cuts.every((cut) => cut.isEven);
  return `${rate} until ${until}, ${isEven ? 'all even' : 'not all even'} at ${formatSeconds(lastSeconds)}`;
}
