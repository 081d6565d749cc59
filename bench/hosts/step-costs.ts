import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { HYDRA } from '../../test/support/launchers/hydra.js';
import { SLURM_TOOLS, startCluster } from '../../test/support/launchers/slurm.js';
import { isAvailable } from '../../test/support/tools.js';
import type { Bench, BenchContext } from '../bench-context.js';
import { median, Unavailable } from '../bench-row.js';
import { type Command, runChild } from '../harness/child.js';
import { collectSeries, createVariant, interleaveRounds } from '../harness/interleave-rounds.js';
import { RANKS } from './host-benches.js';

/** Runs of three steps each. */
const RUNS = 10;
const RANK_FILE = fileURLToPath(new URL('rank.ts', import.meta.url));
const RANK = [process.execPath, '--import', import.meta.resolve('tsx'), RANK_FILE, String(RUNS)];

const costs = z.array(z.object({ barriersMs: z.number(), gatheringMs: z.number() }));

interface CostLimits {
  readonly barriersMs: number;
  readonly gatheringMs: number;
}

/** Measures the cost of a job's phase besides the work: three barriers, and rank 0 gathers every rank's report. */
function stepCostBench(
  launcher: string,
  limits: CostLimits,
  withLauncher: (context: BenchContext, measure: (command: Command) => Promise<void>) => Promise<void>,
): Bench {
  const common = { name: 'hosts-steps', unit: 'ms', peer: null };
  const barriers = { ...common, work: `three barriers of a phase, ${launcher}` };
  const gathering = { ...common, work: `gathering of a phase, ${launcher}` };
  return {
    labels: [barriers, gathering],
    async run(context) {
      let ours = createVariant(launcher, async () => ({ barriersMs: 0, gatheringMs: 0 }));
      await withLauncher(context, async (command) => {
        ours = createVariant(launcher, () => measureStepCosts(command, context.signal));
        await interleaveRounds([ours], context.rounds, context);
      });
      const limit = (name: keyof CostLimits) =>
        ({ statistic: 'median', bound: 'at most', limit: limits[name] }) as const;
      return [
        { ...barriers, ours: collectSeries(ours, (one) => one.barriersMs), target: limit('barriersMs') },
        { ...gathering, ours: collectSeries(ours, (one) => one.gatheringMs), target: limit('gatheringMs') },
      ];
    },
  };
}

async function measureStepCosts(command: Command, signal: AbortSignal) {
  const { stdout } = await runChild(command, signal);
  const all = costs.parse(JSON.parse(stdout));
  return {
    barriersMs: median(all.map(({ barriersMs }) => barriersMs)),
    gatheringMs: median(all.map(({ gatheringMs }) => gatheringMs)),
  };
}

const hydra = stepCostBench(
  `mpiexec -n ${RANKS}`,
  { barriersMs: 20, gatheringMs: 20 },
  async (_, measure) => {
    if (!isAvailable(HYDRA)) throw new Unavailable(`${HYDRA} is not on the PATH`);
    await measure([HYDRA, '-n', String(RANKS), ...RANK]);
  },
);

/** Two nodes on this machine. Slurm delays the first request after a barrier by 10 ms, which affects a gather twice. */
const slurm = stepCostBench(
  `srun -N2 -n ${RANKS}`,
  { barriersMs: 50, gatheringMs: 60 },
  async (_, measure) => {
    const missing = SLURM_TOOLS.filter((tool) => !isAvailable(tool));
    if (missing.length > 0) throw new Unavailable(`needs ${missing.join(', ')}`);
    const directory = mkdtempSync(path.join(tmpdir(), 'gobonnie-bench-'));
    try {
      const { env, stop } = await startCluster(directory, ['n1', 'n2']);
      const flags = ['--mpi=pmi2', '-N2', '-n', String(RANKS)];
      const command: Command = ['env', `SLURM_CONF=${env.SLURM_CONF}`, 'srun', ...flags, ...RANK];
      await measure(command).finally(stop);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
);

export const stepCosts: readonly Bench[] = [hydra, slurm];
