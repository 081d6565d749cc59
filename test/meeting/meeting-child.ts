import type { GobonnieError } from '../../src/errors.js';
import type { ProcessGroup } from '../../src/meeting/exchange.js';
import { createLocalGroup, deleteLocalGroup, joinLocalGroup } from '../../src/meeting/local-meeting.js';

/** A command from the test. */
export interface Order {
  /** The answer has the same number. */
  readonly number: number;
  readonly act: 'make' | 'remove' | 'join' | 'wait' | 'leave' | 'abort';
  /** The size for `make`, the phase for `wait`. */
  readonly value?: string;
}

export interface Answer {
  readonly number: number;
  /** `done`, or the line of an error. */
  readonly line: string;
}

let aborter = new AbortController();
let joined: ProcessGroup | null = null;

async function carryOut({ act, value = '' }: Order): Promise<void> {
  if (act !== 'abort') aborter = new AbortController();
  if (act === 'abort') aborter.abort('SIGINT');
  if (act === 'make') await createLocalGroup(Number(value));
  if (act === 'remove') await deleteLocalGroup();
  if (act === 'join') joined = await joinLocalGroup(aborter.signal);
  if (act === 'wait') await joined?.barrier(value, aborter.signal);
  if (act === 'leave') await joined?.leave();
}

function lineOf(error: unknown): string {
  return (error as Partial<GobonnieError>).line ?? String(error);
}

process.on('message', async (order: Order) => {
  const line = await carryOut(order).then(() => 'done', lineOf);
  process.send?.({ number: order.number, line } satisfies Answer);
});

/** Without a test: the arguments are commands, such as `make:3 join wait:putc leave`. */
for (const word of process.argv.slice(2)) {
  const [act, value = ''] = word.split(':');
  await carryOut({ number: 0, act: act as Order['act'], value });
}
