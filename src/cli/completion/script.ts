/** How a script calls gobonnie: the same Node and the same file as now, or else what is found on the PATH. */
export interface Caller {
  readonly node: string;
  readonly entry: string;
}

/** The text of a script with which a shell completes gobonnie's command lines. */
export type Script = (caller: Caller) => string;

/** For sh, bash, zsh. */
export function quotedForSh(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
