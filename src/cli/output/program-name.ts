type Env = Readonly<Record<string, string | undefined>>;

/** Matches gobonnie commands in a text, but no path that ends in the program's name. */
const COMMAND =
  /(?<![\w./-]|npx )gobonnie (?=--help|(?:[a-z+-]+ --help|explain|clean|ab|compare|show|zones)\b)/g;

/** Returns the words to type to run the program: under npx or npm scripts, it is not on the PATH. */
export function programName({ npm_command: command }: Env): string {
  return command === undefined ? 'gobonnie' : 'npx gobonnie';
}

/** Replaces the commands in a text by the commands to type. */
export function withProgramName(text: string, env: Env): string {
  return text.replace(COMMAND, `${programName(env)} `);
}
