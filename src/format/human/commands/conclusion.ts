import {
  type ChangeLabel,
  DEFAULT_MAX_REGRESSION_PERCENT,
  isBeyondLimit,
  isWithinLimit,
  labelChange,
  regressionLimit,
} from '../../../compare/comparison.js';
import type { Comparison, MetricChange, MetricWinner } from '../../../compare/comparison-schema.js';
import { isTellingInterval, minMax } from '../../../report/statistics/statistics.js';
import { groupBy } from '../../../text/group-by.js';
import { pluralize } from '../../../text/units.js';

/** With fewer runs, only more runs help. */
export const RECOMMENDED_RUNS = 5;
const CACHED_REASON = 'part of the data may be cached (use --allow-cached to compare as timed)';

/** Where a sentence may name the other side: `slower than before.json`. */
const PLACE = / \((than|as)\)/g;

/** Summarizes a comparison in a sentence. Empty if no rate has a verdict. */
export function describeComparison(comparison: Comparison): readonly string[] {
  const { before, after, maxRegressionPercent } = comparison;
  const labeled = changesByLabel(comparison);
  const severity = ({ verdict }: MetricChange) => (verdict === 'regression' ? 1 : 0);
  const worstFirst = labeled('worse').toSorted((one, other) => severity(other) - severity(one));
  const describeSeverity = (change: MetricChange) => {
    if (change.verdict === 'inconclusive')
      return `, perhaps by less than ${maxRegressionPercent} % (${findChangeRemedy(change, comparison)})`;
    if (change.verdict !== 'regression') return '';
    const remedy = findSideRemedy(change, comparison, 2);
    return `, a regression of more than ${maxRegressionPercent} %${remedy && ` (${remedy})`}`;
  };
  const results = joinClauses([
    ...groupBy(worstFirst, describeSeverity).map((group) =>
      describeFactors(group, 'slower', describeSeverity(group[0])),
    ),
    describeFactors(labeled('better'), 'faster'),
    describeNames(labeled('same'), 'as fast (as) in'),
    describeNames(labeled('not-worse'), 'not slower (than) in'),
  ]);
  const open = describeInconclusive(labeled('inconclusive'), comparison);
  if (results === '') return open === '' ? [] : [`${after}: ${open}.`];
  return [`${after} is ${joinClauses([nameOnce(results, before), open])}.`];
}

/** Names the other side at the first of the words that may be followed by it. */
function nameOnce(text: string, name: string): string {
  const first = text.search(PLACE);
  const nameAt = (_: string, word: string, at: number) => (at === first ? ` ${word} ${name}` : '');
  return text.replaceAll(PLACE, nameAt);
}

/** Names the changes that may hide a regression. */
export function inconclusiveLines(comparison: Comparison): readonly string[] {
  const isOpen = ({ verdict }: MetricChange) => verdict === 'inconclusive' || verdict === 'cached';
  const changes = comparison.changes.filter(isOpen);
  const inconclusive = describeInconclusive(changes, comparison);
  return inconclusive === '' ? [] : [`${comparison.after}: ${inconclusive}.`];
}

/** Returns a function that finds the changes with a label. */
function changesByLabel(comparison: Comparison) {
  const gating = comparison.changes.filter(({ role }) => role === 'gating');
  return (label: ChangeLabel) => gating.filter((change) => labelChange(change, comparison) === label);
}

/** `1.25 ± 0.03 times slower in write and 1.10 ± 0.02 times slower in read`. */
function describeFactors(changes: readonly MetricChange[], word: string, suffix = ''): string {
  const texts = changes.map(
    ({ name, changePercent, intervalPercent }) =>
      `${factorText(changePercent, intervalPercent)}${word} (than) in ${name}`,
  );
  return texts.length === 0 ? '' : joinWithAnd(texts) + suffix;
}

function describeNames(changes: readonly MetricChange[], text: string): string {
  return changes.length === 0 ? '' : `${text} ${joinNames(changes)}`;
}

/**
 * Returns how many times one rate is the other, as hyperfine does: `2.30 ± 0.10 times `, or `at least 2.10 times ` if the
 * interval is wide. Empty if a rate is 0.
 */
function factorText(percent: number | null, interval: MetricChange['intervalPercent']): string {
  if (percent === null || percent <= -100) return '';
  const isSlower = percent < 0;
  const toFactor = (change: number) => (isSlower ? 1 / (1 + change / 100) : 1 + change / 100);
  const show = (factor: number) => factor.toFixed(factor < 100 ? 2 : 0);
  const factor = show(toFactor(percent));
  if (interval === null) return `${factor} times `;
  const { min, max } = minMax([toFactor(interval.low), toFactor(interval.high)]);
  if (isTellingInterval({ low: min, high: max })) return `${factor} ± ${((max - min) / 2).toFixed(2)} times `;
  return min >= 1 ? `at least ${show(min)} times ` : `about ${factor} times `;
}

