/** One process of a job that only waits and tells. Rank 0 prints what each step cost. */
import { connectToLauncher } from '../../src/communicator/launcher.js';
import { runJobSteps } from '../harness/run-job-steps.js';

const communicator = await connectToLauncher(process.env, 'bench');
if (!communicator) throw new Error('no launcher has started this');
const { runs } = await runJobSteps(communicator, Number(process.argv[2]));
if (communicator.rank === 0) process.stdout.write(JSON.stringify(runs.flat()));
