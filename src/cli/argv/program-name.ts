import { COMMAND_NAMES } from './command-names.js';

const NAMES = COMMAND_NAMES.map((name) => name.replaceAll('+', '\\+')).join('|');
/** Matches the program's name in a text before a command, but no path that ends in it. */
const NAME_IN_TEXT = new RegExp(`(?<![\\w./-]|npx )gobonnie (?=--help|(?:${NAMES})(?![\\w-]))`, 'g');
const NAME_IN_COMMAND = /(?<![\w./-]|npx )gobonnie(?=\s|$)/g;

type Environment = Readonly<NodeJS.ProcessEnv>;

/** Replaces the commands in a text by the commands to type: under npx and npm scripts, gobonnie is not on the PATH. */
export function withProgramName(text: string, { npm_command: command }: Environment): string {
  return command === undefined ? text : text.replace(NAME_IN_TEXT, 'npx gobonnie ');
}

/** The same for a command line. */
export function commandToType(commandLine: string, { npm_command: command }: Environment): string {
  return command === undefined ? commandLine : commandLine.replace(NAME_IN_COMMAND, 'npx gobonnie');
}
