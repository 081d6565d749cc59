const OBEYED = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/**
 * On one line, and without what could steer a terminal or turn the writing direction: a name may come from a report
 * that anyone has made.
 */
export function harmless(text: string): string {
  return text.replace(OBEYED, '?');
}

/** One JSON document on a line of its own. What it says is the same, but no terminal obeys any of it. */
export function harmlessJson(document: unknown): string {
  return `${JSON.stringify(document).replace(OBEYED, inEscapes)}\n`;
}

function inEscapes(char: string): string {
  return char
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
