import type { Change, Comparison } from '../compare/comparison.js';
import { showAmount } from '../report/amount.js';
import { counted } from '../units.js';
import { harmless, harmlessJson } from './harmless.js';
import { type Alignment, alignedTable, inMarkdown, markdownTable } from './table.js';

/** Comparisons with the same thing, side by side. */
export type ComparisonFormat = (comparisons: readonly Comparison[]) => string;

/** Every form of them, one row each. */
export const comparisonFormats = {
  text: (comparisons) => {
    const lines = [...alignedTable(...tableOf(comparisons)), ...comparisons.flatMap(conclusionOf)];
    return `${lines.join('\n')}\n`;
  },
  json: (comparisons) => harmlessJson({ schema: 'gobonnie-comparison/1', comparisons }),
  markdown: (comparisons) => {
    const conclusions = comparisons.flatMap(conclusionOf).map((line) => `- ${inMarkdown(line)}`);
    return `${[...markdownTable(...tableOf(comparisons)), '', ...conclusions].join('\n')}\n`;
  },
} as const satisfies Readonly<Record<string, ComparisonFormat>>;

type Table = [rows: readonly (readonly string[])[], alignments: readonly Alignment[]];

/** A row for every figure; of each comparison what it became, and by how much. */
function tableOf(comparisons: readonly Comparison[]): Table {
  const [first] = comparisons;
  const names = [...new Set(comparisons.flatMap(({ changes }) => changes.map(({ name }) => name)))];
  const rows = names.map((name) => {
    const changes = comparisons.map((comparison) => comparison.changes.find((one) => one.name === name));
    const known = changes.find((change) => change !== undefined);
    return [
      harmless(name),
      known ? showAmount(known.before.mean, known.unit) : '',
      ...changes.flatMap((change) =>
        change ? [showAmount(change.after.mean, change.unit), changeText(change)] : ['', ''],
      ),
    ];
  });
  const head = [
    '',
    harmless(first?.before ?? ''),
    ...comparisons.flatMap(({ after }) => [harmless(after), 'change']),
  ];
  return [
    [head, ...rows],
    ['left', 'right', ...comparisons.flatMap((): Alignment[] => ['right', 'left'])],
  ];
}

function changeText({ changePercent, intervalPercent, certainty, direction, isRegression }: Change): string {
  if (changePercent === null) return 'from 0';
  const by = signed(changePercent);
  if (certainty === 'noise') return `${by} noise`;
  const verdict = isRegression ? 'REGRESSION' : (direction ?? '');
  const surely = intervalPercent ? `(${signed(intervalPercent.low)} to ${signed(intervalPercent.high)})` : '';
  return [by, surely, verdict].filter(Boolean).join(' ');
}

/** What it comes to, in sentences. */
export function conclusionOf({
  before,
  after,
  changes,
  differences,
  maxRegressionPercent,
}: Comparison): readonly string[] {
  const judged = changes.filter(({ role }) => role === 'judged');
  const regressions = judged.filter(({ isRegression }) => isRegression);
  const isBare = judged.some(({ certainty }) => certainty === 'bare');
  const found =
    regressions.length === 0
      ? `no regression of more than ${maxRegressionPercent} % in ${counted(judged.length, 'figure')}`
      : `regression of more than ${maxRegressionPercent} %: ${regressions.map(({ name, changePercent }) => `${name} ${signed(changePercent ?? 0)}`).join(', ')}`;
  return [
    ...differences.map(
      (one) => `unlike: ${one.name} is ${one.before} in ${before}, and ${one.after} in ${after}`,
    ),
    isBare
      ? `bare changes: a single run cannot tell noise from change, --runs 5 can`
      : `changes by Welch's t-test, 95 % sure for ${judged.length === 1 ? 'the figure' : `all ${judged.length} figures together`}`,
    `${after}: ${found}`,
  ].map(harmless);
}

function signed(percent: number): string {
  return `${percent < 0 ? '-' : '+'}${Math.abs(percent).toFixed(1)} %`;
}
