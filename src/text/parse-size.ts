import { KIB } from './units.js';

/** Has no regex flags, because JSON Schema supports none. */
export const SIZE_PATTERN = /^(\d+\.?\d*|\.\d+)(?:\s*(?:([kmgtKMGT])([iI]?)([bB]?)|[bB]))?$/;
const UNIT_PREFIXES = ['', 'k', 'm', 'g', 't'];

/**
 * Parses `64k`, `1.5 GiB` or `500MB` to bytes, with the units of dd: k and KiB are 1024, kB is 1000, and so on. A
 * number without a unit counts in `bareUnit`. Null if invalid.
 */
export function parseSize(text: string, bareUnit = 1): number | null {
  const [, digits, prefix = '', binary, byte] = SIZE_PATTERN.exec(text) ?? [];
  if (digits === undefined) return null;
  if (/[\d.]$/.test(text)) return Number(digits) * bareUnit;
  const base = byte && !binary ? 1000 : KIB;
  return Number(digits) * base ** UNIT_PREFIXES.indexOf(prefix.toLowerCase());
}
