import { quoteForShell } from '../../text/shell.js';

/** How a script calls gobonnie: with the same Node and the same file as now, or else the one on the PATH. */
export interface Invocation {
  readonly node: string;
  readonly entry: string;
}

/** The text of a script with which a shell completes gobonnie's command lines. */
export type CompletionScript = (invocation: Invocation) => string;

/** For bash and zsh: the function that asks gobonnie. */
export function queryFunction({ node, entry }: Invocation): string {
  return `\
_gobonnie_query() {
  if [[ -x ${quoteForShell(node)} && -f ${quoteForShell(entry)} ]]; then
    ${quoteForShell(node)} ${quoteForShell(entry)} __complete "$@"
  else
    command gobonnie __complete "$@"
  fi 2>/dev/null
}`;
}
