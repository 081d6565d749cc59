/** Quotes text for a POSIX shell if needed. */
export function quoteForShell(text: string): string {
  return /^[\w.,:/+@%-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
