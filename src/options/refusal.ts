import { GobonnieError } from '../errors.js';
import { flag, sentence } from '../text/sentence.js';
import type { OptionRow } from './row.js';

/** That a value is not what an option takes. */
export function refusalOf(name: string, { expects, example }: OptionRow, value: unknown): GobonnieError {
  return new GobonnieError(
    'option-invalid',
    sentence`${flag(name, value)} is not ${expects}`,
    sentence`pass for example ${flag(name, example)}`,
  );
}
