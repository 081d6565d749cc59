import { GIB, MIB } from '../../src/text/units.js';
import { HYDRA } from '../../test/support/launchers/hydra.js';
import type { Bench } from '../context.js';
import { comparison } from '../measuring/comparison.js';
import { blocks } from '../peers/catalogue.js';
import { installedVersion } from '../peers/installed.js';
import type { Work } from '../peers/peer.js';
import { type Target, Unavailable } from '../row.js';
import { CACHED } from '../rows/cached.js';
import { firstWrite } from '../rows/startup.js';

export const RANKS = 4;

/** The random phase is not used, so it is very short. */
const JOB = { threads: RANKS, asProcesses: true, iopsDurationSeconds: 0.1 } as const;
const cached: Work = { ...CACHED, ...JOB, sizeBytes: 4 * GIB };
const direct: Work = {
  ...{ ...JOB, place: 'disk', direct: true, sizeBytes: 2 * GIB },
  ...{ blockSizeBytes: MIB, ioSizeBytes: 4096 },
};

const target: Target = { of: 'ratio', bound: 'at least', limit: 0.95 };

function rates(name: string, place: string, work: Work): Bench {
  return comparison(
    blocks,
    work,
    (['write', 'read'] as const).map((metric) => ({
      ...{ name, metric, target, unit: 'MB/s' },
      work: `${metric} ${place}, ${RANKS} processes`,
    })),
  );
}

function byHydra(bench: Bench): Bench {
  return {
    ...bench,
    async run(context) {
      if ((await installedVersion([HYDRA, '--version'], context.signal)) === undefined)
        throw new Unavailable(`${HYDRA} is not on the PATH`);
      return bench.run(context);
    },
  };
}

/** Several processes of gobonnie as one job, against as many of fio; and from the launch to the first write of the last. */
export const hosts: readonly Bench[] = [
  rates('hosts', '64 KiB, tmpfs', cached),
  rates('hosts-direct', '1 MiB, direct', direct),
  firstWrite('hosts-first-io', { threads: RANKS, asProcesses: true }, 1000),
].map(byHydra);
