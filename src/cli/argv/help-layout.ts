import { wrapText } from '../../text/wrap.js';
import { commandToType, withProgramName } from './program-name.js';

/** A command line to paste, with a comment. */
export interface Example {
  /** Uses only double quotes: cmd.exe does not treat single quotes as quotes, so a `>` inside them redirects. */
  readonly command: string;
  readonly comment: string;
}

/** Wider lines are hard to read. */
const MAX_COLUMNS = 100;

/** Returns the terminal width; infinite if stdout is not a terminal or its width is unknown. */
export function windowColumns(): number {
  return process.stdout.columns || Number.POSITIVE_INFINITY;
}

/** Returns the width for long texts, at most the terminal width. */
export function proseWidth(): number {
  return Math.min(MAX_COLUMNS, windowColumns());
}

export function exampleLines(examples: readonly Example[]): string {
  const typed = examples.map((one) => ({ ...one, command: commandToType(one.command, process.env) }));
  const width = Math.max(...typed.map(({ command }) => command.length));
  const isWide = typed.some(({ comment }) => width + comment.length + 5 > proseWidth());
  return typed
    .map(({ command, comment }) =>
      isWide ? `  ${command}\n      ${comment}` : `  ${command.padEnd(width)}   ${comment}`,
    )
    .join('\n');
}

/** Moves the commands before the arguments and options, and adds examples and notes. */
export function arrangeHelp(
  text: string,
  { examples, notes }: { examples: readonly Example[]; notes: string },
): string {
  const lists = text.replace(/(?<=^.*?\n\n.*?\n\n)(.*\n\n)(Commands:.*)$/s, '$2\n$1').trimEnd();
  return `${lists}\n\nExamples:\n${exampleLines(examples)}\n\n${wrapText(withProgramName(notes, process.env), proseWidth())}\n`;
}
