/** Larger percentages need no decimal. */
const LARGE = 100;

/** `-19.8`, `+3.1`, `+1900`, `0.0`. */
export function signedDecimal(percent: number): string {
  const size = unsignedDecimal(percent);
  if (Number(size) === 0) return size;
  return `${percent < 0 ? '-' : '+'}${size}`;
}

/** `-19.8 %`. */
export function signedWithUnit(change: number, unit = '%'): string {
  return `${signedDecimal(change)} ${unit}`;
}

/** `19.8`. */
export function unsignedDecimal(percent: number): string {
  const size = Math.abs(percent);
  return size.toFixed(size < LARGE ? 1 : 0);
}
