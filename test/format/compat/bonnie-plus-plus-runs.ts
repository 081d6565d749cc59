import type { ForeignValues } from '../../../src/read/compat/row-parsing.js';
import type { RunResult } from '../../../src/report/results.js';
import { MIB, NS_PER_US } from '../../../src/text/units.js';
import { foreignRunWith, kib, type RunFacts, type ValuesByPhase } from '../../support/data/foreign-runs.js';

/** A test that was too short to trust, with its longest latency in microseconds. */
const quick = (us: number): ForeignValues => ({ rate: null, cpuPercent: null, longestNs: us * NS_PER_US });

export const FILE_VALUES: ValuesByPhase = {
  create: quick(158),
  stat: quick(44),
  delete: quick(236),
  'create-random': quick(520),
  'stat-random': quick(2),
  'delete-random': quick(37),
};

export const IO_VALUES: ValuesByPhase = {
  putc: kib(1961, 99, 4_474_000),
  write: quick(864),
  rewrite: quick(38),
  getc: kib(3189, 99, 2_763_000),
  read: quick(30),
  seeks: quick(3346),
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
