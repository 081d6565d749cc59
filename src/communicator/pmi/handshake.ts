import { once } from 'node:events';
import type { Socket } from 'node:net';
import { GobonnieError } from '../../errors.js';

/** The address where mpiexec -pmi-port listens: it sends each process that connects its rank. */
export async function handshake(socket: Socket, id: string): Promise<{ rank: number; size: number }> {
  socket.setEncoding('utf8');
  socket.write(`cmd=initack pmiid=${id}\n`);
  let text = '';
  const numberAfter = (name: string) =>
    /^\d{1,6}$/.exec(text.split(`cmd=set ${name}=`)[1]?.split('\n')[0] ?? '')?.[0];
  // The last of four lines.
  while (!/cmd=set debug=.*\n/.test(text)) {
    const [more] = (await once(socket, 'data', { signal: AbortSignal.timeout(10_000) })) as [string];
    text += more;
    if (text.length > 1000) break;
  }
  const [rank, size] = [numberAfter('rank'), numberAfter('size')];
  if (rank !== undefined && size !== undefined) return { rank: Number(rank), size: Number(size) };
  throw new GobonnieError(
    'communication-failed',
    'mpiexec does not say which rank this is',
    'leave out -pmi-port',
  );
}
