import { inspect } from 'node:util';

/** Characters that could control a terminal: control characters, invisible direction marks, line separators. */
const CONTROLS = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
/** Longer than any path. */
const MAX_DISPLAY_LENGTH = 4096;

/** Formats a value for a message: quoted if it is empty, has spaces or could control a terminal. */
export function display(value: unknown, platform: string = process.platform): string {
  const options = { depth: 0, breakLength: Number.POSITIVE_INFINITY };
  let text = typeof value === 'string' ? value : inspect(value, options);
  if (text.length > MAX_DISPLAY_LENGTH) text = `${text.slice(0, MAX_DISPLAY_LENGTH - 1)}…`;
  if (/^[\w.,:;/\\+=@%~-]+$/.test(text)) return text;
  const json = escapeControls(JSON.stringify(text));
  // Single backslashes let users copy and paste a path.
  return platform === 'win32' && json === `"${text.replaceAll('\\', '\\\\')}"` ? `"${text}"` : json;
}

/** Replaces control characters by escapes: `\u001b`. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (char) =>
    char
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Replaces control characters by `?` for one line of output. Names come from reports, which are untrusted. */
export function sanitize(text: string): string {
  return text.replace(CONTROLS, '?');
}

/** Quotes a cell that a spreadsheet would run as a formula. */
export function escapeFormula(text: string): string {
  return text.replace(/^[=+\-@]/, "'$&");
}

/** Matches an escape in JSON; captures the digits of a lone surrogate, which UTF-8 cannot encode. */
const ESCAPE = /\\(?:u(d[89a-f]..)|.)/g;

/** Returns JSON on one line that cannot control a terminal. Replaces lone surrogates, because jq rejects them. */
export function stringifySafely(document: unknown): string {
  const text = JSON.stringify(document).replace(ESCAPE, (sequence, surrogate?: string) =>
    surrogate === undefined ? sequence : '\\ufffd',
  );
  return `${escapeControls(text)}\n`;
}

/** Quotes text for a POSIX shell if needed. */
function quoteForShell(text: string): string {
  return /^[\w.,:=/+@%-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Formats words as typed in a POSIX shell. */
export function formatCommandLine(words: readonly string[]): string {
  return words.map(quoteForShell).join(' ');
}
