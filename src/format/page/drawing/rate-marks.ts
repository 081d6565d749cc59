import { minMax } from '../../../report/measure/min-max.js';
import type { Markup } from '../../../text/markup.js';
import type { Area } from './chart.js';
import { downsample } from './curve.js';
import { polylineMark } from './marks.js';
import { linearScale, proportionalScale } from './scale.js';
import { rateCurve, type Timeline } from './timeline.js';

/** Draws the rate of each run over time without axes, on one scale that begins at 0. */
export function rateMarks(
  timelines: readonly Timeline[],
  { left, right, top, bottom }: Area,
): readonly Markup[] {
  const slots = timelines.flatMap((timeline) => timeline.slots);
  const x = proportionalScale(minMax(slots.map(({ toSeconds }) => toSeconds)).max, [left, right]);
  const rates = slots.map(({ perSecond }) => perSecond);
  const y = linearScale([0, ...rates], [bottom, top], String);
  return timelines.map((timeline) => {
    const points = rateCurve(timeline.slots).map(([at, rate]) => [x.at(at), y.at(rate)] as const);
    return polylineMark(downsample(points, (right - left) / 2), {
      ...timeline.result.style,
      dashes: undefined,
    });
  });
}
