import { GobonnieError } from '../errors.js';
import { type MessageTemplate, msg, type OptionRef } from './message-template.js';

/** The given name if `things` has it; otherwise throws `--format xml is unknown; pass one of …`. */
export function validateChoice<Choices extends object>(
  choices: Choices,
  name: string,
  label: MessageTemplate | OptionRef,
  command?: string,
): keyof Choices & string {
  if (Object.hasOwn(choices, name)) return name as keyof Choices & string;
  throw new GobonnieError(
    'option-invalid',
    command === undefined ? msg`${label} is unknown` : msg`${command} does not support ${label}`,
    `pass one of ${Object.keys(choices).join(', ')}`,
  );
}
