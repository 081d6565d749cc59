import type { Paint } from '../../format/writing/paint.js';
import type { Warning } from '../../report/schema/report.js';
import { groupsOf } from '../../text/groups.js';
import type { Narrate, Verbosity } from './narration.js';

/** What helps while the run goes on, and comes too late when it is over. */
const URGENT: readonly Warning['code'][] = ['unwatched'];

/** Whether it is told at once, and not when all figures are. */
export function isUrgent({ code }: Warning): boolean {
  return URGENT.includes(code);
}

/** What is said of them when all figures are told, in the dialect's way. */
export function warningLines(
  warnings: readonly Warning[],
  narrate: Narrate,
  verbosity: Verbosity,
  paint: Paint,
): readonly string[] {
  return byAdvice(warnings)
    .flatMap((warning) => narrate({ type: 'warning', warning }, verbosity))
    .map((line) => line.replace('warning:', paint.caution));
}

/** One of several phases that have the same way out, so that nobody reads that again and again. */
function byAdvice(warnings: readonly Warning[]): readonly Warning[] {
  return groupsOf(warnings, ({ code, hint }) => `${code} ${hint}`).map((group) => ({
    ...group[0],
    message: group.map(({ message }) => message).join('; '),
  }));
}
