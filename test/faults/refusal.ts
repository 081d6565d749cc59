/** The output of the program, in this process or its own. */
export interface Said {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | string | null | undefined;
}

/** Characters that control a terminal or reverse its text: C0, C1, line separators, writing directions. */
const STEERING = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;
const STEERING_BUT_LINES = /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;
/** Twice the longest path in escapes, and some words. */
const LONGEST_LINE = 32_768;

/** What is wrong with output that must be one line on stderr. */
export function faultsOfRefusal({ stdout, stderr, exitCode }: Said, code: number): readonly string[] {
  const line = stderr.replace(/\n$/, '');
  return [
    ...(exitCode === code ? [] : [`exit ${exitCode}, not ${code}`]),
    ...(stdout === '' ? [] : [`on stdout: ${JSON.stringify(stdout.slice(0, 200))}`]),
    ...(/^gobonnie: .+; .+\n$/su.test(stderr) ? [] : [`no refusal: ${JSON.stringify(line.slice(0, 500))}`]),
    ...(STEERING.test(line) ? [`it steers the terminal: ${JSON.stringify(line.slice(0, 500))}`] : []),
    ...(line.length > LONGEST_LINE ? [`it is ${line.length} characters long`] : []),
    ...faultsOfPanic(stderr),
  ];
}

/** Whether the output has a stack or an internal error. */
export function faultsOfPanic(text: string): readonly string[] {
  return /internal error|^\s+at \S/m.test(text) ? [`a stack: ${JSON.stringify(text.slice(0, 300))}`] : [];
}

export function steers(text: string): boolean {
  return STEERING_BUT_LINES.test(text);
}
