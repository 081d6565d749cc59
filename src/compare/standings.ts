import { type MetricChange, compareSubjects, sideOf } from './comparison.js';
import type { MetricSample, Subject } from './subject.js';

/** The best subject for one figure. */
export interface Standing extends Pick<MetricChange, 'name' | 'unit' | 'isFromDevice'> {
  /** Null if its lead over some other may be noise. */
  readonly winner: string | null;
  /** The subject with the best mean; `next` is the one that it does not clearly beat, else the second. */
  readonly leader: string;
  readonly runnerUp: string;
  readonly leadPercent: number | null;
  readonly intervalPercent: MetricChange['intervalPercent'];
}

/** For subjects that were measured in turn. A winner must be significantly better than each of the others. */
export function standingsOf(subjects: readonly Subject[]): readonly Standing[] {
  const [first, ...others] = subjects;
  const judged = (first?.samples ?? []).filter(
    ({ role, name }) => role === 'gating' && others.every((other) => sampleNamed(other, name)),
  );
  return judged.flatMap((sample) => standingOf(sample, subjects) ?? []);
}

function standingOf({ name, unit, better }: MetricSample, subjects: readonly Subject[]): Standing | null {
  const isFromDevice = subjects.every((subject) => sampleNamed(subject, name)?.isFromDevice);
  const meanOf = (subject: Subject) => {
    const { values = [], timed = [] } = sampleNamed(subject, name) ?? {};
    return sideOf(isFromDevice ? values : timed).mean;
  };
  const sign = better === 'lower' ? -1 : 1;
  const [leader, ...others] = subjects.toSorted((one, other) => sign * (meanOf(other) - meanOf(one)));
  if (!leader) return null;
  // The leader was not known in advance, so any pair might have been compared.
  const comparisons = pairCount(subjects.length);
  const leads = others.map((other) =>
    compareSubjects(other, leader, { method: 'paired', comparisons }).changes.find(
      (change) => change.name === name,
    ),
  );
  const doubtful = leads.findIndex(
    (lead) => lead?.significance !== 'significant' || lead.direction !== 'better',
  );
  // The first that it may not be ahead of, else the second best.
  const at = Math.max(doubtful, 0);
  const [next, lead] = [others[at], leads[at]];
  if (!next) return null;
  return {
    name,
    unit,
    isFromDevice,
    winner: doubtful === -1 ? leader.name : null,
    leader: leader.name,
    runnerUp: next.name,
    leadPercent: lead?.changePercent ?? null,
    intervalPercent: lead?.intervalPercent ?? null,
  };
}

export function pairCount(count: number): number {
  return (count * (count - 1)) / 2;
}

function sampleNamed({ samples }: Subject, wanted: string): MetricSample | undefined {
  return samples.find(({ name }) => name === wanted);
}
