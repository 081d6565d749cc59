import { MB } from '../units.js';
import type { Format } from './format.js';

/** gobonniego's lines. */
export const text: Format = {
  phase({ title, figure, bytesPerSecond, operationsPerSecond }) {
    return figure === 'bytes'
      ? `${title} MB/s: ${(bytesPerSecond / MB).toFixed(2)}\n`
      : `${title}: ${operationsPerSecond.toFixed(0)}\n`;
  },
};
