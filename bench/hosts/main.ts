/** `npm run bench:hosts`: benches jobs of several processes under mpiexec.hydra and srun. Run it as root for Slurm. */
import { userInfo } from 'node:os';
import { runBenches } from '../run-benches.js';
import { hostBenches } from './host-benches.js';
import { stepCosts } from './step-costs.js';

await runBenches([...hostBenches, ...stepCosts], () => userInfo().username);
