import { inspect } from 'node:util';

/** What could control a terminal: control characters, invisible ones such as direction marks, line separators. */
const CONTROLS = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
/** Longer than any path. */
const MAX_DISPLAY_LENGTH = 4096;

/** A value in a message: quoted if it is empty, has spaces or could control a terminal. */
export function display(value: unknown): string {
  return displayOn(process.platform, value);
}

/** The same for people on that system. */
export function displayOn(platform: string, value: unknown): string {
  const text =
    typeof value === 'string' ? value : inspect(value, { depth: 0, breakLength: Number.POSITIVE_INFINITY });
  if (text.length > MAX_DISPLAY_LENGTH)
    return displayOn(platform, `${text.slice(0, MAX_DISPLAY_LENGTH - 1)}…`);
  if (/^[\w.,:;/\\+=@%~-]+$/.test(text)) return text;
  const json = escapeControls(JSON.stringify(text));
  // With single backslashes a path can be pasted again.
  return platform === 'win32' && json === `"${text.replaceAll('\\', '\\\\')}"` ? `"${text}"` : json;
}

/** A value as JSON, so strings are always quoted. */
export function displayJson(value: unknown): string {
  const text = JSON.stringify(value);
  return escapeControls(
    text.length > MAX_DISPLAY_LENGTH ? `${text.slice(0, MAX_DISPLAY_LENGTH - 1)}…` : text,
  );
}

/** Control characters become escapes such as `\u001b`. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (char) =>
    char
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** For one line of output: control characters become `?`. Names come from reports, which anyone may have written. */
export function sanitize(text: string): string {
  return text.replace(CONTROLS, '?');
}

/** For a cell that a spreadsheet may open: never a formula. */
export function escapeFormula(text: string): string {
  return text.replace(/^[=+\-@]/, "'$&");
}

/** An escape in JSON; captures the digits of a lone surrogate, which UTF-8 cannot encode. */
const ESCAPE = /\\(?:u(d[89a-f]..)|.)/g;

/** One JSON document on one line, which cannot control a terminal; lone surrogates, which jq refuses, are replaced. */
export function stringifySafely(document: unknown): string {
  const text = JSON.stringify(document).replace(ESCAPE, (sequence, surrogate?: string) =>
    surrogate === undefined ? sequence : '\\ufffd',
  );
  return `${escapeControls(text)}\n`;
}
