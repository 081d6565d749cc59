import { kindOf } from '../../errors.js';
import { EXIT_CODES } from '../exit-codes.js';
import { errors } from './errors.js';
import { exitCodes } from './exit-codes.js';
import type { Explanation } from './explanation.js';
import { warnings } from './warnings.js';

/** A code, and what it means. */
export interface Topic extends Explanation {
  readonly code: string;
  readonly kind: 'warning' | 'error' | 'exit code';
  /** What the program exits with; null for a warning. */
  readonly exitCode: number | null;
}

/** Everything that can be explained, kind by kind. */
export const topics: readonly Topic[] = [
  ...topicsOf('warning', warnings, () => null),
  ...topicsOf('error', errors, (code) => EXIT_CODES[kindOf(code)]),
  ...topicsOf('exit code', exitCodes, Number),
];

function topicsOf<Code extends string>(
  kind: Topic['kind'],
  table: Readonly<Record<Code, Explanation>>,
  exitCodeOf: (code: Code) => number | null,
): readonly Topic[] {
  return (Object.keys(table) as Code[]).map((code) => ({
    ...table[code],
    code,
    kind,
    exitCode: exitCodeOf(code),
  }));
}
