import { type Metric, metrics } from '../../report/metrics.js';
import { isComplete } from '../../report/schema/complete.js';
import type { Unit } from '../../report/schema/unit.js';
import { type Statistics, statisticsOf } from '../../report/statistics/statistics.js';
import { groupsOf } from '../../text/groups.js';
import type { Digest, DigestedRun, Entry } from './digest.js';

/** One metric of a phase, over all the runs that know it. */
export interface Summary extends Pick<Entry, 'phase' | 'title' | 'figure'> {
  readonly metric: Metric;
  readonly unit: Unit;
  readonly statistics: Statistics;
}

/** All that was measured of one thing, however many files tell of it. */
export interface Place extends Pick<Digest, 'label' | 'directory'> {
  readonly digests: readonly Digest[];
}

/** What a phase was in each of the runs. */
export type PhaseEntries = readonly [first: Entry, ...others: Entry[]];

/** In the order in which they were measured. */
export function phasesOf(runs: readonly DigestedRun[]): readonly PhaseEntries[] {
  return groupsOf(
    runs.flatMap(({ entries }) => entries),
    ({ phase }) => phase,
  );
}

/** Where none was completed, nothing. */
export function completeRuns(digests: readonly Digest[]): readonly DigestedRun[] {
  return digests.flatMap(({ runs }) => runs.filter(isComplete));
}

/** The complete runs or, where there is none, what was measured before it was stopped. */
export function toldRuns(digest: Digest): readonly DigestedRun[] {
  const complete = completeRuns([digest]);
  return complete.length > 0 ? complete : digest.runs;
}

/** Where the mean is, at 95 % confidence; no metric is less than nothing. Null of a single run. */
export function intervalOf({
  confidence95,
}: Statistics): { readonly low: number; readonly high: number } | null {
  if (confidence95 === null || !Number.isFinite(confidence95.high)) return null;
  return { low: Math.max(0, confidence95.low), high: confidence95.high };
}

export function placesOf(digests: readonly Digest[]): readonly Place[] {
  return groupsOf(digests, ({ label, directory }) => JSON.stringify([label, directory])).map((group) => ({
    label: group[0].label,
    directory: group[0].directory,
    digests: group,
  }));
}

/** What tells a figure of this place from the same one of another. Of one place alone there is nothing to tell. */
export function prefixOf({ label, directory }: Place, places: readonly Place[]): string {
  if (places.length === 1) return '';
  return `${[label, directory].filter(Boolean).join(' ')}: `;
}

/** Every metric that is known of it. */
export function summariesOf(entries: PhaseEntries): readonly Summary[] {
  const [first] = entries;
  const { phase, title, figure } = first;
  return metrics.flatMap((metric) => {
    const values = entries.map(({ amounts }) => amounts[metric.name]).filter((value) => value !== undefined);
    if (values.length === 0) return [];
    const statistics = statisticsOf(values);
    // A damaged report may hold figures whose sum is none.
    if (!Number.isFinite(statistics.mean)) return [];
    return [{ phase, title, figure, metric, unit: metric.unit(first), statistics }];
  });
}
