import { formatAmount } from '../../report/amount.js';
import { primaryRateUnit } from '../../report/rate.js';
import type { Measurement } from '../../report/schema/report.js';
import { formatSeconds } from '../../text/units.js';
import { escapedMarkup, type Markup, tag } from '../writing/markup.js';
import { type Area, pixel } from './chart.js';
import { CAUTION, GRID } from './colours.js';
import type { Scale } from './scale.js';
import { type Slot, standstillsOf } from './slots.js';
import { textMark, textWidth } from './text.js';

/** Something that happened in a run, for a while or at once. */
export interface Moment {
  readonly kind: 'cliff' | 'standstill' | 'sync';
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly words: string;
  /** Of which run. */
  readonly name: string;
}

/** More of a kind would hide the lines. */
const MOST_OF_KIND = 12;

export function momentsIn(
  { seconds, durable, cliff, primaryRate }: Measurement,
  slots: readonly Slot[],
  name: string,
): readonly Moment[] {
  const show = (perSecond: number) => formatAmount(perSecond, primaryRateUnit({ primaryRate }));
  return [
    ...(cliff
      ? [
          {
            ...({ kind: 'cliff', name, fromSeconds: cliff.atSeconds, toSeconds: cliff.atSeconds } as const),
            words: `fell from ${show(cliff.beforePerSecond)} to ${show(cliff.afterPerSecond)} after ${formatSeconds(cliff.atSeconds)}`,
          },
        ]
      : []),
    ...standstillsOf(slots).map(({ fromSeconds, toSeconds }) => ({
      ...({ kind: 'standstill', name, fromSeconds, toSeconds } as const),
      words: `did nothing for ${formatSeconds(toSeconds - fromSeconds)} after ${formatSeconds(fromSeconds)}`,
    })),
    ...(durable && durable.seconds > seconds
      ? [
          {
            ...({ kind: 'sync', name, fromSeconds: seconds, toSeconds: durable.seconds } as const),
            words: `synced for ${formatSeconds(durable.seconds - seconds)}`,
          },
        ]
      : []),
  ];
}

/** Behind the lines. Each has its words as a title, and its kind above the plot where that has room. */
export function momentMarks(
  moments: readonly Moment[],
  x: Scale,
  { left, top, bottom }: Area,
): readonly Markup[] {
  let freeFrom = left;
  const shown = (['cliff', 'standstill', 'sync'] as const).flatMap((kind) =>
    moments.filter((one) => one.kind === kind).slice(0, MOST_OF_KIND),
  );
  return shown
    .toSorted((one, other) => one.fromSeconds - other.fromSeconds)
    .flatMap(({ kind, fromSeconds, toSeconds, words, name }) => {
      const [from, to] = [x.at(fromSeconds), x.at(toSeconds)];
      const title = tag('title', {}, escapedMarkup(`${name} ${words}`));
      const width = pixel(Math.max(1, to - from));
      const at = { x: pixel(from), y: top, width, height: bottom - top };
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
      const start = middle - textWidth(kind) / 2;
      if (start < freeFrom) return [shape];
      freeFrom = start + textWidth(kind) + 8;
      return [shape, textMark(middle, top - 10, kind, 'middle', true)];
    });
}
