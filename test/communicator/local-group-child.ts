import type { ProcessGroup } from '../../src/communicator/communicator.js';
import { createLocalGroup, deleteLocalGroup, joinLocalGroup } from '../../src/communicator/local-group.js';
import type { GobonnieError } from '../../src/errors.js';

/** A command from the test. */
export interface ChildCommand {
  /** The answer has the same number. */
  readonly number: number;
  readonly act: 'make' | 'remove' | 'join' | 'wait' | 'leave' | 'abort';
  /** The size for `make`, the phase for `wait`. */
  readonly value?: string;
}

export interface ChildReply {
  readonly number: number;
  /** `done`, or the line of an error. */
  readonly line: string;
}

let aborter = new AbortController();
let joined: ProcessGroup | null = null;

async function runCommand({ act, value = '' }: ChildCommand): Promise<void> {
  if (act !== 'abort') aborter = new AbortController();
  if (act === 'abort') aborter.abort('SIGINT');
  if (act === 'make') await createLocalGroup(Number(value));
  if (act === 'remove') await deleteLocalGroup();
  if (act === 'join') joined = await joinLocalGroup(aborter.signal);
  if (act === 'wait') await joined?.barrier(value, aborter.signal);
  if (act === 'leave') await joined?.leave();
}

function errorLine(error: unknown): string {
  return (error as Partial<GobonnieError>).line ?? String(error);
}

process.on('message', async (order: ChildCommand) => {
  const line = await runCommand(order).then(() => 'done', errorLine);
  process.send?.({ number: order.number, line } satisfies ChildReply);
});

/** Without a test: the arguments are commands, such as `make:3 join wait:putc leave`. */
for (const word of process.argv.slice(2)) {
  const [act, value = ''] = word.split(':');
  await runCommand({ number: 0, act: act as ChildCommand['act'], value });
}
