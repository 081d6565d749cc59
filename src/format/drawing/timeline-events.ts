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

/** Something that happened in a run, for a while or at once. */
export interface TimelineEvent {
  readonly kind: 'cliff' | 'standstill' | 'sync';
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly description: string;
  /** Of which run. */
  readonly runName: string;
}

/** More of a kind would hide the lines. */
const MAX_EVENTS_PER_KIND = 12;

export function findTimelineEvents(
  { seconds, durable, cliff, primaryRate }: Measurement,
  slots: readonly Slot[],
  runName: string,
): readonly TimelineEvent[] {
  const show = (perSecond: number) => formatAmount(perSecond, primaryRateUnit({ primaryRate }));
  return [
    ...(cliff
      ? [
          {
            ...({
              kind: 'cliff',
              runName,
              fromSeconds: cliff.atSeconds,
              toSeconds: cliff.atSeconds,
            } as const),
            description: `fell from ${show(cliff.beforePerSecond)} to ${show(cliff.afterPerSecond)} after ${formatSeconds(cliff.atSeconds)}`,
          },
        ]
      : []),
    ...findStandstills(slots).map(({ fromSeconds, toSeconds }) => ({
      ...({ kind: 'standstill', runName, fromSeconds, toSeconds } as const),
      description: `did nothing for ${formatSeconds(toSeconds - fromSeconds)} after ${formatSeconds(fromSeconds)}`,
    })),
    ...(durable && durable.seconds > seconds
      ? [
          {
            ...({ kind: 'sync', runName, fromSeconds: seconds, toSeconds: durable.seconds } as const),
            description: `synced for ${formatSeconds(durable.seconds - seconds)}`,
          },
        ]
      : []),
  ];
}

/** Behind the lines. Each has its words as a title, and its kind above the plot where that has room. */
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
      const [from, to] = [x.at(fromSeconds), x.at(toSeconds)];
      const title = tag('title', {}, escapeMarkup(`${runName} ${description}`));
      const width = roundPixel(Math.max(1, to - from));
      const at = { x: roundPixel(from), y: top, width, height: bottom - top };
      const shape =
        kind === 'cliff'
          ? tag(
              'line',
              {
                x1: at.x,
                x2: at.x,
                y1: top,
                y2: bottom,
                stroke: CAUTION,
                'stroke-dasharray': '4 3',
                class: 'caution',
              },
              title,
            )
          : tag(
              'rect',
              {
                ...at,
                fill: kind === 'sync' ? GRID : CAUTION,
                'fill-opacity': kind === 'sync' ? 0.5 : 0.2,
                class: kind === 'sync' ? 'sync' : 'cautious',
              },
              title,
            );
      const middle = (from + to) / 2;
      const start = middle - estimateTextPixels(kind) / 2;
      if (start < freeFrom) return [shape];
      freeFrom = start + estimateTextPixels(kind) + 8;
      return [shape, textMark(middle, top - 10, kind, 'middle', true)];
    });
}
