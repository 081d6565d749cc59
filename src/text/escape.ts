import { inspect } from 'node:util';

/** What could steer a terminal: control characters, invisible ones such as changes of direction, line separators. */
const STEERING = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
/** Longer than any path; more of a value helps nobody. */
const LONGEST_SHOWN = 4096;

/** A value for a message: quoted if it is empty, has spaces or could steer a terminal. */
export function shown(value: unknown): string {
  const text =
    typeof value === 'string' ? value : inspect(value, { depth: 0, breakLength: Number.POSITIVE_INFINITY });
  if (text.length > LONGEST_SHOWN) return shown(`${text.slice(0, LONGEST_SHOWN - 1)}…`);
  return /^[\w.,:;/\\+=@%~-]+$/.test(text) ? text : escaped(JSON.stringify(text));
}

/** A value as a JSON document has it, text always in quotes. */
export function shownJson(value: unknown): string {
  const text = JSON.stringify(value);
  return escaped(text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN - 1)}…` : text);
}

/** Steering characters as `\u001b`. */
export function escaped(text: string): string {
  return text.replace(STEERING, (char) =>
    char
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** For one line of output: each steering character becomes `?`. Names come from reports that anyone may have made. */
export function harmless(text: string): string {
  return text.replace(STEERING, '?');
}

/** For a cell that a spreadsheet may open: text that it does not take for a formula. */
export function withoutFormula(text: string): string {
  return text.replace(/^[=+\-@]/, "'$&");
}

/** An escape in JSON; the digits of half a surrogate pair, which UTF-8 cannot hold, are captured. */
const ESCAPE = /\\(?:u(d[89a-f]..)|.)/g;

/** One JSON document on one line. It means the same, but cannot steer a terminal or trip up jq with half a character. */
export function harmlessJson(document: unknown): string {
  const text = JSON.stringify(document).replace(ESCAPE, (sequence, half?: string) =>
    half === undefined ? sequence : '\\ufffd',
  );
  return `${escaped(text)}\n`;
}
