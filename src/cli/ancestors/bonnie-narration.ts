import path from 'node:path';
import { warningLine, warningLineWithoutHint } from '../../format/people/sentences.js';
import { dataFileName } from '../../plan/files.js';
import type { Measurement, Report } from '../../report/schema/report.js';
import { warningOf } from '../../report/warning-catalogue.js';
import { shown } from '../../text/escape.js';
import { KIB } from '../../text/units.js';
import type { Narrate } from '../output/narration.js';

/** As wide as the longest: `Writing with putc_unlocked()...`. */
const DOING_WIDTH = 31;
const RATE_WIDTH = 6;
const CPU_WIDTH = 5;

/** What Bonnie says of its run as it goes. It has no -v. */
export function bonnieNarrate(unlocked: boolean): Narrate {
  return (event, verbosity) => {
    if (verbosity === 'quiet') return [];
    switch (event.type) {
      case 'start':
        return [startLine(event.report), ...smallFileLines(event.report)];
      case 'phase-end':
        return [phaseLine(event.measurement, unlocked)];
      case 'warning':
        return [warningLineWithoutHint(event.warning)];
      default:
        return [];
    }
  };
}

/** The first file, and the size of each. */
function startLine({ options, target }: Report): string {
  const files = options.oneFile ? 1 : options.threads * options.volumes;
  const first = path.join(target.scratchDirectory, dataFileName(0));
  return `Bonnie: File ${quoted(first)}, size: ${Math.floor(options.sizeBytes / files)}, volumes: ${files}`;
}

/** Garloff's. What the kernel counts will tell more, but only where it counts. */
function smallFileLines({ options, machine }: Report): readonly string[] {
  const [totalBytes, { memoryBytes }] = [options.sizeBytes, machine];
  if (totalBytes >= memoryBytes) return [];
  return [warningLine(warningOf('size-below-memory', { totalBytes, memoryBytes }))];
}

function phaseLine(measurement: Measurement, unlocked: boolean): string {
  if (measurement.phase === 'seeks') return seekersLine(measurement.threads);
  const { figure, cpu, bytesPerSecond, operationsPerSecond } = measurement;
  const [rate, unit] = figure === 'bytes' ? [bytesPerSecond / KIB, 'kB/s'] : [operationsPerSecond, '/s'];
  return (
    `${`${doingOf(measurement, unlocked)}...`.padEnd(DOING_WIDTH)}done: ` +
    `${String(Math.floor(rate)).padStart(RATE_WIDTH)} ${unit} ${cpu.percent.toFixed(1).padStart(CPU_WIDTH)} %CPU`
  );
}

function seekersLine(seekers: number): string {
  const numbers = Array.from({ length: seekers }, (_, index) => index + 1);
  const starts = numbers.map((number) => `Seeker ${number}...`);
  return [...starts, "start 'em...", ...numbers.map(() => 'done...')].join('');
}

function doingOf({ phase, title }: Measurement, unlocked: boolean): string {
  switch (phase) {
    case 'putc':
      return unlocked ? 'Writing with putc_unlocked()' : 'Writing with putc()';
    case 'rewrite':
      return 'Rewriting';
    case 'write':
      return 'Writing intelligently';
    case 'getc':
      return unlocked ? 'Reading with getc_unlocked()' : 'Reading with getc()';
    case 'read':
      return 'Reading intelligently';
    default:
      return title;
  }
}

/** In single quotes, as Bonnie does it, unless there is something odd in the name. */
function quoted(name: string): string {
  const safe = shown(name);
  return safe === name ? `'${name}'` : safe;
}
