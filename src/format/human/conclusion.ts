import {
  type ChangeLabel,
  DEFAULT_MAX_REGRESSION_PERCENT,
  isWithinLimit,
  labelChange,
} from '../../compare/comparison.js';
import type { Comparison, MetricChange, MetricWinner } from '../../compare/comparison-schema.js';
import { groupBy } from '../../text/group-by.js';
import { unsignedDecimal } from '../../text/units.js';

/** With fewer runs, the interval of a change is so wide that only more runs help. */
const RECOMMENDED_RUNS = 5;
const CACHED_REASON = 'part of the data may be cached (use --allow-cached to compare as timed)';

/** Summarizes a comparison in a sentence. Empty if no rate has a verdict. */
export function describeComparison(comparison: Comparison): readonly string[] {
  const { before, after, maxRegressionPercent } = comparison;
  const worse = changesLabeled('worse', comparison);
  const better = changesLabeled('better', comparison);
  const same = changesLabeled('same', comparison);
  const regressions = worse.filter(({ verdict }) => verdict === 'regression');
  const smallDrops = worse.filter(({ verdict }) => verdict !== 'regression');
  const parts = [
    ...describeChanges(regressions, `worse (regression of more than ${maxRegressionPercent} %)`),
    ...describeChanges(smallDrops, 'worse'),
    ...describeChanges(better, 'better'),
  ];
  let start = `${after}: `;
  if (parts.length > 0) {
    const directions = [worse.length > 0 && 'slower', better.length > 0 && 'faster'].filter(Boolean);
    start = `${after} is ${directions.join(' and ')}: `;
    if (same.length > 0) parts.push(`${joinNames(same)} the same`);
  } else if (same.length > 0) {
    start = '';
    parts.push(`${after} is as fast as ${before} in ${joinNames(same)}`);
  }
  parts.push(...describeInconclusive(comparison));
  return parts.length > 0 ? [`${start}${parts.join('; ')}.`] : [];
}

/** Names the changes that may hide a regression. */
export function inconclusiveLines(comparison: Comparison): readonly string[] {
  const isOpen = ({ verdict }: MetricChange) => verdict === 'inconclusive' || verdict === 'cached';
  const changes = comparison.changes.filter(isOpen);
  const inconclusive = describeInconclusive({ ...comparison, changes });
  return inconclusive.length > 0 ? [`${comparison.after}: ${inconclusive.join('; ')}.`] : [];
}

function changesLabeled(label: ChangeLabel, comparison: Comparison): readonly MetricChange[] {
  const gating = comparison.changes.filter(({ role }) => role === 'gating');
  return gating.filter((change) => labelChange(change, comparison) === label);
}

/** `write 19.8 % and read 12.0 % worse`. */
function describeChanges(changes: readonly MetricChange[], label: string): readonly string[] {
  const texts = changes.map(({ name, changePercent }) =>
    changePercent === null ? name : `${name} ${unsignedDecimal(changePercent)} %`,
  );
  return texts.length === 0 ? [] : [`${joinWithAnd(texts)} ${label}`];
}

function describeInconclusive(comparison: Comparison): readonly string[] {
  const hidden = `, which may hide a regression of more than ${comparison.maxRegressionPercent} %`;
  const findReason = ({ verdict, isFromDevice, significance, before, after }: MetricChange) => {
    if (!isFromDevice) return CACHED_REASON;
    if (significance === 'untested' && before.runs + after.runs > 2) return 'a run measured 0';
    const runs = Math.min(before.runs, after.runs);
    return noiseReason(runs, 'runs', verdict === 'inconclusive' ? hidden : '');
  };
  return groupBy(changesLabeled('inconclusive', comparison), findReason).map(
    (group) => `inconclusive for ${joinNames(group)}: ${findReason(group[0])}`,
  );
}

function noiseReason(runs: number, noun: 'runs' | 'rounds', consequence = ''): string {
  if (runs === 1) return `a single run may differ by chance${consequence} (use --runs ${RECOMMENDED_RUNS})`;
  if (runs < RECOMMENDED_RUNS) return `too few ${noun}${consequence} (use --runs ${RECOMMENDED_RUNS})`;
  return `too noisy${consequence} (use more --runs)`;
}

/** Names the fastest directory for each metric, in a sentence. */
export function describeWinners([first, ...others]: readonly Comparison[], winners: readonly MetricWinner[]) {
  const rounds = first?.changes[0]?.before.runs ?? 0;
  const won = winners.filter(({ winner }) => winner !== null);
  const open = winners.filter(({ winner }) => winner === null);
  const describeNoWinner = ({ isFromDevice, intervalPercent }: MetricWinner) => {
    if (!isFromDevice) return `inconclusive for $: ${CACHED_REASON}`;
    if (isWithinLimit(intervalPercent))
      return `no difference of more than ${DEFAULT_MAX_REGRESSION_PERCENT} % in $`;
    return `no winner in $: ${noiseReason(rounds, 'rounds')}`;
  };
  const describeLead = ({ name, runnerUp, leadPercent }: MetricWinner) => {
    const than = others.length > 0 ? ` than ${runnerUp}` : '';
    return leadPercent === null ? name : `${name} (${unsignedDecimal(leadPercent)} % faster${than})`;
  };
  const parts = [
    ...groupBy(won, ({ winner }) => `${winner}`).map(
      (group) => `${group[0].winner} wins in ${joinWithAnd(group.map(describeLead))}`,
    ),
    ...groupBy(open, describeNoWinner).map((group) =>
      describeNoWinner(group[0]).replace('$', () => joinNames(group)),
    ),
  ];
  const text = `${parts.join('; ')}.`;
  return won.length > 0 ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

function joinNames(metrics: readonly { readonly name: string }[]): string {
  return joinWithAnd(metrics.map(({ name }) => name));
}

function joinWithAnd(names: readonly string[]): string {
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names.join('');
}
