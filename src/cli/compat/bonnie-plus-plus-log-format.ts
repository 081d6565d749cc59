import { bonniePlusPlusText } from '../../format/compat/bonnie-plus-plus.js';
import { warningLineWithoutHint } from '../../format/human/sentences.js';
import { toResults } from '../../report/report-to-results.js';
import { completeRuns } from '../../report/results.js';
import type { Measurement } from '../../report/schema/report.js';
import type { LogFormatter } from '../output/log-format.js';

/** bonnie++'s message for each phase. Only the messages of the file tests end with a full stop. */
const LINES: Readonly<Record<string, string>> = {
  putc: 'Writing a byte at a time...done',
  write: 'Writing intelligently...done',
  rewrite: 'Rewriting...done',
  getc: 'Reading a byte at a time...done',
  read: 'Reading intelligently...done',
  create: 'Create files in sequential order...done.',
  stat: 'Stat files in sequential order...done.',
  delete: 'Delete files in sequential order...done.',
  'create-random': 'Create files in random order...done.',
  'stat-random': 'Stat files in random order...done.',
  'delete-random': 'Delete files in random order...done.',
};

/** Formats events like bonnie++, one line at the end of each phase. bonnie++ has no -v. */
export const formatBonniePlusPlusLog: LogFormatter = (event) => {
  switch (event.type) {
    case 'step-end':
      return [phaseLine(event.measurement)];
    case 'warning':
      return [warningLineWithoutHint(event.warning)];
    default:
      return [];
  }
};

function phaseLine({ step, title, threads }: Measurement): string {
  if (step === 'seeks') return `start 'em${'...done'.repeat(threads)}...`;
  return LINES[step] ?? `${title}...done`;
}

/** Formats the tables for stderr: with -q, stdout has only the CSV. */
export const formatBonniePlusPlusTables: LogFormatter = (event) => {
  if (event.type !== 'end') return [];
  return bonniePlusPlusText(completeRuns([toResults(event.report)]))
    .split('\n')
    .slice(0, -1);
};
