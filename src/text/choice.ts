import { GobonnieError } from '../errors.js';
import { type MessageTemplate, msg, type OptionRef } from './message-template.js';

/** Returns the name if it is a key of `choices`; otherwise throws `unknown --format xml; pass one of …`. */
export function validateChoice<Choices extends object>(
  choices: Choices,
  name: string,
  label: MessageTemplate | OptionRef,
  command?: string,
): keyof Choices & string {
  if (Object.hasOwn(choices, name)) return name as keyof Choices & string;
  throw new GobonnieError(
    'option-invalid',
    command === undefined ? msg`unknown ${label}` : msg`${command} does not support ${label}`,
    `pass one of ${Object.keys(choices).join(', ')}`,
  );
}
