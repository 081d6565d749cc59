import { warningLine } from '../../format/people/sentences.js';
import { showAmount } from '../../report/amount.js';
import type { RunEvent } from '../../report/events/event.js';
import { rateOf } from '../../report/results.js';
import type { Run } from '../../report/schema/report.js';
import { shown } from '../../text/escape.js';
import type { Presentation } from '../argv/presentation.js';
import { linesOf, logTime } from '../output/narration.js';

/** What is said of a directory's runs: a line each, and more where that was asked for. */
export function abLines(
  event: RunEvent,
  directory: string,
  { verbose }: Pick<Presentation, 'verbose'>,
): readonly string[] {
  const lines = event.type === 'run-end' ? [runLine(event.result)] : moreLines(event, verbose);
  return lines.map((line) => `${logTime(new Date())} ${shown(directory)}: ${line}`);
}

function moreLines(event: RunEvent, isVerbose: boolean): readonly string[] {
  if (event.type === 'warning') return [warningLine(event.warning)];
  return isVerbose ? linesOf(event, 'verbose') : [];
}

/** `write 748.2 MB/s, read 1025 MB/s, iops 23832/s`. */
function runLine({ measurements }: Run): string {
  return measurements
    .map((measurement) => {
      const unit = measurement.figure === 'bytes' ? 'bytesPerSecond' : 'operationsPerSecond';
      return `${measurement.phase} ${showAmount(rateOf(measurement), unit)}`;
    })
    .join(', ');
}
