import type { GobonnieError } from '../../src/errors.js';
import {
  closeRendezvous,
  joinRendezvous,
  openRendezvous,
  type Rendezvous,
} from '../../src/meeting/rendezvous.js';

/** What the test tells one process to do, and under which number it answers. */
export interface Order {
  readonly number: number;
  readonly act: 'open' | 'close' | 'join' | 'meet' | 'leave' | 'abort';
  /** The parties of `open`, the stage of `meet`. */
  readonly value?: string;
}

export interface Answer {
  readonly number: number;
  /** `done`, or the line of the error. */
  readonly line: string;
}

let aborter = new AbortController();
let joined: Rendezvous | null = null;

async function obey({ act, value = '' }: Order): Promise<void> {
  if (act !== 'abort') aborter = new AbortController();
  if (act === 'abort') aborter.abort('SIGINT');
  if (act === 'open') await openRendezvous(Number(value));
  if (act === 'close') await closeRendezvous();
  if (act === 'join') joined = await joinRendezvous(aborter.signal);
  if (act === 'meet') await joined?.meet(value, aborter.signal);
  if (act === 'leave') await joined?.leave();
}

function lineOf(error: unknown): string {
  return (error as Partial<GobonnieError>).line ?? String(error);
}

process.on('message', async (order: Order) => {
  const line = await obey(order).then(() => 'done', lineOf);
  process.send?.({ number: order.number, line } satisfies Answer);
});

/** Without a test that talks to it: `open:3 join meet:putc leave`, one after the other. */
for (const word of process.argv.slice(2)) {
  const [act, value = ''] = word.split(':');
  await obey({ number: 0, act: act as Order['act'], value });
}
