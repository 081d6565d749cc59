/** `npm run bench`: runs gobonnie and its peers in turns, and prints a table of medians and ratios. */

import { dropRoot } from './drop-root.js';
import { bonnieBenches } from './rows/bonnie.js';
import { directBenches } from './rows/direct.js';
import { peakMemory } from './rows/peak-memory.js';
import { queueBenches } from './rows/queue.js';
import { firstIo, manyThreadsFirstIo } from './rows/startup.js';
import { sweepBenches } from './rows/sweep.js';
import { throughput } from './rows/throughput.js';
import { versionTime } from './rows/version-time.js';
import { runBenches } from './run-benches.js';

const benches = [
  throughput,
  ...directBenches,
  ...sweepBenches,
  ...queueBenches,
  ...bonnieBenches,
  firstIo,
  manyThreadsFirstIo,
  peakMemory,
  versionTime,
];

await runBenches(benches, dropRoot);
