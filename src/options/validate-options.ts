import { GobonnieError } from '../errors.js';
import { display } from '../text/escape.js';
import { flag, msg } from '../text/message-template.js';
import { findNearest } from '../text/suggest.js';
import { type OptionName, optionCatalogue } from './option-catalogue.js';
import type { OptionRow } from './option-row.js';
import { type Options, type OptionsInput, optionsSchema } from './options-schema.js';

/** Returns the complete options. Throws a GobonnieError for the first invalid option. */
export function validateOptions(input: OptionsInput): Options {
  const parsed = optionsSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === 'unrecognized_keys') throw unknownOptionError(issue.keys[0] ?? '');
  const name = issue?.path[0];
  if (typeof name !== 'string')
    throw new GobonnieError('option-invalid', 'the options are not an object', 'for example, { size: 0.5 }');
  if (name === 'fileMinSize' && issue?.code === 'custom')
    throw new GobonnieError(
      'option-invalid',
      msg`${flag('fileMinSize', input.fileMinSize)} is more than ${flag('fileSize', input.fileSize ?? optionCatalogue.fileSize.default)}`,
      msg`pass a larger ${flag('fileSize')} or a smaller ${flag('fileMinSize')}`,
    );
  throw invalidOptionError(name, optionCatalogue[name as OptionName], input[name as OptionName]);
}

/** Words the error like the help. zod's messages name one bound only, and no unit, suffix such as `64k` or example. */
export function invalidOptionError(
  name: string,
  { expects, example }: OptionRow,
  value: unknown,
): GobonnieError {
  return new GobonnieError(
    'option-invalid',
    msg`invalid ${flag(name, value)}: expected ${expects}`,
    msg`for example, ${flag(name, example)}`,
  );
}

function unknownOptionError(name: string): GobonnieError {
  const names = Object.keys(optionCatalogue);
  const suggestion = findNearest(name, names);
  return new GobonnieError(
    'option-unknown',
    `there is no option ${display(name)}`,
    suggestion === null ? `the options are ${names.join(', ')}` : `did you mean ${suggestion}?`,
  );
}
