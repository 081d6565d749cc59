/** The output of the program, in this process or its own. */
export interface CommandOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | string | null | undefined;
}

/** Characters that control a terminal or reverse its text: C0, C1, line separators, writing directions. */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;
const CONTROL_CHARACTERS_EXCEPT_NEWLINE = /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;
/** Twice the longest path in escapes, and some words. */
const MAX_LINE_LENGTH = 32_768;

/** What is wrong with output that must be one line on stderr. */
export function rejectionViolations(
  { stdout, stderr, exitCode }: CommandOutput,
  code: number,
): readonly string[] {
  const line = stderr.replace(/\n$/, '');
  return [
    ...(exitCode === code ? [] : [`exit ${exitCode}, not ${code}`]),
    ...(stdout === '' ? [] : [`on stdout: ${JSON.stringify(stdout.slice(0, 200))}`]),
    ...(/^gobonnie: .+; .+\n$/su.test(stderr) ? [] : [`no refusal: ${JSON.stringify(line.slice(0, 500))}`]),
    ...(CONTROL_CHARACTERS.test(line)
      ? [`it steers the terminal: ${JSON.stringify(line.slice(0, 500))}`]
      : []),
    ...(line.length > MAX_LINE_LENGTH ? [`it is ${line.length} characters long`] : []),
    ...panicViolations(stderr),
  ];
}

/** Whether the output has a stack or an internal error. */
export function panicViolations(text: string): readonly string[] {
  return /internal error|^\s+at \S/m.test(text) ? [`a stack: ${JSON.stringify(text.slice(0, 300))}`] : [];
}

export function hasControlCharacters(text: string): boolean {
  return CONTROL_CHARACTERS_EXCEPT_NEWLINE.test(text);
}
