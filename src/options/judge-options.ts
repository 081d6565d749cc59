import { GobonnieError } from '../errors.js';
import { shown } from '../text/escape.js';
import { flag, sentence } from '../text/sentence.js';
import { nearest } from '../text/suggest.js';
import { DEFAULTS, type OptionName, optionCatalogue } from './catalogue.js';
import type { OptionRow } from './row.js';
import { type Options, type OptionsInput, optionsSchema } from './schema.js';

/** Returns the complete options, or throws a GobonnieError for the first one that is wrong. */
export function judgeOptions(input: OptionsInput): Options {
  const verdict = optionsSchema.safeParse(input);
  if (verdict.success) return verdict.data;
  const [issue] = verdict.error.issues;
  if (issue?.code === 'unrecognized_keys') throw unknownOption(issue.keys[0] ?? '');
  const name = issue?.path[0];
  if (typeof name !== 'string')
    throw new GobonnieError(
      'option-invalid',
      'the options are not an object',
      'pass for example { size: 0.5 }',
    );
  if (name === 'fileMinSize' && issue?.code === 'custom')
    throw new GobonnieError(
      'option-invalid',
      sentence`${flag('fileMinSize', input.fileMinSize)} is more than ${flag('fileSize', input.fileSize ?? DEFAULTS.fileSize)}`,
      sentence`pass a larger ${flag('fileSize')} or a smaller ${flag('fileMinSize')}`,
    );
  throw refusalOf(name, optionCatalogue[name as OptionName], input[name as OptionName]);
}

/**
 * In the words of the row. zod's own messages tell only the one bound that was missed, and nothing of units, of `64k` or
 * of what to type.
 */
export function refusalOf(name: string, { expects, example }: OptionRow, value: unknown): GobonnieError {
  return new GobonnieError(
    'option-invalid',
    sentence`${flag(name, value)} is not ${expects}`,
    sentence`pass for example ${flag(name, example)}`,
  );
}

function unknownOption(given: string): GobonnieError {
  const names = Object.keys(optionCatalogue);
  const near = nearest(given, names);
  return new GobonnieError(
    'option-unknown',
    `there is no option ${shown(given)}`,
    near === null ? `the options are ${names.join(', ')}` : `did you mean ${near}?`,
  );
}
