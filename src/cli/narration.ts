import { phaseNamed } from '../../workers/phases/catalogue.js';
import { shown } from '../errors.js';
import type { Plan } from '../plan.js';
import type { Measurement } from '../report/report.js';
import type { RunEvent } from '../run/events.js';
import { MB, MIB } from '../units.js';
import { version } from '../version.js';

export type Verbosity = 'quiet' | 'normal' | 'verbose';

/** The lines for an event. */
export type Narrate = (event: RunEvent, verbosity: Verbosity) => readonly string[];

/** gobonniego's log. */
export const narrate: Narrate = (event, verbosity) => {
  if (verbosity === 'quiet') return [];
  return linesOf(event, verbosity).map((line) => `${logTime(new Date())} ${line}`);
};

/** The log's lines without their time stamps. */
export function linesOf(event: RunEvent, verbosity: Exclude<Verbosity, 'quiet'>): readonly string[] {
  const verbose = verbosity === 'verbose';
  switch (event.type) {
    case 'start':
      return [startLine(event.plan), ...(verbose ? machineLines(event.plan, event.scratchDirectory) : [])];
    case 'phase-end':
      return verbose ? measurementLines(event.measurement) : [];
    case 'warning':
      return [`warning: ${event.warning.message}; ${event.warning.hint}`];
    default:
      return [];
  }
}

function startLine({ options, threads, totalBytes }: Plan): string {
  return (
    `gobonnie starting. version: ${version}, runs: ${options.runs}, seconds: ${options.seconds}, ` +
    `threads: ${threads}, disk space to use (MiB): ${Math.floor(totalBytes / MIB)}`
  );
}

function machineLines({ machine }: Plan, scratchDirectory: string): readonly string[] {
  return [
    `Number of CPU cores: ${machine.cores}`,
    `Total system RAM (MiB): ${Math.floor(machine.memoryBytes / MIB)}`,
    `Bonnie working directory: ${shown(scratchDirectory)}`,
  ];
}

function measurementLines({ phase, figure, bytes, operations, seconds }: Measurement): readonly string[] {
  const { done } = phaseNamed(phase);
  const moved =
    figure === 'bytes'
      ? [`${done} (MiB): ${Math.floor(bytes / MIB)}`, `${done} (MB): ${(bytes / MB).toFixed(6)}`]
      : [`${done} ${operations}`];
  return [...moved, `Duration (seconds): ${seconds.toFixed(6)}`];
}

/** Go's log time, local: `2018/04/12 06:20:09`. */
export function logTime(now: Date): string {
  const pad = (value: number) => String(value).padStart(2, '0');
  const date = [now.getFullYear(), pad(now.getMonth() + 1), pad(now.getDate())].join('/');
  return `${date} ${[now.getHours(), now.getMinutes(), now.getSeconds()].map(pad).join(':')}`;
}
