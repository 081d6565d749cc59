import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { GIB } from '../../src/text/units.js';
import { type Bench, withNewDirectory } from '../bench-context.js';
import { exitError, startChild } from '../harness/child.js';
import { collectSeries, createVariant, interleaveRounds } from '../harness/interleave-rounds.js';
import { timeBareNode, toElapsedMs } from '../harness/time-command.js';
import type { BlockWork } from '../programs/benchmarked-program.js';
import { workCommand } from '../programs/gobonnie.js';
import { TMPFS_WORK } from './tmpfs-work.js';

/** Pause between checks, which take some 20 µs: without a pause, they would occupy a core that the program needs. */
const POLL_MS = 1;

/** Measures the time from the spawn to the first write, when the threads have started and passed the gate. */
export function firstWrite(
  name: string,
  { threads, asProcesses = false }: Pick<BlockWork, 'threads' | 'asProcesses'>,
  limitMs: number,
): Bench {
  const label = { name, work: `${threads} ${asProcesses ? 'processes' : 'threads'}, tmpfs` };
  const work = { ...TMPFS_WORK, threads, asProcesses, sizeBytes: GIB, iopsDurationSeconds: 1 };
  return {
    labels: [label],
    async run(context) {
      const ours = createVariant('gobonnie', () =>
        withNewDirectory(work, context, (directory) => firstWriteMs(work, directory, context.signal)),
      );
      const node = timeBareNode(context.signal);
      await interleaveRounds([ours, node], context.rounds, context);
      return [
        {
          ...label,
          unit: 'ms',
          ours: collectSeries(ours, toElapsedMs),
          peer: collectSeries(node, toElapsedMs),
          target: { statistic: 'median', bound: 'at most', limit: limitMs },
        },
      ];
    },
  };
}

async function firstWriteMs(work: BlockWork, directory: string, signal: AbortSignal) {
  const command = workCommand(work, directory);
  const child = startChild(command, signal);
  try {
    while (!haveAllWritten(directory, work.asProcesses ? work.threads : 1)) {
      if (!child.isRunning()) throw exitError(command, await child.exit);
      await setTimeout(POLL_MS, undefined, { signal });
    }
    return { elapsedMs: performance.now() - child.startedAtMs };
  } finally {
    // Stop it before its read phase: as root it would drop the page cache there, and slow down the next start.
    child.stop();
    await child.exit;
  }
}

/** True if every process has written data to its directory. */
function haveAllWritten(directory: string, processes: number): boolean {
  const writing = readdirSync(directory).filter((scratch) =>
    readdirSync(join(directory, scratch)).some((file) => statSync(join(directory, scratch, file)).size > 0),
  );
  return writing.length === processes;
}

export const firstIo = firstWrite('first-io', { threads: 2 }, 250);
export const manyThreadsFirstIo = firstWrite('ready', { threads: 64 }, 2000);
