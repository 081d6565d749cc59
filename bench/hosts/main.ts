/** `npm run bench:hosts`: several processes as one job, started by mpiexec.hydra and srun. As root: Slurm needs that. */
import { userInfo } from 'node:os';
import { runBenches } from '../run.js';
import { hostBenches } from './rows.js';
import { stepCosts } from './steps.js';

await runBenches([...hostBenches, ...stepCosts], () => userInfo().username);
