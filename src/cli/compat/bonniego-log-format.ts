import { getPhase } from '../../../workers/phases/phase-catalogue.js';
import { warningLine } from '../../format/human/sentences.js';
import type { RunEvent } from '../../report/events/event-record.js';
import { display } from '../../text/escape.js';
import { MIB } from '../../text/units.js';
import { formatLogTime, type LogFormatter } from '../output/log-format.js';

/** Formats events like bonniego, whose log has only warnings without -v. */
export const formatBonniegoLog: LogFormatter = (event, isVerbose) => {
  const lines: string[] = [];
  if (event.type === 'warning') lines.push(warningLine(event.warning));
  if (isVerbose) lines.push(...verboseLines(event));
  return lines.map((line) => `${formatLogTime(new Date())} ${line}`);
};

function verboseLines(event: RunEvent): readonly string[] {
  switch (event.type) {
    case 'start':
      return [
        `Bonnie working directory: ${display(event.report.target.scratchDirectory)}`,
        `Number of concurrent processes: ${event.report.options.threads}`,
        `Total System RAM (MiB): ${Math.floor(event.report.machine.memoryBytes / MIB)}`,
      ];
    case 'step-end': {
      const { phase, primaryRate, bytes, operations, seconds } = event.measurement;
      const { amountLabel } = getPhase(phase);
      const amount =
        primaryRate === 'bytes'
          ? `${amountLabel} (MiB): ${Math.floor(bytes / MIB)}`
          : `${amountLabel} ${operations}`;
      return [amount, `Duration (seconds): ${seconds.toFixed(6)}`];
    }
    default:
      return [];
  }
}
