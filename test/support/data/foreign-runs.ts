import { type ForeignValues, foreignPhase, foreignRun } from '../../../src/read/compat/row-parsing.js';
import type { RunResult, StepValues } from '../../../src/report/results.js';

/** Results of another program by phase; undefined omits a phase. */
export type ValuesByPhase = Readonly<Record<string, ForeignValues | undefined>>;

export type RunFacts = Partial<RunResult> & { readonly values?: ValuesByPhase };

/** Creates a result from a rate in KiB/s and a %CPU, as in a row. */
export function kib(rate: number, cpuPercent: number, longestNs: number | null = null): ForeignValues {
  return { rate: rate * 1024, cpuPercent, longestNs };
}

export function perSecond(rate: number, cpuPercent: number, longestNs: number | null = null): ForeignValues {
  return { rate, cpuPercent, longestNs };
}

/** Creates a run with only the facts that matter to the test. */
export function foreignRunWith({ values = {}, ...facts }: RunFacts = {}): RunResult {
  const phases = [];
  for (const [phase, result] of Object.entries(values)) if (result) phases.push(foreignPhase(phase, result));
  return foreignRun({
    program: { name: 'gobonnie', version: '1.0.0' },
    label: 'host',
    steps: phases,
    ...facts,
  });
}

/** Returns the results of a run by phase. */
export function resultsByPhase(run: RunResult | null | undefined): Readonly<Record<string, StepValues>> {
  return Object.fromEntries((run?.steps ?? []).map((result) => [result.step, result]));
}

/** Returns the results of another program by phase. */
export function foreignResultsByPhase(values: ValuesByPhase): Readonly<Record<string, StepValues>> {
  return resultsByPhase(foreignRunWith({ values }));
}
