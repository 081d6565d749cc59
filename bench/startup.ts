import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { alternate, contender, seriesOf } from './alternate.js';
import type { Bench } from './bench.js';
import { CACHED } from './cached.js';
import { failure, startChild } from './child.js';
import { GIB } from './gib.js';
import { inRoom } from './lab.js';
import { bareNode, elapsedMsOf } from './node.js';
import { workCommand } from './peers/gobonnie.js';
import type { Work } from './peers/peer.js';

/** Looking takes some 20 µs; looking without a pause would take one of the cores that are being measured. */
const POLL_MS = 1;

/** How long after its spawn gobonnie has written something: the threads are there and the gate is open. */
function firstWrite(name: string, threads: number, limitMs: number): Bench {
  const subject = { name, work: `${threads} threads, tmpfs` };
  const work = { ...CACHED, threads, sizeBytes: GIB, iopsDurationSeconds: 1 };
  return {
    subjects: [subject],
    async run(lab) {
      const ours = contender('gobonnie', () =>
        inRoom(work, lab, (directory) => firstWriteMs(work, directory, lab.signal)),
      );
      const node = bareNode(lab.signal);
      await alternate([ours, node], lab.rounds, lab);
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
    while (!hasData(directory)) {
      if (!child.isRunning()) throw failure(command, await child.exit);
      await setTimeout(POLL_MS, undefined, { signal });
    }
    return { elapsedMs: performance.now() - child.startedAtMs };
  } finally {
    // Stopped before its read phase, where as root it would drop the page cache and make the next start a cold one.
    child.stop();
    await child.exit;
  }
}

function hasData(directory: string): boolean {
  return readdirSync(directory).some((scratch) =>
    readdirSync(join(directory, scratch)).some((file) => statSync(join(directory, scratch, file)).size > 0),
  );
}

export const firstIo = firstWrite('first-io', 2, 250);
export const ready = firstWrite('ready', 64, 2000);
