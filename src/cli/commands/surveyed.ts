import type { Machine } from '../../machine/machine.js';
import type { Options } from '../../options/schema.js';
import { survey } from '../../run/survey.js';
import type { Presentation } from '../argv/presentation.js';
import { stallsUntil } from '../interruption.js';
import { clearedLine } from './clean.js';

/** What is to be measured, looked at; says what was in the way. A --dry-run leaves that where it is. */
export function surveyed(
  { dir, stallTimeout }: Pick<Options, 'dir' | 'stallTimeout'>,
  { dryRun }: Pick<Presentation, 'dryRun'>,
  say: (line: string) => void,
  signal: AbortSignal = new AbortController().signal,
): Promise<Machine> {
  const stalls = stallsUntil(signal, stallTimeout, say);
  return survey(dir, stalls, dryRun ? null : (one) => say(clearedLine(one)));
}
