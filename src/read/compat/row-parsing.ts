import { getPhase } from '../../../workers/phases/phase-catalogue.js';
import type { RunResult, StepValues } from '../../report/results.js';
import { display } from '../../text/escape.js';
import { ReadError } from '../guard.js';

/** How bonnie and bonnie++ print a rate whose time was too short to trust. */
const UNTRUSTED_RATE = /^\++$/;

const UNKNOWN_RUN: Omit<RunResult, 'program' | 'label' | 'steps'> = {
  directory: null,
  startedAt: null,
  // The other programs report complete runs only.
  state: 'completed',
  sizeBytes: null,
  dataFiles: 1,
  blockBytes: null,
  threads: 1,
  seed: null,
  seeks: null,
  seekThreads: null,
  synced: false,
  unlocked: false,
  files: null,
};

/** Creates a run of another program. Missing facts are unknown. */
export function foreignRun(known: Partial<RunResult> & Pick<RunResult, 'program' | 'label' | 'steps'>) {
  return { ...UNKNOWN_RUN, ...known };
}

/** Another program's results of a phase; rate and amount are in bytes or operations, depending on the phase. */
export type ForeignValues = Readonly<Record<'rate', number | null>> &
  Readonly<Partial<Record<'amount' | 'seconds' | 'cpuPercent' | 'longestNs', number | null>>>;

export function foreignPhase(step: string, values: ForeignValues): StepValues {
  const { rate, amount = null, seconds = null, cpuPercent = null, longestNs = null } = values;
  const { title, primaryRate } = getPhase(step);
  const isBytes = primaryRate === 'bytes';
  return {
    step,
    title,
    primaryRate,
    seconds,
    cpuPercent,
    bytesPerSecond: isBytes ? rate : null,
    operationsPerSecond: isBytes ? null : rate,
    bytes: isBytes ? amount : null,
    operations: isBytes ? null : amount,
    isServedByDevice: true,
    isMemory: false,
    latencyNs: longestNs === null ? {} : { max: longestNs },
    ceilingPerSecond: null,
    measurement: null,
  };
}

/** Parses a phase from a rate, of bytes in `byteUnit` or of operations, and its %CPU. */
export function parseForeignPhase(
  phase: string,
  [rate, cpu]: readonly [rate: string, cpu: string],
  byteUnit: number,
  longestNs: number | null = null,
): StepValues {
  const unit = getPhase(phase).primaryRate === 'bytes' ? byteUnit : 1;
  return foreignPhase(phase, {
    rate: UNTRUSTED_RATE.test(rate) ? null : parseRowNumber(rate, phase, unit),
    cpuPercent: cpu === '' || UNTRUSTED_RATE.test(cpu) ? null : parseRowNumber(cpu, `the %CPU of ${phase}`),
    longestNs,
  });
}

export function damagedRowError(reason: string): ReadError {
  return new ReadError(reason, 'correct the line or remove it');
}

export function unexpectedValueError(name: string, text: string, expected: string): ReadError {
  return damagedRowError(`${name} is ${display(text)}, expected ${expected}`);
}

export function parseRowNumber(text: string, name: string, unit = 1): number {
  const number = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * unit : Number.NaN;
  if (Number.isFinite(number)) return number;
  throw unexpectedValueError(name, text, 'a number');
}

export function parseRowInteger(text: string, name: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw unexpectedValueError(name, text, 'a whole number');
}
