import type { Points } from './chart.js';

/** Returns a horizontal line: how the value changed within the interval is unknown. */
export function constantSegment(from: number, to: number, value: number): Points {
  return [
    [from, value],
    [to, value],
  ];
}

/** Keeps the lowest and the highest point of each of `columns` parts of the line, if there are more points. */
export function downsample(points: Points, columns: number): Points {
  if (points.length <= 2 * columns) return points;
  const partLength = Math.ceil(points.length / columns);
  const starts = Array.from({ length: columns }, (_, part) => part * partLength);
  return starts.flatMap((start) => {
    const byHeight = points.slice(start, start + partLength).toSorted(([, one], [, other]) => one - other);
    return [...byHeight.slice(0, 1), ...byHeight.slice(-1)].toSorted(([one], [other]) => one - other);
  });
}
