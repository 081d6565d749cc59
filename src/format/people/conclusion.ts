import { type MetricChange, type Comparison, DEFAULT_MAX_REGRESSION_PERCENT } from '../../compare/comparison.js';
import type { MetricWinner } from '../../compare/standings.js';
import { isWithinLimit, type ChangeLabel, labelChange } from '../../compare/words.js';
import { groupBy } from '../../text/groups.js';
import { unsigned } from './percentages.js';

/** With fewer, the interval of a change is so wide that more runs are what helps. */
const ENOUGH_RUNS = 5;
const MEMORY = 'memory may have served a part (pass --allow-cached to judge it as timed)';

/** How one side compares with the other, in a sentence. None if they differ in more than their figures. */
export function conclusionOf(comparison: Comparison): readonly string[] {
  const { before, after } = comparison;
  const worse = judgedAs('worse', comparison);
  const better = judgedAs('better', comparison);
  const same = judgedAs('same', comparison);
  const changed = [...worsePartsOf(worse, comparison), ...partOf(better, 'better')];
  const inconclusive = unsurePartsOf(comparison);
  if (changed.length > 0) {
    const how = [worse.length > 0 && 'slower', better.length > 0 && 'faster'].filter(Boolean);
    const parts = [
      ...changed,
      ...(same.length > 0 ? [`${listed(namesOf(same))} the same`] : []),
      ...inconclusive,
    ];
    return [`${after} is ${how.join(' and ')}: ${parts.join('; ')}.`];
  }
  if (same.length > 0)
    return [
      `${[`${after} is as fast as ${before} in ${listed(namesOf(same))}`, ...inconclusive].join('; ')}.`,
    ];
  return inconclusive.length > 0 ? [`${after}: ${inconclusive.join('; ')}.`] : [];
}

/** What could be a regression and still be missed. */
export function unsureLines(comparison: Comparison): readonly string[] {
  const changes = comparison.changes.filter(
    ({ verdict }) => verdict === 'inconclusive' || verdict === 'cached',
  );
  const inconclusive = unsurePartsOf({ ...comparison, changes });
  return inconclusive.length > 0 ? [`${comparison.after}: ${inconclusive.join('; ')}.`] : [];
}

function judgedAs(word: ChangeLabel, comparison: Comparison): readonly MetricChange[] {
  return comparison.changes.filter(
    (change) => change.role === 'gating' && labelChange(change, comparison) === word,
  );
}

function worsePartsOf(worse: readonly MetricChange[], { maxRegressionPercent }: Comparison): readonly string[] {
  const regressions = worse.filter(({ verdict }) => verdict === 'regression');
  const others = worse.filter(({ verdict }) => verdict !== 'regression');
  return [
    ...partOf(regressions, `worse (regression of more than ${maxRegressionPercent} %)`),
    ...partOf(others, 'worse'),
  ];
}

/** `write 19.8 % and read 12.0 % worse`. */
function partOf(changes: readonly MetricChange[], how: string): readonly string[] {
  if (changes.length === 0) return [];
  const by = changes.map(({ name, changePercent }) =>
    changePercent === null ? name : `${name} ${unsigned(changePercent)} %`,
  );
  return [`${listed(by)} ${how}`];
}

function unsurePartsOf(comparison: Comparison): readonly string[] {
  const reasonOf = (change: MetricChange) => {
    const may = change.verdict === 'inconclusive';
    return reasonFor(
      change,
      may ? `, which may hide a regression of more than ${comparison.maxRegressionPercent} %` : '',
    );
  };
  return groupBy(judgedAs('inconclusive', comparison), reasonOf).map(
    (group) => `cannot tell for ${listed(namesOf(group))}: ${reasonOf(group[0])}`,
  );
}

function reasonFor({ isFromDevice, significance, before, after }: MetricChange, consequence: string): string {
  if (!isFromDevice) return MEMORY;
  if (significance === 'untested' && before.runs + after.runs > 2) return 'some run has 0';
  return noiseReason(Math.min(before.runs, after.runs), 'runs', consequence);
}

function noiseReason(runs: number, noun: 'runs' | 'rounds', consequence = ''): string {
  if (runs === 1) return `a single run may differ by chance${consequence} (use --runs ${ENOUGH_RUNS})`;
  if (runs < ENOUGH_RUNS) return `too few ${noun}${consequence} (use --runs ${ENOUGH_RUNS})`;
  return `too noisy${consequence} (use more --runs)`;
}

/** Which of several directories is the best in what, in a sentence. */
export function standingsConclusion(
  [first, ...others]: readonly Comparison[],
  standings: readonly MetricWinner[],
): string {
  const rounds = first?.changes[0]?.before.runs ?? 0;
  const won = standings.filter(({ winner }) => winner !== null);
  const open = standings.filter(({ winner }) => winner === null);
  const reasonOf = ({ isFromDevice, intervalPercent }: MetricWinner) => {
    if (!isFromDevice) return `cannot tell for $: ${MEMORY}`;
    if (isWithinLimit(intervalPercent))
      return `no difference of more than ${DEFAULT_MAX_REGRESSION_PERCENT} % in $`;
    return `no winner in $: ${noiseReason(rounds, 'rounds')}`;
  };
  const leadOf = ({ name, runnerUp, leadPercent }: MetricWinner) => {
    const than = others.length > 0 ? ` than ${runnerUp}` : '';
    return leadPercent === null ? name : `${name} (${unsigned(leadPercent)} % faster${than})`;
  };
  const parts = [
    ...groupBy(won, ({ winner }) => `${winner}`).map(
      (group) => `${group[0].winner} wins in ${listed(group.map(leadOf))}`,
    ),
    ...groupBy(open, reasonOf).map((group) => reasonOf(group[0]).replace('$', () => listed(namesOf(group)))),
  ];
  const text = `${parts.join('; ')}.`;
  return won.length > 0 ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

function namesOf(figures: readonly { readonly name: string }[]): readonly string[] {
  return figures.map(({ name }) => name);
}

/** `write, read and iops`. */
function listed(names: readonly string[]): string {
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names.join('');
}
