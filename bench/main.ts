/** `npm run bench`: runs gobonnie and its peers in turns, and prints a table of medians and ratios. */
import { buffer } from './rows/buffer.js';
import { direct } from './rows/direct.js';
import { family } from './rows/family.js';
import { memory } from './rows/memory.js';
import { firstIo, ready } from './rows/startup.js';
import { throughput } from './rows/throughput.js';
import { version } from './rows/version.js';
import { runBenches } from './run.js';
import { stopBeingRoot } from './user.js';

const benches = [throughput, ...direct, ...family, buffer, firstIo, ready, memory, version];

await runBenches(benches, stopBeingRoot);
