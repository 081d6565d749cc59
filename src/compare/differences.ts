import { groupBy } from '../text/groups.js';
import { type EnvironmentDifference, differencesOf, type Fact } from './facts.js';
import type { Subject } from './subject.js';

/** The differences between both sides, and within each side if it has several documents. */
export function differencesBetween(
  before: Subject,
  after: Subject,
): {
  readonly differences: readonly EnvironmentDifference[];
  readonly environmentNotes: readonly EnvironmentDifference[];
} {
  const [own, other] = [firstFacts(before), firstFacts(after)];
  const all = [
    ...differencesOf(own, other),
    ...differencesWithin(before, own),
    ...differencesWithin(after, other),
  ];
  const noted = new Set([...own, ...other].filter(({ isNote }) => isNote).map(({ name }) => name));
  return {
    differences: all.filter(({ name }) => !noted.has(name)),
    environmentNotes: all.filter(({ name }) => noted.has(name)),
  };
}

/** Each fact from the first document that knows it. */
function firstFacts({ facts }: Subject): readonly Fact[] {
  return groupBy(facts.flat(), ({ name }) => name).map(
    (group) => group.find(({ value }) => value !== null) ?? group[0],
  );
}

function differencesWithin({ name: within, facts }: Subject, first: readonly Fact[]): readonly EnvironmentDifference[] {
  const differences = facts.flatMap((one) => differencesOf(first, one));
  return groupBy(differences, ({ name }) => name).map(([difference]) => ({ ...difference, within }));
}
