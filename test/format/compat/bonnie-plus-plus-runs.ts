import type { ForeignFigures } from '../../../src/read/compat/row-parsing.js';
import type { RunResult } from '../../../src/report/results.js';
import { KIB, MIB, NS_PER_US } from '../../../src/text/units.js';
import { type FiguresByPhase, foreignRunWith, type RunFacts } from '../../support/data/foreign-runs.js';

/** A rate in KiB/s, the %CPU, and the maximum latency in microseconds. */
export function kibFigures(
  kibPerSecond: number | null,
  cpuPercent: number | null,
  us: number | null,
): ForeignFigures {
  return operationFigures(kibPerSecond === null ? null : kibPerSecond * KIB, cpuPercent, us);
}

export function operationFigures(
  rate: number | null,
  cpuPercent: number | null,
  us: number | null,
): ForeignFigures {
  return { rate, cpuPercent, longestNs: us === null ? null : us * NS_PER_US };
}

export const FILE_FIGURES: FiguresByPhase = {
  create: operationFigures(null, null, 158),
  stat: operationFigures(null, null, 44),
  delete: operationFigures(null, null, 236),
  'create-random': operationFigures(null, null, 520),
  'stat-random': operationFigures(null, null, 2),
  'delete-random': operationFigures(null, null, 37),
};

export const IO_FIGURES: FiguresByPhase = {
  putc: kibFigures(1961, 99, 4474),
  write: kibFigures(null, null, 864),
  rewrite: kibFigures(null, null, 38),
  getc: kibFigures(3189, 99, 2763),
  read: kibFigures(null, null, 30),
  seeks: operationFigures(null, null, 3346),
};

/** The results of a real `bonnie++ -s 64 -r 0 -n 1 -m goldhost`. */
export function bonniePlusPlusRun(facts: RunFacts = {}): RunResult {
  return foreignRunWith({
    program: { name: 'bonnie++', version: '2.00a' },
    label: 'goldhost',
    sizeBytes: 64 * MIB,
    chunkBytes: 8192,
    seed: '7',
    seeks: 8192,
    seekThreads: 5,
    synced: true,
    files: {
      count: 1024,
      kind: 'files',
      minBytes: 0,
      maxBytes: 0,
      directories: 1,
      chunkBytes: null,
    },
    figures: { ...IO_FIGURES, ...FILE_FIGURES },
    ...facts,
  });
}
