import { type ForeignFigures, foreignPhase, foreignRun } from '../../../src/read/ancestors/row.js';
import type { PhaseFigures, RunResult } from '../../../src/report/results.js';

/** What another program tells, by the name of the phase; undefined leaves it out. */
export type FiguresByPhase = Readonly<Record<string, ForeignFigures | undefined>>;

export type RunFacts = Partial<RunResult> & { readonly figures?: FiguresByPhase };

/** Rates in KiB and %CPU, as a row has them. */
export function kib(rate: number, cpuPercent: number, longestNs: number | null = null): ForeignFigures {
  return { rate: rate * 1024, cpuPercent, longestNs };
}

export function perSecond(rate: number, cpuPercent: number, longestNs: number | null = null): ForeignFigures {
  return { rate, cpuPercent, longestNs };
}

/** A run of which nothing is known, but for the facts that matter to the test. */
export function foreignRunWith({ figures = {}, ...facts }: RunFacts = {}): RunResult {
  return foreignRun({
    program: { name: 'gobonnie', version: '1.0.0' },
    label: 'host',
    phases: Object.entries(figures).flatMap(([phase, told]) => (told ? [foreignPhase(phase, told)] : [])),
    ...facts,
  });
}

/** What a run came to, by the name of the phase. */
export function byPhase(run: RunResult | null | undefined): Readonly<Record<string, PhaseFigures>> {
  return Object.fromEntries((run?.phases ?? []).map((result) => [result.phase, result]));
}

/** The same from what another program tells. */
export function results(figures: FiguresByPhase): Readonly<Record<string, PhaseFigures>> {
  return byPhase(foreignRunWith({ figures }));
}

/** Every line as the reader takes it, to its answer. */
export function readLines<Answer>(read: (line: string) => Answer, text: string): readonly Answer[] {
  return text.split('\n').map(read);
}
