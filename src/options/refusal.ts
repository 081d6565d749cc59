import { GobonnieError } from '../errors.js';
import { shown } from '../text/escape.js';
import type { OptionRow } from './row.js';

/** That a value is not what an option takes. */
export function refusalOf({ flags, expects, example }: OptionRow, value: unknown): GobonnieError {
  const flag = `--${flags.at(-1)}`;
  return new GobonnieError(
    'option-invalid',
    `${flag} ${shown(value)} is not ${expects}`,
    `pass for example ${flag} ${example}`,
  );
}
