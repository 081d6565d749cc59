/** What a metric can be counted in. A share is from 0 to 1. */
export const UNITS = [
  'bytesPerSecond',
  'operationsPerSecond',
  'nanoseconds',
  'seconds',
  'bytes',
  'count',
  'share',
  'percent',
] as const;

export type Unit = (typeof UNITS)[number];