function describeInconclusive(changes: readonly MetricChange[], comparison: Comparison): string {
  const hidden = `cannot tell a drop of more than ${comparison.maxRegressionPercent} % from noise`;
  const findReason = (change: MetricChange) => {
    const { verdict, isFromDevice, significance, before, after } = change;
    if (!isFromDevice) return CACHED_REASON;
    if (significance === 'untested' && before.runs + after.runs > 2) return 'a run measured 0';
    const remedy = findChangeRemedy(change, comparison);
    return verdict === 'inconclusive' && significance !== 'untested' ? `${hidden} (${remedy})` : remedy;
  };
  const groups = groupBy(changes, findReason);
  return joinClauses(groups.map((group) => `inconclusive in ${joinNames(group)}: ${findReason(group[0])}`));
}

function findChangeRemedy(change: MetricChange, comparison: Comparison): string {
  const { before, after, runsToDecide, intervalPercent } = change;
  const sideRemedy = findSideRemedy(change, comparison, RECOMMENDED_RUNS);
  if (sideRemedy !== '') return sideRemedy;
  const remedy = findRemedy(Math.min(before.runs, after.runs), 'runs', runsToDecide);
  // Only the interval of the verdict is wider for rates that vary much.
  const mayDrift = isBeyondLimit(intervalPercent, regressionLimit(comparison));
  return mayDrift ? `rates that vary this much may have drifted; ${remedy}` : remedy;
}

/** Returns the remedy if one side alone has fewer runs than needed. Empty if neither has. */
function findSideRemedy({ before, after }: MetricChange, comparison: Comparison, neededRuns: number): string {
  const runs = Math.min(before.runs, after.runs);
  if (runs >= Math.min(neededRuns, Math.max(before.runs, after.runs))) return '';
  const side = before.runs < after.runs ? comparison.before : comparison.after;
  return `${side} has only ${pluralize(runs, 'run')}: measure it again with --runs ${RECOMMENDED_RUNS} or more`;
}

/** Returns the number of runs that a result needs, or another remedy. */
export function findRemedy(
  runs: number,
  noun: 'runs' | 'rounds',
  runsToDecide: number | null,
  isStopped = false,
): string {
  if (isStopped) return 'let it run to its end';
  const more = `${noun === 'runs' ? 'measure both with' : 'use'} --runs ${RECOMMENDED_RUNS}`;
  // `fill` and some other commands have no --runs.
  const again = noun === 'runs' ? `measure both several times, as with --runs ${RECOMMENDED_RUNS}` : more;
  if (runs === 1) return `a single run may differ by chance: ${again}`;
  if (runsToDecide !== null) return `about ${runsToDecide} ${noun} of each would decide`;
  if (runs < RECOMMENDED_RUNS) return `too few runs: ${more}`;
  const repeat = noun === 'runs' ? 'measure both again' : 'run again';
  return `the results vary too much for more runs to decide; ${repeat} when the machine is idle`;
}

/** Names the fastest directory for each metric, in a sentence. */
export function describeWinners(
  [first]: readonly Comparison[],
  winners: readonly MetricWinner[],
  isStopped = false,
) {
  if (winners.length > 0 && winners.every(({ leader, runnerUp }) => leader === runnerUp))
    return `${first?.before ?? ''} was compared with itself: the differences are noise.`;
  const rounds = first?.changes[0]?.before.runs ?? 0;
  const won = winners.filter(({ winner }) => winner !== null);
  const open = winners.filter(({ winner }) => winner === null);
  const describeNoWinner = ({ isFromDevice, verdictIntervalPercent, runsToDecide }: MetricWinner) => {
    if (!isFromDevice) return `inconclusive in $: ${CACHED_REASON}`;
    if (isWithinLimit(verdictIntervalPercent))
      return `no difference of more than ${DEFAULT_MAX_REGRESSION_PERCENT} % in $`;
    return `no winner in $: ${findRemedy(rounds, 'rounds', runsToDecide, isStopped)}`;
  };
  const describeLead = ({ name, runnerUp, leadPercent, intervalPercent }: MetricWinner) =>
    `${factorText(leadPercent, intervalPercent)}faster than ${runnerUp} in ${name}`;
  const parts = [
    ...groupBy(won, ({ winner }) => `${winner}`).map(
      (group) => `${group[0].winner} is ${joinWithAnd(group.map(describeLead))}`,
    ),
    ...groupBy(open, describeNoWinner).map((group) =>
      describeNoWinner(group[0]).replace('$', () => joinNames(group)),
    ),
  ];
  const text = `${joinClauses(parts)}.`;
  return won.length > 0 ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

function joinClauses(clauses: readonly string[]): string {
  return clauses.filter(Boolean).join('; ');
}

function joinNames(metrics: readonly { readonly name: string }[]): string {
  return joinWithAnd(metrics.map(({ name }) => name));
}

export function joinWithAnd(names: readonly string[]): string {
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names.join('');
}
