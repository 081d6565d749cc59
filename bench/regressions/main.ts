/**
 * `npm run bench:regressions -- COMMIT`: runs the work tree and an earlier commit in turns, in memory and with direct I/O.
 * The options of `npm run bench` follow.
 */
import { GIB } from '../../src/text/units.js';
import type { Bench } from '../bench-context.js';
import { dropRoot } from '../drop-root.js';
import { comparePrograms } from '../harness/compare-programs.js';
import type { BlockWork } from '../programs/benchmarked-program.js';
import { gobonnieProgram } from '../programs/gobonnie.js';
import { TMPFS_WORK } from '../rows/tmpfs-work.js';
import { runBenches } from '../run-benches.js';
import { buildCommit, programOf } from './earlier-commit.js';

const KIB = 1024;
const TARGET = { statistic: 'ratio', bound: 'at least', limit: 0.98 } as const;
const MEMORY: Omit<BlockWork, 'threads'> = { ...TMPFS_WORK, sizeBytes: 4 * GIB, iopsDurationSeconds: 5 };
const DIRECT: Omit<BlockWork, 'threads'> = {
  ...{ storageKind: 'disk', direct: true, sizeBytes: GIB, iopsDurationSeconds: 5 },
  ...{ blockSizeBytes: KIB * KIB, ioSizeBytes: 4 * KIB },
};

const [commit, ...argv] = process.argv.slice(2);
if (commit === undefined) {
  process.stderr.write('bench: which commit? For example: npm run bench:regressions -- HEAD~1\n');
  process.exitCode = 2;
} else {
  const programs = { ours: gobonnieProgram, theirs: [programOf(buildCommit(commit))] };
  const compareWork = (name: string, description: string, work: BlockWork): Bench =>
    comparePrograms(programs, work, [
      { name, metric: 'write', work: `write ${description}`, unit: 'MB/s', target: TARGET },
      { name, metric: 'read', work: `read ${description}`, unit: 'MB/s', target: TARGET },
      { name, metric: 'iops', work: `random ${description}`, unit: '/s', target: TARGET },
    ]);
  const benches = [
    compareWork('memory', '64 KiB or 512 B, 2 threads, tmpfs', { ...MEMORY, threads: 2 }),
    ...[1, 2, 32, 64].map((threads) =>
      compareWork(`direct-${threads}`, `1 MiB or 4 KiB, ${threads} threads, direct`, { ...DIRECT, threads }),
    ),
  ];
  await runBenches(benches, dropRoot, argv);
}
