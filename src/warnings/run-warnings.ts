import { mergeRanks, type RankMeasurement } from '../report/measure/merge-ranks.js';
import { allMeasurements } from '../report/runs.js';
import type { Measurement, Report, Warning } from '../report/schema/report.js';
import { display } from '../text/escape.js';
import { groupBy } from '../text/group-by.js';
import { pluralize } from '../text/units.js';
import { measurementContext } from './measurement-context.js';
import { findMeasurementWarnings, measurementWarnings } from './measurement-warnings.js';

const MAX_NAMED_HOSTS = 3;

/** Returns the report's warnings. Warnings about a phase cover all runs so far. */
export function mergeRunWarnings(report: Report): Warning[] {
  const measurements = allMeasurements(report);
  return report.warnings.map((warning) => {
    const { code, step } = warning;
    // A warning about some hosts has the results of only one run.
    if (step === null || warning.hosts || !Object.hasOwn(measurementWarnings, code)) return warning;
    const stepMeasurements = measurements.filter((one) => one.step === step);
    const [measured] = stepMeasurements;
    if (!measured) return warning;
    const context = measurementContext(report, measured);
    return findMeasurementWarnings(stepMeasurements, context).find((one) => one.code === code) ?? warning;
  });
}

export function limitToHosts(warning: Warning, hosts: readonly string[]): Warning {
  const remaining = hosts.length - MAX_NAMED_HOSTS;
  const more = remaining > 0 ? ` and ${pluralize(remaining, 'other host')}` : '';
  const named = hosts.slice(0, MAX_NAMED_HOSTS).map((host) => display(host));
  return { ...warning, hosts: [...hosts], message: `on ${named.join(', ')}${more}: ${warning.message}` };
}

/** Returns the warnings about a phase of a job, derived from the report so far. A warning that applies only to some hosts shows their results. */
export function findJobWarnings(
  whole: Measurement,
  ranks: readonly RankMeasurement[],
  report: Report,
): readonly Warning[] {
  const context = measurementContext(report, whole);
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
