import path from 'node:path';
import { warningLine, warningLineWithoutHint } from '../../format/human/sentences.js';
import { dataFileName } from '../../plan/files.js';
import type { Measurement, Report } from '../../report/schema/report.js';
import { display } from '../../text/escape.js';
import { KIB } from '../../text/units.js';
import { createWarning } from '../../warnings/warning-catalogue.js';
import type { LogFormatter } from '../output/log-format.js';

/** Width of the longest activity, `Writing with putc_unlocked()...`. */
const ACTIVITY_WIDTH = 31;
const RATE_WIDTH = 6;
const CPU_WIDTH = 5;

/** Formats events like Bonnie, which has no -v. */
export function bonnieLogFormatter(unlocked: boolean): LogFormatter {
  return (event) => {
    switch (event.type) {
      case 'start':
        return [startLine(event.report), ...sizeWarningLines(event.report)];
      case 'step-end':
        return [phaseLine(event.measurement, unlocked)];
      case 'warning':
        return [warningLineWithoutHint(event.warning)];
      default:
        return [];
    }
  };
}

function startLine({ options, target }: Report): string {
  const { sizeBytes, dataFilesPerThread } = options;
  const first = path.join(target.scratchDirectory, dataFileName(0));
  return `Bonnie: File ${quoteName(first)}, size: ${Math.floor(sizeBytes / dataFilesPerThread)}, volumes: ${dataFilesPerThread}`;
}

/** Garloff's warning at the start, because later warnings rely on kernel counters, which some systems lack. */
function sizeWarningLines({ options, machine }: Report): readonly string[] {
  const { sizeBytes: totalBytes } = options;
  const { memoryLimitBytes: memoryBytes, platform } = machine;
  if (totalBytes >= memoryBytes || options.direct) return [];
  return [warningLine(createWarning('size-below-memory', { totalBytes, memoryBytes, platform }))];
}

function phaseLine(measurement: Measurement, unlocked: boolean): string {
  if (measurement.step === 'seeks') return seekersLine(measurement.threads);
  const activity = `${activityText(measurement, unlocked)}...`.padEnd(ACTIVITY_WIDTH);
  const rate = String(Math.floor(measurement.bytesPerSecond / KIB)).padStart(RATE_WIDTH);
  const cpu = measurement.cpu.percent.toFixed(1).padStart(CPU_WIDTH);
  return `${activity}done: ${rate} kB/s ${cpu} %CPU`;
}

function seekersLine(seekThreads: number): string {
  const numbers = Array.from({ length: seekThreads }, (_, index) => index + 1);
  const starts = numbers.map((number) => `Seeker ${number}...`);
  return [...starts, "start 'em...", ...numbers.map(() => 'done...')].join('');
}

function activityText({ step, title }: Measurement, unlocked: boolean): string {
  const call = unlocked ? `${step}_unlocked()` : `${step}()`;
  const activities: Readonly<Record<string, string>> = {
    putc: `Writing with ${call}`,
    rewrite: 'Rewriting',
    write: 'Writing intelligently',
    getc: `Reading with ${call}`,
    read: 'Reading intelligently',
  };
  return activities[step] ?? title;
}

/** Quotes a name in single quotes like Bonnie, or in double quotes with escapes if it has special characters. */
function quoteName(name: string): string {
  const safe = display(name);
  return safe === name ? `'${name}'` : safe;
}
