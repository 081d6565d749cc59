import { GIB, KIB, MIB } from './units.js';

const UNITS: Readonly<Record<string, number>> = { k: KIB, m: MIB, g: GIB, t: 1024 * GIB };

/** `64k`, `2G` in bytes; a number without a suffix counts in `bareUnit`. Null if invalid. */
export function parseSize(text: string, bareUnit = 1): number | null {
  const [, digits, unit = ''] = /^(\d+)([kmgt]?)$/i.exec(text) ?? [];
  return digits === undefined ? null : Number(digits) * (UNITS[unit.toLowerCase()] ?? bareUnit);
}
