const OBEYED = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/**
 * On one line, and without what could steer a terminal or turn the writing direction: a name may come from a report
 * that anyone has made.
 */
export function harmless(text: string): string {
  return text.replace(OBEYED, '?');
}
