import path from 'node:path';
import { bonniePlusPlusText } from '../../format/compat/bonnie-plus-plus.js';
import { FILE_TESTS } from '../../format/compat/bonnie-tests.js';
import { warningLine, warningLineWithoutHint } from '../../format/human/sentences.js';
import { dataFileName } from '../../plan/slices.js';
import type { RunEvent } from '../../report/events/event-record.js';
import { completeRuns, toResults } from '../../report/results.js';
import type { Measurement, Report } from '../../report/schema/report.js';
import { display } from '../../text/escape.js';
import { KIB } from '../../text/units.js';
import { createWarning } from '../../warnings/warning-catalogue.js';
import { formatLog, type LogFormatter } from '../output/log-format.js';

/** Width of Bonnie's longest activity, `Writing with putc_unlocked()...`. */
const ACTIVITY_WIDTH = 31;

/** bonnie++'s words for each test. */
const ACTIVITIES: Readonly<Record<string, string>> = {
  putc: 'Writing a byte at a time',
  write: 'Writing intelligently',
  rewrite: 'Rewriting',
  getc: 'Reading a byte at a time',
  read: 'Reading intelligently',
  create: 'Create files in sequential order',
  stat: 'Stat files in sequential order',
  delete: 'Delete files in sequential order',
  'create-random': 'Create files in random order',
  'stat-random': 'Stat files in random order',
  'delete-random': 'Delete files in random order',
};
const BONNIE_ACTIVITIES: typeof ACTIVITIES = {
  ...ACTIVITIES,
  putc: 'Writing with putc()',
  getc: 'Reading with getc()',
};

/** The formats of stderr. bonnie and bonnie++ have no -v. */
export const logFormats = {
  gobonniego: formatLog,
  bonnie: formatBonnieLog,
  'bonnie++': formatBonniePlusPlusLog,
  'bonnie++-tables': formatBonniePlusPlusTables,
  none: () => [],
} satisfies Readonly<Record<string, LogFormatter>>;

export type LogFormatName = keyof typeof logFormats;

function formatBonnieLog(event: RunEvent): readonly string[] {
  if (event.type === 'start') return bonnieStartLines(event.report);
  return event.type === 'step-end' ? [bonnieLine(event.measurement)] : warningLines(event);
}

function formatBonniePlusPlusLog(event: RunEvent): readonly string[] {
  if (event.type !== 'step-end') return warningLines(event);
  const { step, title, threads } = event.measurement;
  if (step === 'seeks') return [`start 'em${'...done'.repeat(threads)}...`];
  // Only the lines of the file tests end with a full stop.
  const isFileTest = FILE_TESTS.some((test) => test === step);
  return [`${ACTIVITIES[step] ?? title}...done${isFileTest ? '.' : ''}`];
}

/** The originals lack the flags that hints name. */
function warningLines(event: RunEvent): readonly string[] {
  return event.type === 'warning' ? [warningLineWithoutHint(event.warning)] : [];
}

/** Formats the tables for stderr: with -q, stdout has only the CSV. */
function formatBonniePlusPlusTables(event: RunEvent): readonly string[] {
  if (event.type !== 'end') return [];
  const tables = bonniePlusPlusText(completeRuns([toResults(event.report)]));
  return tables.split('\n').slice(0, -1);
}

/** Garloff's warning comes at the start, because later warnings rely on kernel counters, which some systems lack. */
function bonnieStartLines({ options, machine, target }: Report): readonly string[] {
  const { sizeBytes: totalBytes, dataFilesPerThread: volumes, direct } = options;
  const { memoryLimitBytes: memoryBytes, platform } = machine;
  const file = display(path.join(target.scratchDirectory, dataFileName(0)));
  // Bonnie quotes with single quotes. A name with special characters already has double quotes.
  const quoted = file.startsWith('"') ? file : `'${file}'`;
  const start = `Bonnie: File ${quoted}, size: ${Math.floor(totalBytes / volumes)}, volumes: ${volumes}`;
  if (totalBytes >= memoryBytes || direct) return [start];
  return [start, warningLine(createWarning('size-below-memory', { totalBytes, memoryBytes, platform }))];
}

function bonnieLine({ step, title, threads, bytesPerSecond, cpu }: Measurement): string {
  if (step === 'seeks') return seekersLine(threads);
  const activity = `${BONNIE_ACTIVITIES[step] ?? title}...`.padEnd(ACTIVITY_WIDTH);
  const rate = String(Math.floor(bytesPerSecond / KIB)).padStart(6);
  return `${activity}done: ${rate} kB/s ${cpu.percent.toFixed(1).padStart(5)} %CPU`;
}

function seekersLine(threads: number): string {
  const starts = Array.from({ length: threads }, (_, index) => `Seeker ${index + 1}...`);
  return `${starts.join('')}start 'em...${'done...'.repeat(threads)}`;
}
