import type { ForeignValues } from '../../../src/read/compat/row-parsing.js';
import type { RunResult } from '../../../src/report/results.js';
import { KIB, MIB, NS_PER_US } from '../../../src/text/units.js';
import { foreignRunWith, type RunFacts, type ValuesByPhase } from '../../support/data/foreign-runs.js';

/** A rate in KiB/s, the %CPU, and the maximum latency in microseconds. */
export function kibValues(
  kibPerSecond: number | null,
  cpuPercent: number | null,
  us: number | null,
): ForeignValues {
  return operationValues(kibPerSecond === null ? null : kibPerSecond * KIB, cpuPercent, us);
}

export function operationValues(
  rate: number | null,
  cpuPercent: number | null,
  us: number | null,
): ForeignValues {
  return { rate, cpuPercent, longestNs: us === null ? null : us * NS_PER_US };
}

export const FILE_VALUES: ValuesByPhase = {
  create: operationValues(null, null, 158),
  stat: operationValues(null, null, 44),
  delete: operationValues(null, null, 236),
  'create-random': operationValues(null, null, 520),
  'stat-random': operationValues(null, null, 2),
  'delete-random': operationValues(null, null, 37),
};

export const IO_VALUES: ValuesByPhase = {
  putc: kibValues(1961, 99, 4474),
  write: kibValues(null, null, 864),
  rewrite: kibValues(null, null, 38),
  getc: kibValues(3189, 99, 2763),
  read: kibValues(null, null, 30),
  seeks: operationValues(null, null, 3346),
};

/** The results of a real `bonnie++ -s 64 -r 0 -n 1 -m goldhost`. */
export function bonniePlusPlusRun(facts: RunFacts = {}): RunResult {
  return foreignRunWith({
    program: { name: 'bonnie++', version: '2.00a' },
    label: 'goldhost',
    sizeBytes: 64 * MIB,
    blockBytes: 8192,
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
      blockBytes: null,
    },
    values: { ...IO_VALUES, ...FILE_VALUES },
    ...facts,
  });
}
