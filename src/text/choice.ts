import { GobonnieError } from '../errors.js';
import { type NamedOption, type Sentence, sentence } from './sentence.js';

/** The name of one of several things, as it was given: `--format xml is unknown; pass one of …`. */
export function chosen<Things extends object>(
  things: Things,
  given: string,
  named: Sentence | NamedOption,
  to = '',
): keyof Things & string {
  if (Object.hasOwn(things, given)) return given as keyof Things & string;
  throw new GobonnieError(
    'option-invalid',
    sentence`${named} is unknown${to && ` ${to}`}`,
    `pass one of ${Object.keys(things).join(', ')}`,
  );
}
