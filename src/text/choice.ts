import { GobonnieError } from '../errors.js';
import { shown } from './escape.js';

/** The name of one of several things, as it was given: `--format xml is unknown to ab; pass one of …`. */
export function chosen<Things extends object>(
  things: Things,
  given: string,
  option: string,
  to = '',
): keyof Things & string {
  if (Object.hasOwn(things, given)) return given as keyof Things & string;
  throw new GobonnieError(
    'option-invalid',
    [option, shown(given), 'is unknown', to].filter(Boolean).join(' '),
    `pass one of ${Object.keys(things).join(', ')}`,
  );
}
