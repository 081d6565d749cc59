import { groupBy } from '../text/group-by.js';
import { type ComparedProperty, diffProperties, type EnvironmentDifference } from './properties.js';
import type { ComparisonSide } from './side.js';

/** The differences between both sides, and within each side if it has several documents. */
export function findDifferences(
  before: ComparisonSide,
  after: ComparisonSide,
): {
  readonly differences: readonly EnvironmentDifference[];
  readonly environmentNotes: readonly EnvironmentDifference[];
} {
  const own = pickKnownProperties(before);
  const other = pickKnownProperties(after);
  const all = [
    ...diffProperties(own, other),
    ...findDifferencesWithin(before, own),
    ...findDifferencesWithin(after, other),
  ];
  const informationalNames = new Set(
    [...own, ...other].filter(({ isInformational }) => isInformational).map(({ name }) => name),
  );
  return {
    differences: all.filter(({ name }) => !informationalNames.has(name)),
    environmentNotes: all.filter(({ name }) => informationalNames.has(name)),
  };
}

/** Takes each property from the first document that has it. */
function pickKnownProperties({ properties }: ComparisonSide): readonly ComparedProperty[] {
  return groupBy(properties.flat(), ({ name }) => name).map(
    (group) => group.find(({ value }) => value !== null) ?? group[0],
  );
}

function findDifferencesWithin(
  { name: within, properties }: ComparisonSide,
  first: readonly ComparedProperty[],
): readonly EnvironmentDifference[] {
  const differences = properties.flatMap((one) => diffProperties(first, one));
  return groupBy(differences, ({ name }) => name).map(([difference]) => ({ ...difference, within }));
}
