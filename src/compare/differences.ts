import { GobonnieError } from '../errors.js';
import { sanitize } from '../text/escape.js';
import { groupBy } from '../text/group-by.js';
import { type ComparedProperty, diffProperties, type EnvironmentDifference } from './properties.js';
import type { ComparisonSide } from './side.js';

/** The part of a side that is known before its measurement. */
type ComparedProperties = Pick<ComparisonSide, 'name' | 'properties'>;

/** The differences between both sides, and within each side if it has several documents. */
export function findDifferences(
  before: ComparedProperties,
  after: ComparedProperties,
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
function pickKnownProperties({ properties }: ComparedProperties): readonly ComparedProperty[] {
  return groupBy(properties.flat(), ({ name }) => name).map(
    (group) => group.find(({ value }) => value !== null) ?? group[0],
  );
}

function findDifferencesWithin(
  { name: within, properties }: ComparedProperties,
  first: readonly ComparedProperty[],
): readonly EnvironmentDifference[] {
  const differences = properties.flatMap((one) => diffProperties(first, one));
  return groupBy(differences, ({ name }) => name).map(([difference]) => ({ ...difference, within }));
}

/** Error for two results of different phases. */
export function noCommonMetricError(before: string, after: string): GobonnieError {
  return new GobonnieError(
    'option-invalid',
    `${before} and ${after} have no metric in common`,
    'compare results of the same --phases',
  );
}

/** Error for two results without a verdict: their differences may have caused the change. */
export function incomparableError({
  before,
  after,
  differences,
}: {
  readonly before: string;
  readonly after: string;
  readonly differences: readonly EnvironmentDifference[];
}): GobonnieError {
  const differenceList = differences
    .map((difference) => `${difference.name} (${difference.before} and ${difference.after})`)
    .join(', ');
  return new GobonnieError(
    'option-invalid',
    sanitize(`${before} and ${after} cannot be compared: they differ in ${differenceList}`),
    'measure both the same way, or pass --force',
  );
}
