import { GobonnieError } from '../../errors.js';
import { shown } from '../../text/escape.js';

/** The value of an ancestor's flag, or its default if the flag is missing. */
export function wholeNumber(
  flag: string,
  given: string | undefined,
  byDefault: number,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): number {
  if (given === undefined) return byDefault;
  const value = /^-?\d+$/.test(given) ? Number(given) : Number.NaN;
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw invalid(
    `${flag} ${shown(given)} is not a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`}`,
    `pass for example ${flag} ${Math.max(byDefault, least)}`,
  );
}

export function invalid(message: string, hint: string): GobonnieError {
  return new GobonnieError('option-invalid', message, hint);
}
