import { getPhase } from '../../../workers/phases/catalogue.js';
import type { PhaseFigures, RunResult } from '../../report/results.js';
import { display } from '../../text/escape.js';
import { Misreading } from '../guard.js';

/** Takes the lines of a text one by one. Null if a line is not a row; throws if the row is damaged. */
export type RowReader = (line: string) => RunResult | null;

/** How the family prints a figure whose time was too short to trust. */
const UNTRUSTED = /^\++$/;

const UNKNOWN: Omit<RunResult, 'program' | 'label' | 'phases'> = {
  directory: null,
  startedAt: null,
  // The other programs report complete runs only.
  state: 'completed',
  sizeBytes: null,
  dataFiles: 1,
  chunkBytes: null,
  threads: 1,
  seed: null,
  seeks: null,
  seekThreads: null,
  synced: false,
  unlocked: false,
  files: null,
};

/** A run of another program; facts that are not given are unknown. */
export function foreignRun(
  facts: Partial<RunResult> & Pick<RunResult, 'program' | 'label' | 'phases'>,
): RunResult {
  return { ...UNKNOWN, ...facts };
}

/** Another program's figures of a phase; rate and amount count bytes or operations, as the phase does. */
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
  const { title, primaryRate } = getPhase(phase);
  const isBytes = primaryRate === 'bytes';
  return {
    phase,
    title,
    primaryRate,
    seconds,
    cpuPercent,
    bytesPerSecond: isBytes ? rate : null,
    operationsPerSecond: isBytes ? null : rate,
    bytes: isBytes ? amount : null,
    operations: isBytes ? null : amount,
    durableBytesPerSecond: null,
    timedPerSecond: null,
    diskPerSecond: rate,
    isServed: true,
    latencyNs: longestNs === null ? {} : { max: longestNs },
    deviceShare: null,
  };
}

/** The same from a rate and its %CPU as text; `unit` is what a rate of 1 means in bytes or operations. */
export function phaseInRow(
  phase: string,
  [rate, cpu]: readonly [rate: string, cpu: string],
  unit: number,
  longestNs: number | null = null,
): PhaseFigures {
  return foreignPhase(phase, {
    rate: UNTRUSTED.test(rate) ? null : numberIn(rate, phase, unit),
    cpuPercent: cpu === '' || UNTRUSTED.test(cpu) ? null : numberIn(cpu, `the %CPU of ${phase}`),
    longestNs,
  });
}

export function damaged(reason: string): Misreading {
  return new Misreading(reason, 'correct the line or remove it');
}

export function unexpected(name: string, text: string, expected: string): Misreading {
  return damaged(`${name} is ${display(text)}, expected ${expected}`);
}

export function numberIn(text: string, name: string, unit = 1): number {
  const number = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * unit : Number.NaN;
  if (Number.isFinite(number)) return number;
  throw unexpected(name, text, 'a number');
}

export function wholeNumberIn(text: string, name: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw unexpected(name, text, 'a whole number');
}
