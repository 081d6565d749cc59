import { once } from 'node:events';
import type { Socket } from 'node:net';
import { GobonnieError } from '../../errors.js';

/** Identifies this process to mpiexec -pmi-port, which replies with its rank and the number of ranks. */
export async function handshake(socket: Socket, id: string): Promise<{ rank: number; size: number }> {
  socket.setEncoding('utf8');
  socket.write(`cmd=initack pmiid=${id}\n`);
  let text = '';
  const numberAfter = (name: string) =>
    /^\d{1,6}$/.exec(text.split(`cmd=set ${name}=`)[1]?.split('\n')[0] ?? '')?.[0];
  // The reply has four lines; this is the last one.
  while (!/cmd=set debug=.*\n/.test(text)) {
    const [chunk] = (await once(socket, 'data', { signal: AbortSignal.timeout(10_000) })) as [string];
    text += chunk;
    if (text.length > 1000) break;
  }
  const rank = numberAfter('rank');
  const size = numberAfter('size');
  if (rank !== undefined && size !== undefined) return { rank: Number(rank), size: Number(size) };
  throw new GobonnieError(
    'communication-failed',
    "mpiexec did not report this process's rank",
    'leave out -pmi-port',
  );
}
