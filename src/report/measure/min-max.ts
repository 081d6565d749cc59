/** Returns Infinity and -Infinity for no values. `Math.max(...values)` fails at about a hundred thousand values. */
export function minMax(values: readonly number[]): { readonly min: number; readonly max: number } {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return { min, max };
}
