import { labelChange, regressionLimit } from '../../compare/comparison.js';
import type { Comparison, MetricChange } from '../../compare/comparison-schema.js';
import { formatAmount } from '../../report/amount.js';
import { type Attributes, escapeMarkup, type Markup, tag } from '../../text/markup.js';
import { signedDecimal } from '../../text/units.js';
import { describeSetup } from '../human/commands/command-answer.js';
import {
  type ComparisonDocument,
  changeText,
  concludeComparisons,
  differenceTexts,
  rangeText,
} from '../human/commands/comparison-format.js';
import { describeComparison } from '../human/commands/conclusion.js';
import { sentence, textTag } from './document.js';
import { AXIS, DIM, GRID } from './drawing/hues.js';
import { lineMark } from './drawing/plot.js';
import { linearScale, type Scale } from './drawing/scale.js';

/** Larger changes are drawn at the edge. */
const MAX_SHOWN_PERCENT = 200;
const HEIGHT = 24;

/** Returns the verdict on all comparisons, split into a headline and the remaining clauses or sentences. */
export function describeVerdict(document: ComparisonDocument) {
  const { comparisons, winners, command } = document;
  const [first, ...others] = comparisons;
  const [text, ...notes] = concludeComparisons(document);
  // The name of a command may contain a semicolon.
  if (command) return { headline: text?.replace(/\.$/, '') ?? '', details: notes.join(' ') };
  if (winners === undefined && others.length > 0)
    return { headline: `${comparisons.length} results compared with ${first?.before}`, details: '' };
  return splitHeadline(text ?? `${first?.before} and ${first?.after} differ in more than their results`);
}

/** Splits a text into its first clause, which is a headline, and a sentence with the other clauses. */
export function splitHeadline(text: string) {
  const [headline = '', ...clauses] = text.replace(/\.$/, '').split('; ');
  const joined = clauses.join('; ');
  return { headline, details: joined && `${joined.charAt(0).toUpperCase()}${joined.slice(1)}.` };
}

/** Renders the verdict, and for each comparison the changes with their intervals. */
export function comparisonElements(document: ComparisonDocument): readonly Markup[] {
  const { comparisons, winners, command } = document;
  const { headline, details } = describeVerdict(document);
  const labels = comparisons.flatMap((one) => gatingChanges(one).map((change) => labelChange(change, one)));
  const tone = winners ? undefined : ['worse', 'better'].find((label) => labels.some((one) => one === label));
  const verdict = [
    tag('h1', {}, ...sentence(headline)),
    tag('p', { class: 'lead' }, ...sentence(details)),
    ...differenceTexts(comparisons).map((text) => textTag('p', text, 'note')),
  ];
  // A command has one result that counts, and others that explain it.
  const shown = command ? comparisons.map(withAllChanges) : comparisons;
  const scale = createScale(shown);
  return [
    tag('div', { class: ['verdict', tone].filter(Boolean).join(' ') }, ...verdict),
    ...(command ? [textTag('p', describeSetup(command), 'note')] : []),
    ...shown.flatMap((one) => [
      textTag('h2', `${one.before} → ${one.after}`),
      ...(comparisons.length > 1 && !winners
        ? describeComparison(one).map((text) => textTag('p', text))
        : []),
      changeFigure(one, scale),
    ]),
  ];
}

/** Lets a figure show the changes that have a percentage. */
function withAllChanges(comparison: Comparison): Comparison {
  const changes = comparison.changes.filter(({ changePercent }) => changePercent !== null);
  return { ...comparison, changes: changes.map((change) => ({ ...change, role: 'gating' })) };
}

function gatingChanges({ changes }: Comparison): readonly MetricChange[] {
  return changes.filter(({ role }) => role === 'gating');
}

function changeFigure(comparison: Comparison, scale: Scale): Markup {
  const ticks = scale.ticks.map(({ value, text }) => {
    const position = { x: percent(scale.at(value)), y: HEIGHT / 2 + 4, 'text-anchor': 'middle' };
    return tag('text', { ...position, 'font-size': 11, ...DIM }, escapeMarkup(text));
  });
  const axis = row({ 'aria-hidden': 'true', overflow: 'visible' }, ticks);
  const heads = ['', 'before → after', 'change'].map((text) => textTag('span', text));
  const head = tag('li', { class: 'note' }, ...heads, axis, textTag('span', ''));
  const items = gatingChanges(comparison).map((change) => changeItem(change, comparison, scale));
  const note = `Dot: change. Line: 95 % interval. Shaded: within ${regressionLimit(comparison)} %.`;
  return tag('figure', {}, tag('ol', { class: 'changes' }, head, ...items), textTag('p', note, 'note'));
}

function changeItem(change: MetricChange, comparison: Comparison, scale: Scale): Markup {
  const { name, unit, before, after, intervalPercent: interval, changePercent, isFromDevice } = change;
  const label = labelChange(change, comparison) ?? '';
  const from = formatAmount(before.mean, unit);
  const to = formatAmount(after.mean, unit);
  const difference = changeText(change);
  const range = rangeText(change);
  const place = (value: number) => percent(scale.at(value));
  const limit = regressionLimit(comparison);
  const width = percent(scale.at(limit) - scale.at(-limit));
  const shaded = { x: place(-limit), y: 2, width, height: HEIGHT - 4, fill: GRID.stroke, class: 'band' };
  const zero = tag('line', { x1: place(0), x2: place(0), y1: 0, y2: HEIGHT, ...AXIS });
  const marks = [tag('rect', shaded), zero];
  const ink = { stroke: 'currentColor', 'stroke-width': 3 };
  if (interval) marks.push(lineMark(place(interval.low), place(interval.high), HEIGHT / 2, ink));
  if (changePercent !== null && (isFromDevice || changePercent === 0))
    marks.push(tag('circle', { cx: place(changePercent), cy: HEIGHT / 2, r: 5, fill: 'currentColor' }));
  const words = `${name}: from ${from} (${comparison.before}) to ${to} (${comparison.after}), ${difference}`;
  return tag(
    'li',
    { class: label },
    textTag('b', name),
    tag('span', {}, textTag('span', from, 'n'), escapeMarkup(' → '), textTag('span', to, 'n')),
    tag('span', {}, textTag('b', difference, 'n'), tag('div', { class: 'note n' }, escapeMarkup(range))),
    row({ role: 'img', 'aria-label': [words, range, label].filter(Boolean).join(', ') }, marks),
    textTag('span', label, 'n'),
  );
}

function row(attributes: Attributes, marks: readonly Markup[]): Markup {
  return tag('svg', { width: '100%', height: HEIGHT, ...attributes }, ...marks);
}

function percent(place: number): string {
  return `${place.toFixed(1)}%`;
}

/** Returns the scale of all changes, in percent of the width. */
function createScale(comparisons: readonly Comparison[]): Scale {
  const clamp = (value: number) => Math.max(-100, Math.min(MAX_SHOWN_PERCENT, value));
  const bounds = comparisons.flatMap((one) => [
    -1.2 * regressionLimit(one),
    1.2 * regressionLimit(one),
    ...gatingChanges(one).flatMap(({ changePercent, intervalPercent: interval }) => {
      return [changePercent ?? 0, interval?.low ?? 0, interval?.high ?? 0];
    }),
  ]);
  const show = (value: number) => `${signedDecimal(value).replace(/\.0$/, '')} %`;
  const { at, ticks } = linearScale(bounds.map(clamp), [4, 96], show, 4);
  return { at: (value) => at(clamp(value)), ticks };
}
