import { GobonnieError } from '../errors.js';
import { sanitize } from '../text/escape.js';
import { groupBy } from '../text/group-by.js';
import type { Comparison, EnvironmentDifference } from './comparison-schema.js';
import { type ComparedProperty, diffProperties } from './properties.js';
import type { ComparisonSide } from './side.js';

type PropertySide = Pick<ComparisonSide, 'name' | 'properties'>;

/** The differences between both sides, and within each side if it has several documents. */
export function findDifferences(
  before: PropertySide,
  after: PropertySide,
): Pick<Comparison, 'differences' | 'environmentNotes'> {
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
function pickKnownProperties({ properties }: PropertySide): readonly ComparedProperty[] {
  return groupBy(properties.flat(), ({ name }) => name).map(
    (group) => group.find(({ value }) => value !== null) ?? group[0],
  );
}

function findDifferencesWithin(
  { name: within, properties }: PropertySide,
  first: readonly ComparedProperty[],
): EnvironmentDifference[] {
  const differences = properties.flatMap((one) => diffProperties(first, one));
  return groupBy(differences, ({ name }) => name).map(([difference]) => ({ ...difference, within }));
}

/** Error for two results without a verdict: their differences may have caused the change. */
export function incomparableError({
  before,
  after,
  differences,
}: Pick<Comparison, 'before' | 'after' | 'differences'>): GobonnieError {
  const differenceList = differences
    .map((difference) => `${difference.name} (${difference.before} and ${difference.after})`)
    .join(', ');
  return new GobonnieError(
    'option-invalid',
    sanitize(`${before} and ${after} cannot be compared: they differ in ${differenceList}`),
    'measure both the same way, or pass --force',
  );
}
