/** For a POSIX shell; in quotes if it needs them. */
export function quoteForShell(text: string): string {
  return /^[\w.,:/+@%-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
