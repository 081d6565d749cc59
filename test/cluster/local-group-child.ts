import type { ProcessGroup } from '../../src/cluster/communicator.js';
import { createLocalGroup, joinLocalGroup } from '../../src/cluster/local-group.js';

const NEVER = new AbortController().signal;

/** Carries out its arguments, such as `create:3 join wait:putc leave stay`, and prints each of them when it is done. */
let group: ProcessGroup | null = null;
for (const word of process.argv.slice(2)) {
  const [act, value = ''] = word.split(':');
  if (act === 'create') await createLocalGroup(Number(value));
  if (act === 'join') group = await joinLocalGroup(NEVER);
  if (act === 'wait') await group?.barrier(value, NEVER);
  if (act === 'leave') await group?.leave();
  if (act === 'stay') setInterval(() => {}, 1000);
  console.log(word);
}
