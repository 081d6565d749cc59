import { inspect } from 'node:util';

/** What could control a terminal: control characters, invisible ones such as direction marks, line separators. */
const CONTROLS = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
/** Longer than any path. */
const LONGEST_SHOWN = 4096;

/** A value in a message: quoted if it is empty, has spaces or could control a terminal. */
export function shown(value: unknown): string {
  return shownOn(process.platform, value);
}

/** The same for people on that system. */
export function shownOn(platform: string, value: unknown): string {
  const text =
    typeof value === 'string' ? value : inspect(value, { depth: 0, breakLength: Number.POSITIVE_INFINITY });
  if (text.length > LONGEST_SHOWN) return shownOn(platform, `${text.slice(0, LONGEST_SHOWN - 1)}…`);
  if (/^[\w.,:;/\\+=@%~-]+$/.test(text)) return text;
  const json = escaped(JSON.stringify(text));
  // With single backslashes a path can be pasted again.
  return platform === 'win32' && json === `"${text.replaceAll('\\', '\\\\')}"` ? `"${text}"` : json;
}

/** A value as JSON, so strings are always quoted. */
export function shownJson(value: unknown): string {
  const text = JSON.stringify(value);
  return escaped(text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN - 1)}…` : text);
}

/** Control characters become escapes such as `\u001b`. */
export function escaped(text: string): string {
  return text.replace(CONTROLS, (char) =>
    char
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** For one line of output: control characters become `?`. Names come from reports, which anyone may have written. */
export function harmless(text: string): string {
  return text.replace(CONTROLS, '?');
}

/** For a cell that a spreadsheet may open: never a formula. */
export function withoutFormula(text: string): string {
  return text.replace(/^[=+\-@]/, "'$&");
}

/** An escape in JSON; captures the digits of a lone surrogate, which UTF-8 cannot encode. */
const ESCAPE = /\\(?:u(d[89a-f]..)|.)/g;

/** One JSON document on one line, which cannot control a terminal; lone surrogates, which jq refuses, are replaced. */
export function harmlessJson(document: unknown): string {
  const text = JSON.stringify(document).replace(ESCAPE, (sequence, surrogate?: string) =>
    surrogate === undefined ? sequence : '\\ufffd',
  );
  return `${escaped(text)}\n`;
}
