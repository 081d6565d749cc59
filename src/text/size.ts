import { KIB } from './units.js';

/** Without flags, as JSON Schema has none. */
export const SIZE = /^(\d+\.?\d*|\.\d+)(?:\s*(?:([kmgtKMGT])([iI]?)([bB]?)|[bB]))?$/;
const POWERS = ['', 'k', 'm', 'g', 't'];

/**
 * `64k`, `1.5 GiB` and `500MB` in bytes, as dd has it: k and KiB are 1024, kB is 1000, and so on. A number without a unit
 * counts in `bareUnit`. Null if invalid.
 */
export function parseSize(text: string, bareUnit = 1): number | null {
  const [, digits, prefix = '', binary, byte] = SIZE.exec(text) ?? [];
  if (digits === undefined) return null;
  if (/[\d.]$/.test(text)) return Number(digits) * bareUnit;
  const base = byte && !binary ? 1000 : KIB;
  return Number(digits) * base ** POWERS.indexOf(prefix.toLowerCase());
}
