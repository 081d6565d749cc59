import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { GIB } from '../../src/text/units.js';
import { type Bench, inNewDirectory } from '../context.js';
import { alternate, contender, seriesOf } from '../measuring/alternate.js';
import { failure, startChild } from '../measuring/child.js';
import { bareNode, elapsedMsOf } from '../measuring/timed.js';
import { workCommand } from '../peers/gobonnie.js';
import type { Work } from '../peers/peer.js';
import { CACHED } from './cached.js';

/** A look takes some 20 µs; without a pause it would keep a core busy that is being measured. */
const POLL_MS = 1;

/** The time from the spawn to the first write: by then the threads are started and the gate is open. */
export function firstWrite(
  name: string,
  { threads, asProcesses = false }: Pick<Work, 'threads' | 'asProcesses'>,
  limitMs: number,
): Bench {
  const subject = { name, work: `${threads} ${asProcesses ? 'processes' : 'threads'}, tmpfs` };
  const work = { ...CACHED, threads, asProcesses, sizeBytes: GIB, iopsDurationSeconds: 1 };
  return {
    subjects: [subject],
    async run(context) {
      const ours = contender('gobonnie', () =>
        inNewDirectory(work, context, (directory) => firstWriteMs(work, directory, context.signal)),
      );
      const node = bareNode(context.signal);
      await alternate([ours, node], context.rounds, context);
      return [
        {
          ...subject,
          unit: 'ms',
          ours: seriesOf(ours, elapsedMsOf),
          peer: seriesOf(node, elapsedMsOf),
          target: { of: 'median', bound: 'at most', limit: limitMs },
        },
      ];
    },
  };
}

async function firstWriteMs(work: Work, directory: string, signal: AbortSignal) {
  const command = workCommand(work, directory);
  const child = startChild(command, signal);
  try {
    while (!hasData(directory, work.asProcesses ? work.threads : 1)) {
      if (!child.isRunning()) throw failure(command, await child.exit);
      await setTimeout(POLL_MS, undefined, { signal });
    }
    return { elapsedMs: performance.now() - child.startedAtMs };
  } finally {
    // Stopped before its read phase, in which as root it would drop the page cache and slow down the next start.
    child.stop();
    await child.exit;
  }
}

/** Whether each process has written something to its directory. */
function hasData(directory: string, processes: number): boolean {
  const writing = readdirSync(directory).filter((scratch) =>
    readdirSync(join(directory, scratch)).some((file) => statSync(join(directory, scratch, file)).size > 0),
  );
  return writing.length === processes;
}

export const firstIo = firstWrite('first-io', { threads: 2 }, 250);
export const ready = firstWrite('ready', { threads: 64 }, 2000);
