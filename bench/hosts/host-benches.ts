import { GIB, MIB } from '../../src/text/units.js';
import { HYDRA } from '../../test/support/launchers/hydra.js';
import type { Bench } from '../bench-context.js';
import { type RowTarget, Unavailable } from '../bench-row.js';
import { comparePrograms } from '../harness/compare-programs.js';
import type { BlockWork } from '../programs/benchmarked-program.js';
import { queryInstalledVersion } from '../programs/installed-version.js';
import { blockPrograms } from '../programs/program-groups.js';
import { firstWrite } from '../rows/startup.js';
import { TMPFS_WORK } from '../rows/tmpfs-work.js';

export const RANKS = 4;

/** Keeps the unused random phase very short. */
const JOB = { threads: RANKS, asProcesses: true, iopsDurationSeconds: 0.1 } as const;
const tmpfsWork: BlockWork = { ...TMPFS_WORK, ...JOB, sizeBytes: 4 * GIB };
const directWork: BlockWork = {
  ...JOB,
  storageKind: 'disk',
  direct: true,
  sizeBytes: 2 * GIB,
  blockSizeBytes: MIB,
  ioSizeBytes: 4096,
};

const target: RowTarget = { statistic: 'ratio', bound: 'at least', limit: 0.95 };

function rateBench(name: string, setting: string, work: BlockWork): Bench {
  return comparePrograms(
    blockPrograms,
    work,
    (['write', 'read'] as const).map((metric) => ({
      name,
      metric,
      target,
      unit: 'MB/s',
      work: `${metric} ${setting}, ${RANKS} processes`,
    })),
  );
}

function requireHydra(bench: Bench): Bench {
  return {
    ...bench,
    async run(context) {
      if ((await queryInstalledVersion([HYDRA, '--version'], context.signal)) === undefined)
        throw new Unavailable(`${HYDRA} is not on the PATH`);
      return bench.run(context);
    },
  };
}

/** Compares a job of gobonnie with as many fio processes, and times launch to first write of the slowest rank. */
export const hostBenches: readonly Bench[] = [
  rateBench('hosts', '64 KiB, tmpfs', tmpfsWork),
  rateBench('hosts-direct', '1 MiB, direct', directWork),
  firstWrite('hosts-first-io', { threads: RANKS, asProcesses: true }, 1000),
].map(requireHydra);
