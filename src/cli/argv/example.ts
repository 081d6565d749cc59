/** A command line to paste, and what it does. */
export interface Example {
  readonly command: string;
  readonly does: string;
}

/** Programs, paths and variables that Windows and its shells do not have. */
const FOREIGN =
  /\b(?:sudo|df|findmnt|ulimit|touch|realpath|source|eval|gnuplot|mpiexec)\b|^ls |^\w+=|\$\?|&$|~|\/(?:dev|var|shared)\b|\bbonnie(?:\+\+)? .*-u root/;

/** The examples that work in a shell of Windows, with its paths. */
export function onWindows(examples: readonly Example[]): readonly Example[] {
  return examples.flatMap(({ command, does }) =>
    FOREIGN.test(command) ? [] : [{ command: withPaths(withQuotes(command)), does }],
  );
}

/** To cmd.exe a single quote is a letter, and the `>` behind it redirects. */
function withQuotes(command: string): string {
  return command.replaceAll("'", '"');
}

function withPaths(command: string): string {
  return command
    .replaceAll('/mnt/disk/', 'D:\\')
    .replaceAll('/mnt/disk', 'D:\\')
    .replaceAll(/\/mnt\/\w+/g, 'E:\\');
}
