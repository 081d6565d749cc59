const BLOCKS = '▁▂▃▄▅▆▇█';
const LETTERS = '_-~=+*%#';

/** A column for each of the values, as high as it is beside the highest. */
export function sparkline(values: readonly number[], unicode: boolean): string {
  const levels = unicode ? BLOCKS : LETTERS;
  const highest = Math.max(0, ...values);
  return values
    .map(
      (value) => levels[highest > 0 ? Math.round((Math.max(0, value) / highest) * (levels.length - 1)) : 0],
    )
    .join('');
}

/** The place of a column that is still to come. */
export function columnAhead(unicode: boolean): string {
  return unicode ? '·' : '.';
}
