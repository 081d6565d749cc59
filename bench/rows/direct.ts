import { GIB } from '../../src/text/units.js';
import type { Bench } from '../context.js';
import { comparison } from '../measuring/comparison.js';
import { blocks } from '../peers/catalogue.js';
import type { Work } from '../peers/peer.js';
import type { Target } from '../row.js';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Every operation waits for the device; the rows compare how full the threads keep its queue. */
const DIRECT = { place: 'disk', direct: true, sizeBytes: GIB, ioSizeBytes: 4 * KIB } as const;

/** One write to nine reads, as in every random phase. The large blocks only write the files quickly. */
function random(threads: number, limit: number): Bench {
  const work: Work = { ...DIRECT, threads, blockSizeBytes: MIB, iopsDurationSeconds: 5 };
  return comparison(blocks, work, [
    {
      name: `direct-4k-${threads}`,
      metric: 'iops',
      work: `random 4 KiB, ${threads} ${threads === 1 ? 'thread' : 'threads'}, direct`,
      unit: '/s',
      target: atLeast(limit),
    },
  ]);
}

/** The random phase is not used, so it is very short. */
function sequential(name: string, block: string, blockSizeBytes: number): Bench {
  const work: Work = { ...DIRECT, threads: 2, blockSizeBytes, iopsDurationSeconds: 0.1 };
  return comparison(
    blocks,
    work,
    (['write', 'read'] as const).map((metric) => ({
      name,
      metric,
      work: `${metric} ${block}, 2 threads, direct`,
      unit: 'MB/s',
      target: atLeast(0.95),
    })),
  );
}

function atLeast(limit: number): Target {
  return { of: 'ratio', bound: 'at least', limit };
}

/** Bypassing the page cache, on a disk. With 64 threads each still has 16 MiB of its own. */
export const direct: readonly Bench[] = [
  random(1, 0.95),
  random(2, 0.95),
  random(32, 0.95),
  random(64, 0.94),
  sequential('direct-64k', '64 KiB', 64 * KIB),
  sequential('direct-1m', '1 MiB', MIB),
];
