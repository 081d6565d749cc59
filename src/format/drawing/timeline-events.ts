import { formatAmount } from '../../report/amount.js';
import { primaryRateUnit } from '../../report/rate.js';
import type { Measurement } from '../../report/schema/report.js';
import { formatSeconds } from '../../text/units.js';
import { escapeMarkup, type Markup, tag } from '../writing/markup.js';
import { type Area, roundPixel } from './chart.js';
import { CAUTION, GRID } from './line-style.js';
import type { Scale } from './scale.js';
import { findStandstills, type Slot } from './slots.js';
import { estimateTextPixels, textMark } from './text-mark.js';

/** An event in a run. `fromSeconds` equals `toSeconds` for a cliff. */
export interface TimelineEvent {
  readonly kind: 'cliff' | 'standstill' | 'sync';
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly description: string;
  readonly runName: string;
}

/** More events of a kind would hide the lines. */
const MAX_EVENTS_PER_KIND = 12;

export function findTimelineEvents(
  { seconds, durable, cliff, primaryRate }: Measurement,
  slots: readonly Slot[],
  runName: string,
): readonly TimelineEvent[] {
  const show = (perSecond: number) => formatAmount(perSecond, primaryRateUnit({ primaryRate }));
  const events: TimelineEvent[] = [];
  if (cliff) {
    const { atSeconds, beforePerSecond, afterPerSecond } = cliff;
    const description = `fell from ${show(beforePerSecond)} to ${show(afterPerSecond)} after ${formatSeconds(atSeconds)}`;
    events.push({ kind: 'cliff', fromSeconds: atSeconds, toSeconds: atSeconds, description, runName });
  }
  for (const { fromSeconds, toSeconds } of findStandstills(slots)) {
    const description = `stood still for ${formatSeconds(toSeconds - fromSeconds)} after ${formatSeconds(fromSeconds)}`;
    events.push({ kind: 'standstill', fromSeconds, toSeconds, description, runName });
  }
  if (durable && durable.seconds > seconds) {
    const description = `synced for ${formatSeconds(durable.seconds - seconds)}`;
    events.push({ kind: 'sync', fromSeconds: seconds, toSeconds: durable.seconds, description, runName });
  }
  return events;
}

/** Draws events behind the lines, with the description as a tooltip and, if it fits, the kind above the plot. */
export function eventMarks(
  events: readonly TimelineEvent[],
  x: Scale,
  { left, top, bottom }: Area,
): readonly Markup[] {
  let freeFrom = left;
  const shownEvents = (['cliff', 'standstill', 'sync'] as const).flatMap((kind) =>
    events.filter((one) => one.kind === kind).slice(0, MAX_EVENTS_PER_KIND),
  );
  return shownEvents
    .toSorted((one, other) => one.fromSeconds - other.fromSeconds)
    .flatMap(({ kind, fromSeconds, toSeconds, description, runName }) => {
      const from = x.at(fromSeconds);
      const to = x.at(toSeconds);
      const start = roundPixel(from);
      const line = { x1: start, x2: start, y1: top, y2: bottom, stroke: CAUTION, 'stroke-dasharray': '4 3' };
      const box = { x: start, y: top, width: roundPixel(Math.max(1, to - from)), height: bottom - top };
      const attributes = {
        cliff: { ...line, class: 'caution' },
        standstill: { ...box, fill: CAUTION, 'fill-opacity': 0.2, class: 'cautious' },
        sync: { ...box, fill: GRID, 'fill-opacity': 0.5, class: 'sync' },
      };
      const title = tag('title', {}, escapeMarkup(`${runName} ${description}`));
      const shape = tag(kind === 'cliff' ? 'line' : 'rect', attributes[kind], title);
      const middle = (from + to) / 2;
      const labelStart = middle - estimateTextPixels(kind) / 2;
      if (labelStart < freeFrom) return [shape];
      freeFrom = labelStart + estimateTextPixels(kind) + 8;
      return [shape, textMark(middle, top - 10, kind, 'middle', true)];
    });
}
