import type { ProcessOutput } from '../support/programs/in-process.js';

/** Characters that control a terminal or reverse its text: C0, C1, line separators, bidirectional controls. */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;
const CONTROL_CHARACTERS_EXCEPT_NEWLINE = /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;
/** Room for two of the longest paths, escaped, and some words. */
const MAX_LINE_LENGTH = 32_768;

/** Returns the problems of output that must be one line on stderr. */
export function rejectionViolations(
  { stdout, stderr, exitCode }: ProcessOutput,
  code: number,
): readonly string[] {
  const line = stderr.replace(/\n$/, '');
  const shortLine = JSON.stringify(line.slice(0, 500));
  const violations: string[] = [];
  if (exitCode !== code) violations.push(`exit ${exitCode}, not ${code}`);
  if (stdout !== '') violations.push(`on stdout: ${JSON.stringify(stdout.slice(0, 200))}`);
  if (!/^gobonnie: .+; .+\n$/su.test(stderr)) violations.push(`no error message: ${shortLine}`);
  if (CONTROL_CHARACTERS.test(line)) violations.push(`control characters: ${shortLine}`);
  if (line.length > MAX_LINE_LENGTH) violations.push(`a line of ${line.length} characters`);
  return [...violations, ...panicViolations(stderr)];
}

/** Returns a violation if the output has a stack trace or an internal error. */
export function panicViolations(text: string): readonly string[] {
  return /internal error|^\s+at \S/m.test(text)
    ? [`a stack trace: ${JSON.stringify(text.slice(0, 300))}`]
    : [];
}

export function hasControlCharacters(text: string): boolean {
  return CONTROL_CHARACTERS_EXCEPT_NEWLINE.test(text);
}
