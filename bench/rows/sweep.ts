import { GIB } from '../../src/text/units.js';
import type { Bench } from '../bench-context.js';
import { comparePrograms } from '../harness/compare-programs.js';
import { pointPrograms } from '../programs/one-point.js';

const SECONDS = 3;

function pointBench(threads: number, limit: number): Bench {
  const work = { storageKind: 'disk', sizeBytes: GIB, threads, seconds: SECONDS } as const;
  return comparePrograms(pointPrograms, work, [
    {
      name: `sweep-${threads}`,
      metric: 'iops',
      work: `random reads of 4 KiB, ${threads} ${threads === 1 ? 'thread' : 'threads'}, one file, direct`,
      unit: '/s',
      target: { statistic: 'ratio', bound: 'at least', limit },
    },
  ]);
}

/** The points of a load curve. */
export const sweepBenches: readonly Bench[] = [
  pointBench(1, 0.95),
  pointBench(4, 0.95),
  pointBench(16, 0.95),
  pointBench(64, 0.92),
];
