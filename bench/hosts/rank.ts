/** One rank of a job that only enters barriers and sends reports. Rank 0 prints the cost of each step. */
import { connectToLauncher } from '../../src/hosts/launcher.js';
import { runJobSteps } from '../harness/run-job-steps.js';

const communicator = await connectToLauncher(process);
if (!communicator) throw new Error('start this with mpiexec or srun');
const { runs } = await runJobSteps(communicator, Number(process.argv[2]));
if (communicator.rank === 0) process.stdout.write(JSON.stringify(runs.flat()));
