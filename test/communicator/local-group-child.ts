import type { ProcessGroup } from '../../src/communicator/communicator.js';
import { createLocalGroup, deleteLocalGroup, joinLocalGroup } from '../../src/communicator/local-group.js';
import type { GobonnieError } from '../../src/errors.js';

/** A command from the test. */
export interface ChildCommand {
  /** The reply has the same number. */
  readonly number: number;
  readonly act: 'create' | 'remove' | 'join' | 'wait' | 'leave' | 'abort';
  /** The size for `create`, the phase for `wait`. */
  readonly value?: string;
}

export interface ChildReply {
  readonly number: number;
  /** `done`, or the error as one line. */
  readonly line: string;
}

let aborter = new AbortController();
let group: ProcessGroup | null = null;

async function runCommand({ act, value = '' }: ChildCommand): Promise<void> {
  if (act !== 'abort') aborter = new AbortController();
  if (act === 'abort') aborter.abort('SIGINT');
  if (act === 'create') await createLocalGroup(Number(value));
  if (act === 'remove') await deleteLocalGroup();
  if (act === 'join') group = await joinLocalGroup(aborter.signal);
  if (act === 'wait') await group?.barrier(value, aborter.signal);
  if (act === 'leave') await group?.leave();
}

function errorLine(error: unknown): string {
  return (error as Partial<GobonnieError>).line ?? String(error);
}

process.on('message', async (command: ChildCommand) => {
  const line = await runCommand(command).then(() => 'done', errorLine);
  process.send?.({ number: command.number, line } satisfies ChildReply);
});

/** Arguments are commands to run at once, such as `create:3 join wait:putc leave`. */
for (const word of process.argv.slice(2)) {
  const [act, value = ''] = word.split(':');
  await runCommand({ number: 0, act: act as ChildCommand['act'], value });
}
