import { inspect } from 'node:util';

/** What a terminal may obey: controls, line separators, changes of the writing direction. JSON escapes but few of them. */
const STEERING = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;
/** No path is longer, and nobody reads more of anything else. */
const LONGEST_SHOWN = 4096;

/** A value as it may be put into a message: quoted where it is empty, has spaces or could steer a terminal. */
export function shown(value: unknown): string {
  const text =
    typeof value === 'string' ? value : inspect(value, { depth: 0, breakLength: Number.POSITIVE_INFINITY });
  if (text.length > LONGEST_SHOWN) return shown(`${text.slice(0, LONGEST_SHOWN - 1)}…`);
  return /^[\w.,:;/\\+=@%~-]+$/.test(text) ? text : escaped(JSON.stringify(text));
}

/** A value as a JSON document has it, where text is always in quotes. */
export function shownJson(value: unknown): string {
  const text = JSON.stringify(value);
  return escaped(text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN - 1)}…` : text);
}

/** Nothing in it can steer a terminal. */
export function escaped(text: string): string {
  return text.replace(STEERING, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
