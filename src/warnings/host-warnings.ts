import { mergeRanks, type RankMeasurement } from '../report/measure/merge-ranks.js';
import type { Measurement, Warning } from '../report/schema/report.js';
import { display } from '../text/escape.js';
import { groupBy } from '../text/group-by.js';
import { pluralize } from '../text/units.js';
import type { MeasurementContext } from './hint.js';
import { findMeasurementWarnings } from './measurement-warnings.js';

/** Maximum number of hosts that a warning names. */
const MAX_NAMED_HOSTS = 3;

/** Limits a warning to some hosts of a job. */
export function limitToHosts(warning: Warning, hosts: readonly string[]): Warning {
  const remaining = hosts.length - MAX_NAMED_HOSTS;
  const more = remaining > 0 ? ` and ${pluralize(remaining, 'other host')}` : '';
  const names = `${hosts.slice(0, MAX_NAMED_HOSTS).map(display).join(', ')}${more}`;
  return { ...warning, hosts: [...hosts], message: `on ${names}: ${warning.message}` };
}

/** Returns the warnings about a phase of a job. A warning that applies only to some hosts shows their results. */
export function findJobWarnings(
  whole: Measurement,
  ranks: readonly RankMeasurement[],
  context: MeasurementContext,
): readonly Warning[] {
  const hosts = groupBy(ranks, ({ host }) => host);
  const hostWarnings = hosts.flatMap((hostRanks) =>
    findMeasurementWarnings([mergeRanks(hostRanks)], context).map((warning) => ({ warning, hostRanks })),
  );
  const partialGroups = groupBy(hostWarnings, ({ warning }) => warning.code).filter(
    ({ length }) => length < hosts.length,
  );
  const partialWarnings = partialGroups.map(([{ warning, hostRanks }, ...others]) => {
    const affectedRanks = [...hostRanks, ...others.flatMap((one) => one.hostRanks)] as const;
    const mergedWarning = findMeasurementWarnings([mergeRanks(affectedRanks)], context).find(
      ({ code }) => code === warning.code,
    );
    return limitToHosts(mergedWarning ?? warning, [...new Set(affectedRanks.map(({ host }) => host))]);
  });
  const codes = new Set(partialWarnings.map(({ code }) => code));
  return [
    ...findMeasurementWarnings([whole], context).filter(({ code }) => !codes.has(code)),
    ...partialWarnings,
  ];
}
