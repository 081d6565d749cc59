import { type Change, compareSubjects, sideOf } from './comparison.js';
import type { MetricSample, Subject } from './subject.js';

/** Who is the best in one figure. */
export interface Standing extends Pick<Change, 'name' | 'unit'> {
  /** Null where the difference to another may be noise. */
  readonly winner: string | null;
  /** The one with the best mean, and by how much it is better than the next: that which leaves no winner, or the second. */
  readonly leader: string;
  readonly next: string;
  readonly leadPercent: number | null;
  readonly intervalPercent: Change['intervalPercent'];
}

/** Of subjects that were measured in turn: a winner only where it is sure to be better than every other one. */
export function standingsOf(subjects: readonly Subject[]): readonly Standing[] {
  const [first, ...others] = subjects;
  const judged = (first?.samples ?? []).filter(
    ({ role, name }) => role === 'judged' && others.every((other) => sampleNamed(other, name)),
  );
  return judged.flatMap((sample) => standingOf(sample, subjects) ?? []);
}

function standingOf({ name, unit, better }: MetricSample, subjects: readonly Subject[]): Standing | null {
  const meanOf = (subject: Subject) => sideOf(sampleNamed(subject, name)?.values ?? []).mean;
  const sign = better === 'less' ? -1 : 1;
  const [leader, ...others] = subjects.toSorted((one, other) => sign * (meanOf(other) - meanOf(one)));
  if (!leader) return null;
  // Which of them leads is known only now: every pair might have been the one that is compared.
  const comparisons = pairCount(subjects.length);
  const leads = others.map((other) =>
    compareSubjects(other, leader, { method: 'paired', comparisons }).changes.find(
      (change) => change.name === name,
    ),
  );
  const doubtful = leads.findIndex((lead) => lead?.certainty !== 'sound' || lead.direction !== 'better');
  // The next best, or the first whom it may not be ahead of.
  const at = Math.max(doubtful, 0);
  const [next, lead] = [others[at], leads[at]];
  if (!next) return null;
  return {
    name,
    unit,
    winner: doubtful === -1 ? leader.name : null,
    leader: leader.name,
    next: next.name,
    leadPercent: lead?.changePercent ?? null,
    intervalPercent: lead?.intervalPercent ?? null,
  };
}

/** How many pairs there are to be told apart. */
export function pairCount(count: number): number {
  return (count * (count - 1)) / 2;
}

function sampleNamed({ samples }: Subject, wanted: string): MetricSample | undefined {
  return samples.find(({ name }) => name === wanted);
}
