import { escapeMarkup, type Markup, tag } from '../../../text/markup.js';
import type { Area } from './chart.js';
import { CAUTION, GREY_AREA } from './line-style.js';
import { boxMark, lineMark } from './marks.js';
import type { Scale } from './scale.js';
import { estimateTextPixels, textMark } from './text-mark.js';
import type { TimelineEvent } from './timeline.js';

/** More events would hide the lines. */
const MAX_EVENTS = 24;

/** Draws events behind the lines, with the description as a tooltip and, if it fits, the kind above the plot. */
export function eventMarks(
  events: readonly TimelineEvent[],
  x: Scale,
  { left, top, bottom }: Area,
): readonly Markup[] {
  let freeFrom = left;
  return events
    .slice(0, MAX_EVENTS)
    .toSorted((one, other) => one.fromSeconds - other.fromSeconds)
    .flatMap(({ kind, fromSeconds, toSeconds, description, runName }) => {
      const from = x.at(fromSeconds);
      const to = x.at(toSeconds);
      const tooltip = tag('title', {}, escapeMarkup(`${runName} ${description}`));
      const shape =
        kind === 'cliff'
          ? lineMark([from, top], [from, bottom], { ...CAUTION, 'stroke-dasharray': '4 3' }, tooltip)
          : boxMark({ left: from, right: Math.max(from + 1, to), top, bottom }, GREY_AREA, tooltip);
      const middle = (from + to) / 2;
      const labelStart = middle - estimateTextPixels(kind) / 2;
      if (labelStart < freeFrom) return [shape];
      freeFrom = labelStart + estimateTextPixels(kind) + 8;
      return [shape, textMark(middle, top - 10, kind, 'middle', true)];
    });
}
