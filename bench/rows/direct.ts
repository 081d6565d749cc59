import { GIB } from '../../src/text/units.js';
import type { Bench } from '../bench-context.js';
import { comparePrograms } from '../harness/compare-programs.js';
import type { BlockWork } from '../programs/benchmarked-program.js';
import { blockPrograms } from '../programs/program-groups.js';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Every operation waits for the device; the rows compare how well the threads fill its queue. */
const DIRECT = { storageKind: 'disk', direct: true, sizeBytes: GIB, ioSizeBytes: 4 * KIB } as const;

const atLeast = (limit: number) => ({ statistic: 'ratio', bound: 'at least', limit }) as const;

/** Uses 90 % reads, like every random phase. The large blocks only create the files quickly. */
function randomBench(threads: number, limit: number): Bench {
  const work: BlockWork = { ...DIRECT, threads, blockSizeBytes: MIB, iopsDurationSeconds: 5 };
  const description = `random 4 KiB, ${threads} ${threads === 1 ? 'thread' : 'threads'}, direct`;
  return comparePrograms(blockPrograms, work, [
    {
      name: `direct-4k-${threads}`,
      metric: 'iops',
      work: description,
      unit: '/s',
      target: atLeast(limit),
    },
  ]);
}

/** Keeps the unused random phase very short. */
function sequentialBench(name: string, block: string, blockSizeBytes: number): Bench {
  const work: BlockWork = { ...DIRECT, threads: 2, blockSizeBytes, iopsDurationSeconds: 0.1 };
  const row = { name, unit: 'MB/s', target: atLeast(0.95) };
  return comparePrograms(blockPrograms, work, [
    { ...row, metric: 'write', work: `write ${block}, 2 threads, direct` },
    { ...row, metric: 'read', work: `read ${block}, 2 threads, direct` },
  ]);
}

/** Benches that bypass the page cache, on a disk. With 64 threads, each thread still has 16 MiB. */
export const directBenches: readonly Bench[] = [
  randomBench(1, 0.95),
  randomBench(2, 0.95),
  randomBench(32, 0.95),
  randomBench(64, 0.94),
  sequentialBench('direct-64k', '64 KiB', 64 * KIB),
  sequentialBench('direct-1m', '1 MiB', MIB),
];
