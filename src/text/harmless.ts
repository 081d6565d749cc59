const OBEYED = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/**
 * On one line, and without what could steer a terminal or turn the writing direction: a name may come from a report
 * that anyone has made.
 */
export function harmless(text: string): string {
  return text.replace(OBEYED, '?');
}

/** What a spreadsheet would calculate, and a name need not begin with. */
const FORMULA = /^[=+\-@]/;

/** For a cell of a table: text that stays text in a spreadsheet. */
export function withoutFormula(text: string): string {
  return text.replace(FORMULA, "'$&");
}

/** An escape in JSON. Of half a letter, which no UTF-8 can hold, the digits are told. */
const ESCAPE = /\\(?:u(d[89a-f]..)|.)/g;

/**
 * One JSON document on a line of its own. What it says is the same, but no terminal obeys any of it, and jq does not
 * take half a letter for one of two.
 */
export function harmlessJson(document: unknown): string {
  const text = JSON.stringify(document)
    .replace(ESCAPE, (sequence, half?: string) => (half === undefined ? sequence : '\\ufffd'))
    .replace(OBEYED, inEscapes);
  return `${text}\n`;
}

function inEscapes(char: string): string {
  return char
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
