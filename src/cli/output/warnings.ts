import type { Paint } from '../../format/writing/paint.js';
import type { Warning } from '../../report/schema/report.js';
import { isUrgent } from '../../report/warning-catalogue.js';
import { groupsOf } from '../../text/groups.js';
import type { Narrate, Verbosity } from './narration.js';

/** For the end of the run; urgent ones have been said already. */
export function warningLines(
  warnings: readonly Warning[],
  narrate: Narrate,
  verbosity: Verbosity,
  paint: Paint,
): readonly string[] {
  return byAdvice(warnings.filter((warning) => !isUrgent(warning)))
    .flatMap((warning) => narrate({ type: 'warning', warning }, verbosity))
    .map((line) => line.replace('warning:', paint.caution));
}

/** Several phases that need the same hint share one warning. */
function byAdvice(warnings: readonly Warning[]): readonly Warning[] {
  return groupsOf(warnings, ({ code, hint }) => `${code} ${hint}`).map((group) => ({
    ...group[0],
    message: group.map(({ message }) => message).join('; '),
  }));
}
