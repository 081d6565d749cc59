import { quoteForShell } from '../../text/shell.js';

/** The current Node and gobonnie file, for scripts to run. Scripts fall back to the gobonnie on the PATH. */
export interface Invocation {
  readonly node: string;
  readonly entry: string;
}

/** Returns the script that makes a shell complete gobonnie's command lines. */
export type CompletionScript = (invocation: Invocation) => string;

/** Returns the function with which bash and zsh query gobonnie. */
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
