/** `npm run bench`: runs gobonnie and its peers in turns, and prints a table of medians and ratios. */
import { buffer } from './rows/buffer.js';
import { directBenches } from './rows/direct.js';
import { bonnieBenches } from './rows/family.js';
import { peakMemory } from './rows/memory.js';
import { firstIo, manyThreadsFirstIo } from './rows/startup.js';
import { throughput } from './rows/throughput.js';
import { versionTime } from './rows/version.js';
import { runBenches } from './run.js';
import { dropRoot } from './user.js';

const benches = [throughput, ...directBenches, ...bonnieBenches, buffer, firstIo, manyThreadsFirstIo, peakMemory, versionTime];

await runBenches(benches, dropRoot);
