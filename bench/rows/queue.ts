import { GIB } from '../../src/text/units.js';
import type { Bench } from '../bench-context.js';
import { comparePrograms } from '../harness/compare-programs.js';
import { queuePrograms } from '../programs/queue.js';

const SECONDS = 4;

function queueBench(depth: number): Bench {
  const work = { storageKind: 'disk', sizeBytes: GIB, depth, seconds: SECONDS } as const;
  const description = `random reads of 4 KiB, 1 thread, ${depth} in flight, direct`;
  return comparePrograms(queuePrograms, work, [
    {
      name: `queue-${depth}`,
      metric: 'iops',
      work: description,
      unit: '/s',
      target: { statistic: 'ratio', bound: 'at least', limit: 0.95 },
    },
    {
      name: `queue-${depth}`,
      metric: 'userNanoseconds',
      work: `user CPU of ${description}`,
      unit: 'ns',
      target: { statistic: 'ratio', bound: 'at most', limit: 1.5 },
    },
  ]);
}

/** The io_uring engine, which needs Node 26.9 or newer. */
export const queueBenches: readonly Bench[] = [1, 4, 16, 64, 256].map(queueBench);
