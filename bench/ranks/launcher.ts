/**
 * Runs a launcher with Slurm's limits in its own process, like Slurm, and all ranks but rank 0. These ranks send
 * simulated measurements and enter every barrier.
 */

import type { Communicator } from '../../src/hosts/communicator.js';
import { joinPmi } from '../../src/hosts/launcher.js';
import { serializeMessage } from '../../src/hosts/messages.js';
import { PHASES, rankFacts, rankMeasurement } from '../../test/support/data/ranks.js';
import { seededRandom } from '../../test/support/data/seeded-random.js';
import { connectAll, DIALECTS, startPmiLauncher } from '../../test/support/launchers/pmi-launcher.js';
import { SlurmStore } from './slurm-store.js';

/** Limit, because simulating a measurement takes longer than sending it. */
const DISTINCT_MEASUREMENTS = 32;
const BARRIER_TIMES = { entered: 2480.033217301, left: 2480.040110422 };

/** Counts the bytes of the ranks' phase reports. */
class CountingStore extends SlurmStore {
  bytes = 0;

  override set(key: string, value: string): void {
    super.set(key, value);
    // Step 1 is the agreement.
    if (/^\d+[.]result[.](?!1(?:$|[.]))/.test(key)) this.bytes += key.length + value.length;
  }
}

const [socketPath = '', size, runs] = process.argv.slice(2);
await runLauncher(socketPath, Number(size), Number(runs));

async function runLauncher(socketPath: string, size: number, runs: number): Promise<void> {
  const store = new CountingStore(size);
  const { close } = await startPmiLauncher(socketPath, size, DIALECTS.slurm, store);
  const random = seededRandom(17);
  const texts = PHASES.map((kind) =>
    Array.from({ length: DISTINCT_MEASUREMENTS }, () => {
      const measurement = rankMeasurement(kind, random);
      const barrierTimes = [BARRIER_TIMES, BARRIER_TIMES, BARRIER_TIMES];
      return serializeMessage({
        state: 'done',
        barrierTimes,
        warnings: [],
        measurement,
        startedAtSeconds: random.between(2000, 3000),
      });
    }),
  );
  const sockets = await connectAll(socketPath, size - 1);
  const ranks = await Promise.all(sockets.map((socket, at) => joinPmi(socket, at + 1, size)));
  process.send?.('ready');
  await Promise.all(ranks.map((rank) => simulateRank(rank, runs, texts)));
  process.send?.(store.bytes / size / runs / PHASES.length);
  close();
  process.disconnect();
}

/** Skips reading the decision, because each host of a cluster reads it on its own. */
async function simulateRank(
  rank: Communicator,
  runs: number,
  texts: readonly (readonly string[])[],
): Promise<void> {
  const rankInfo = serializeMessage({
    state: 'done',
    barrierTimes: [BARRIER_TIMES],
    warnings: [],
    rankInfo: rankFacts(rank.rank),
  });
  const runMessages = texts.map((variants) => variants[rank.rank % DISTINCT_MEASUREMENTS] ?? '');
  const messages = [rankInfo, ...Array.from({ length: runs }, () => runMessages).flat()];
  const neverAborted = new AbortController().signal;
  for (const [at, text] of messages.entries()) {
    await rank.barrier(neverAborted);
    await rank.put(`result.${at + 1}`, text);
    await rank.barrier(neverAborted);
    await rank.barrier(neverAborted);
  }
  await rank.leave();
}
