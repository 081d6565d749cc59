import { errorKind } from '../../errors.js';
import { EXIT_CODES } from '../exit-codes.js';
import { errorExplanations } from './error-explanations.js';
import { exitCodeExplanations } from './exit-code-explanations.js';
import type { Explanation } from './explanation.js';
import { warningExplanations } from './warning-explanations.js';

/** A code with its explanation. */
export interface Topic extends Explanation {
  readonly code: string;
  readonly kind: 'warning' | 'error' | 'exit code';
  /** The exit code that it causes; null for a warning. */
  readonly exitCode: number | null;
}

/** All codes that gobonnie can explain, grouped by kind. */
export const topics: readonly Topic[] = [
  ...toTopics('warning', warningExplanations, () => null),
  ...toTopics('error', errorExplanations, (code) => EXIT_CODES[errorKind(code)]),
  ...toTopics('exit code', exitCodeExplanations, Number),
];

function toTopics<Code extends string>(
  kind: Topic['kind'],
  table: Readonly<Record<Code, Explanation>>,
  toExitCode: (code: Code) => number | null,
): readonly Topic[] {
  return (Object.keys(table) as Code[]).map((code) => ({
    ...table[code],
    code,
    kind,
    exitCode: toExitCode(code),
  }));
}
