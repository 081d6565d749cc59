import { type ForeignFigures, foreignPhase, foreignRun } from '../../../src/read/compat/row-parsing.js';
import type { PhaseFigures, RunResult } from '../../../src/report/results.js';

/** The figures of another program by the name of the phase; undefined leaves one out. */
export type FiguresByPhase = Readonly<Record<string, ForeignFigures | undefined>>;

export type RunFacts = Partial<RunResult> & { readonly figures?: FiguresByPhase };

/** Rates in KiB/s and %CPU, as in a row. */
export function kib(rate: number, cpuPercent: number, longestNs: number | null = null): ForeignFigures {
  return { rate: rate * 1024, cpuPercent, longestNs };
}

export function perSecond(rate: number, cpuPercent: number, longestNs: number | null = null): ForeignFigures {
  return { rate, cpuPercent, longestNs };
}

/** A run of which only the facts that matter to the test are known. */
export function foreignRunWith({ figures = {}, ...facts }: RunFacts = {}): RunResult {
  return foreignRun({
    program: { name: 'gobonnie', version: '1.0.0' },
    label: 'host',
    phases: Object.entries(figures).flatMap(([phase, told]) => (told ? [foreignPhase(phase, told)] : [])),
    ...facts,
  });
}

/** The figures of a run by the name of the phase. */
export function resultsByPhase(run: RunResult | null | undefined): Readonly<Record<string, PhaseFigures>> {
  return Object.fromEntries((run?.phases ?? []).map((result) => [result.phase, result]));
}

/** The same from the figures of another program. */
export function foreignResultsByPhase(figures: FiguresByPhase): Readonly<Record<string, PhaseFigures>> {
  return resultsByPhase(foreignRunWith({ figures }));
}

/** What the reader makes of every line. */
export function readLines<Line>(read: (line: string) => Line, text: string): readonly Line[] {
  return text.split('\n').map(read);
}
