import { optionError } from '../../errors.js';
import { display } from '../../text/escape.js';

/** Parses the value of an ancestor's flag, or returns the default if the flag is missing. */
export function parseWholeNumber(
  flag: string,
  text: string | undefined,
  defaultValue: number,
  min: number,
  max = Number.MAX_SAFE_INTEGER,
): number {
  if (text === undefined) return defaultValue;
  const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  const range = max === Number.MAX_SAFE_INTEGER ? `, ${min} or more` : ` from ${min} to ${max}`;
  throw optionError(
    `invalid ${flag} ${display(text)}: expected a whole number${range}`,
    `for example, ${flag} ${Math.max(defaultValue, min)}`,
  );
}
