/** One process of a job that only waits and tells. Rank 0 prints what each step cost. */
import { joined } from '../../src/meeting/joined.js';
import { takeSteps } from '../measuring/steps.js';

const exchange = await joined(process.env, 'bench');
if (!exchange) throw new Error('no launcher has started this');
const { runs } = await takeSteps(exchange, Number(process.argv[2]));
if (exchange.rank === 0) process.stdout.write(JSON.stringify(runs.flat()));
