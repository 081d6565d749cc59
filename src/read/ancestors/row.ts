import { phaseNamed } from '../../../workers/phases/catalogue.js';
import type { PhaseFigures, RunResult } from '../../report/results.js';
import { shown } from '../../text/escape.js';
import { Misreading } from '../guard.js';

/** Takes the lines of a text one by one. Null for a line that is no row; throws for a damaged row. */
export type RowReader = (line: string) => RunResult | null;

/** How the family prints what it measured but could not time. */
const UNTRUSTED = /^\++$/;

const UNKNOWN: Omit<RunResult, 'program' | 'label' | 'phases'> = {
  directory: null,
  startedAt: null,
  // The other programs tell complete runs alone.
  state: 'completed',
  sizeBytes: null,
  volumes: 1,
  chunkBytes: null,
  threads: 1,
  seed: null,
  seeks: null,
  seekers: null,
  synced: false,
  unlocked: false,
  files: null,
};

/** A run of another program; what is not given is not known. */
export function foreignRun(
  facts: Partial<RunResult> & Pick<RunResult, 'program' | 'label' | 'phases'>,
): RunResult {
  return { ...UNKNOWN, ...facts };
}

/** What another program tells of a phase; the rate and the amount count bytes or operations, as the phase does. */
export interface ForeignFigures {
  readonly rate: number | null;
  readonly amount?: number | null;
  readonly seconds?: number | null;
  readonly cpuPercent?: number | null;
  readonly longestNs?: number | null;
}

export function foreignPhase(
  phase: string,
  { rate, amount = null, seconds = null, cpuPercent = null, longestNs = null }: ForeignFigures,
): PhaseFigures {
  const { title, figure } = phaseNamed(phase);
  const isBytes = figure === 'bytes';
  return {
    phase,
    title,
    figure,
    seconds,
    cpuPercent,
    bytesPerSecond: isBytes ? rate : null,
    operationsPerSecond: isBytes ? null : rate,
    bytes: isBytes ? amount : null,
    operations: isBytes ? null : amount,
    durableBytesPerSecond: null,
    latencyNs: longestNs === null ? {} : { max: longestNs },
    deviceShare: null,
  };
}

/** A figure and its %CPU as they stand in a row. */
export interface RowCell {
  readonly name: string;
  readonly rate: string;
  readonly cpu: string;
}

/** `unit` is what the rate counts in: bytes, or operations. */
export function figuresIn(
  { rate, cpu, name }: RowCell,
  unit: number,
): { readonly rate: number | null; readonly cpuPercent: number | null } {
  return {
    rate: UNTRUSTED.test(rate) ? null : numberIn(rate, name, unit),
    cpuPercent: cpu === '' || UNTRUSTED.test(cpu) ? null : numberIn(cpu, `the %CPU of ${name}`),
  };
}

export function damaged(reason: string): Misreading {
  return new Misreading(reason, 'correct the line or remove it');
}

export function numberIn(text: string, name: string, unit = 1): number {
  const number = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * unit : Number.NaN;
  if (Number.isFinite(number)) return number;
  throw damaged(`${name} is ${shown(text)}, which is no number`);
}

export function wholeNumberIn(text: string, name: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw damaged(`${name} is ${shown(text)}, which is no whole number`);
}
