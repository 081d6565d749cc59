type Env = Readonly<Record<string, string | undefined>>;

/** Commands in a text, but no path that ends in the program's name. */
const COMMAND =
  /(?<![\w./-]|npx )gobonnie (?=--help|(?:[a-z+-]+ --help|explain|clean|ab|compare|show|zones)\b)/g;

/** How the program was called: behind npx or in an npm script it is not on the path. */
export function programName({ npm_command: command }: Env): string {
  return command === undefined ? 'gobonnie' : 'npx gobonnie';
}

/** With its commands as they must be typed. */
export function withProgramName(text: string, env: Env): string {
  return text.replace(COMMAND, `${programName(env)} `);
}
