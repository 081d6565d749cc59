import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { PmiCommunicator } from '../../../src/communicator/pmi/pmi-communicator.js';
import { DIALECTS, startPmiServer } from '../../support/launchers/pmi-server.js';

const NEVER = new AbortController().signal;
const named = Object.entries(DIALECTS);

function joinAll(sockets: readonly Socket[]): Promise<readonly PmiCommunicator[]> {
  return Promise.all(
    sockets.map((socket, rank) => PmiCommunicator.join(socket, { rank, size: sockets.length })),
  );
}

describe.each(named)('under %s', (_, dialect) => {
  test('each of four ranks takes the long texts of all', async () => {
    const server = await startPmiServer(4, dialect);
    const all = await joinAll(server.sockets);
    const texts = all.map(() => randomBytes(50_000).toString('base64'));
    await Promise.all(all.map((one, rank) => one.put('tidings.1', texts[rank] ?? '')));
    await Promise.all(all.map((one) => one.barrier('1', NEVER)));
    for (const one of all)
      for (const [rank, text] of texts.entries()) expect(await one.get(rank, 'tidings.1')).toBe(text);
    expect(server.longestLine()).toBeLessThanOrEqual(1024);
    await Promise.all(all.map((one) => one.leave()));
  });

  test('an empty text and one with spaces, umlauts and line ends arrive as they are', async () => {
    const { sockets } = await startPmiServer(1, dialect);
    const [one] = await joinAll(sockets);
    for (const [at, text] of ['', 'a b=c\n"ü" 💾 '].entries()) {
      await one?.put(`text.${at}`, text);
      await one?.barrier('', NEVER);
      expect(await one?.get(0, `text.${at}`)).toBe(text);
    }
  });

  test('a text that was lost, cut or altered is not believed', async () => {
    const { sockets, store } = await startPmiServer(1, dialect);
    const [one] = await joinAll(sockets);
    await one?.put('tidings.1', randomBytes(3000).toString('base64'));
    await one?.barrier('', NEVER);
    const part = store.get('0.tidings.1.1') ?? '';
    const other = part.startsWith('x') ? 'y' : 'x';
    for (const value of [part.slice(1), `${other}${part.slice(1)}`, `${part}x`]) {
      store.set('0.tidings.1.1', value);
      await expect(one?.get(0, 'tidings.1')).rejects.toThrow('what rank 0 gave did not arrive whole');
    }
    store.delete('0.tidings.1.1');
    await expect(one?.get(0, 'tidings.1')).rejects.toThrow('the launcher refused get');
    await expect(one?.get(7, 'tidings.1')).rejects.toThrow('the launcher refused get');
  });

  test.each(['999999:999999999:x', `5:99999999999:${'A'.repeat(43)}`, '-1:1:', 'unknown', ''])(
    'an announcement that cannot be is refused: %j',
    async (value) => {
      const { sockets, store } = await startPmiServer(1, dialect);
      const [one] = await joinAll(sockets);
      store.set('0.tidings.1', value);
      await expect(one?.get(0, 'tidings.1')).rejects.toThrow('did not arrive whole');
    },
  );
});

describe('a launcher that', () => {
  const { slurm } = DIALECTS;

  test.each([
    ['answers another question', 'cmd=barrier_out', 'is no answer to what was asked'],
    ['refuses the init', 'cmd=response_to_init rc=-1', 'refused init with -1'],
    ['sends control characters', 'cmd=\u001b[31mred', 'is no answer to what was asked'],
  ])('%s is not joined', async (_, reply, message) => {
    const { sockets } = await startPmiServer(1, slurm, (line) =>
      line.startsWith('cmd=init') ? reply : null,
    );
    const failure = await joinAll(sockets).catch((error: Error) => error.message);
    expect(failure).toContain(message);
    expect(failure).not.toContain('\u001b');
  });

  test.each(['vallen_max=9', 'vallen_max=-5', 'vallen_max=99999999999', ''])(
    'has limits that cannot be is not joined: %s',
    async (limit) => {
      const maxes = `cmd=maxes kvsname_max=256 keylen_max=64 ${limit}`;
      const { sockets } = await startPmiServer(1, slurm, (line) => (line === 'cmd=get_maxes' ? maxes : null));
      await expect(joinAll(sockets)).rejects.toThrow('the launcher gave a vallen_max that cannot be');
    },
  );

  test('never ends a line is not waited for', async () => {
    const flood = (_: string, socket: Socket) => {
      socket.write('x'.repeat(70_000));
      return '';
    };
    const { sockets } = await startPmiServer(1, slurm, flood);
    await expect(joinAll(sockets)).rejects.toThrow('an overlong line');
  });

  test('closes the connection ends the wait', async () => {
    const { sockets } = await startPmiServer(2, slurm, (line, socket) => {
      if (line === 'cmd=barrier_in') socket.destroy();
      return null;
    });
    const [one] = await joinAll(sockets);
    await expect(one?.barrier('', NEVER)).rejects.toThrow('the launcher closed the connection');
    await one?.leave();
  });

  test.each([
    [3, 3],
    [-1, 2],
    [0.5, 2],
    [0, 100_000],
    [Number.NaN, 2],
  ])('says that this is rank %d of %d is not joined', async (rank, size) => {
    const { sockets } = await startPmiServer(1, slurm);
    const [socket] = sockets;
    if (!socket) throw new Error('the server has a connection');
    await expect(PmiCommunicator.join(socket, { rank, size })).rejects.toThrow('that cannot be');
  });
});

test('a rank that leaves while it waits has left, though the others come later', async () => {
  const { sockets } = await startPmiServer(2, DIALECTS.hydra);
  const [first, second] = await joinAll(sockets);
  const stop = new AbortController();
  const waiting = first?.barrier('', stop.signal).catch((reason) => reason);
  stop.abort('SIGINT');
  expect(await waiting).toBe('SIGINT');
  await second?.barrier('', NEVER);
  await first?.leave();
  await second?.leave();
});
