import { escapeMarkup, type Markup, tag } from '../../../text/markup.js';
import type { Area } from './chart.js';
import { CAUTION, CAUTION_AREA, GREY_AREA } from './line-style.js';
import { boxMark, estimateTextPixels, lineMark, textMark } from './marks.js';
import type { Scale } from './scale.js';
import type { TimelineEvent } from './timeline.js';

/** More events of a kind would hide the lines. */
const MAX_EVENTS_PER_KIND = 12;
const ATTRIBUTES = {
  cliff: { ...CAUTION, 'stroke-dasharray': '4 3' },
  standstill: CAUTION_AREA,
  sync: GREY_AREA,
};

/** Draws events behind the lines, with the description as a tooltip and, if it fits, the kind above the plot. */
export function eventMarks(
  events: readonly TimelineEvent[],
  x: Scale,
  { left, top, bottom }: Area,
): readonly Markup[] {
  let freeFrom = left;
  const shownEvents = Object.keys(ATTRIBUTES).flatMap((kind) =>
    events.filter((one) => one.kind === kind).slice(0, MAX_EVENTS_PER_KIND),
  );
  return shownEvents
    .toSorted((one, other) => one.fromSeconds - other.fromSeconds)
    .flatMap(({ kind, fromSeconds, toSeconds, description, runName }) => {
      const from = x.at(fromSeconds);
      const to = x.at(toSeconds);
      const tooltip = tag('title', {}, escapeMarkup(`${runName} ${description}`));
      const shape =
        kind === 'cliff'
          ? lineMark([from, top], [from, bottom], ATTRIBUTES[kind], tooltip)
          : boxMark({ left: from, right: Math.max(from + 1, to), top, bottom }, ATTRIBUTES[kind], tooltip);
      const middle = (from + to) / 2;
      const labelStart = middle - estimateTextPixels(kind) / 2;
      if (labelStart < freeFrom) return [shape];
      freeFrom = labelStart + estimateTextPixels(kind) + 8;
      return [shape, textMark(middle, top - 10, kind, 'middle', true)];
    });
}
