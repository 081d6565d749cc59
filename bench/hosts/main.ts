/** `npm run bench:hosts`: several processes as one job, started by mpiexec.hydra and srun. As root: Slurm needs that. */
import { userInfo } from 'node:os';
import { runBenches } from '../run-benches.js';
import { hostBenches } from './host-benches.js';
import { stepCosts } from './step-costs.js';

await runBenches([...hostBenches, ...stepCosts], () => userInfo().username);
