import { GobonnieError } from '../errors.js';
import { type NamedOption, type Sentence, sentence } from './sentence.js';

/** The given name if `things` has it; otherwise throws `--format xml is unknown; pass one of …`. */
export function chosen<Things extends object>(
  things: Things,
  given: string,
  named: Sentence | NamedOption,
  command?: string,
): keyof Things & string {
  if (Object.hasOwn(things, given)) return given as keyof Things & string;
  throw new GobonnieError(
    'option-invalid',
    command === undefined ? sentence`${named} is unknown` : sentence`${command} does not support ${named}`,
    `pass one of ${Object.keys(things).join(', ')}`,
  );
}
