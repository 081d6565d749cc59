import type { Score, Sheet } from '../../report/sheet.js';
import { shown } from '../../text/escape.js';
import { Misreading } from '../misreading.js';

/** Looks at the lines of a text, one after the other. Null for a line that is no row; throws for a damaged one. */
export type RowReader = (line: string) => Sheet | null;

/** How the family prints what it measured and did not trust its clock with. */
const UNTRUSTED = /^\++$/;

export function damaged(reason: string): Misreading {
  return new Misreading(reason, 'mend the line or take it out');
}

/** In so many of what the text counts in. */
export function numberIn(text: string, name: string, unit = 1): number {
  const number = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * unit : Number.NaN;
  if (Number.isFinite(number)) return number;
  throw damaged(`${name} is ${shown(text)}, which is no number`);
}

export function wholeNumberIn(text: string, name: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw damaged(`${name} is ${shown(text)}, which is no whole number`);
}

/** A figure and its %CPU, as they stand in a row; what one of the rate's units is, in bytes or operations. */
export function scoreIn(
  { rate, cpu, name }: { readonly rate: string; readonly cpu: string; readonly name: string },
  figure: Score['figure'],
  unit: number,
): Score {
  return {
    figure,
    perSecond: UNTRUSTED.test(rate) ? null : numberIn(rate, name, unit),
    cpuPercent: cpu === '' || UNTRUSTED.test(cpu) ? null : numberIn(cpu, `the %CPU of ${name}`),
    latencyNs: null,
    amount: null,
    seconds: null,
  };
}
