import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { DIALECTS, joinAll, startPmiServer } from '../support/launchers/pmi-server.js';

const NEVER = new AbortController().signal;
const dialects = Object.entries(DIALECTS);

describe.each(dialects)('under %s', (_, dialect) => {
  test('each of four ranks gets the long texts of all ranks', async () => {
    const server = await startPmiServer(4, dialect);
    const all = await joinAll(server.sockets);
    const texts = all.map(() => randomBytes(50_000).toString('base64'));
    await Promise.all(all.map((one, rank) => one.put('result.1', texts[rank] ?? '')));
    await Promise.all(all.map((one) => one.barrier(NEVER)));
    for (const one of all)
      for (const [rank, text] of texts.entries()) expect(await one.get(rank, 'result.1')).toBe(text);
    expect(server.longestLine()).toBeLessThanOrEqual(1024);
    await Promise.all(all.map((one) => one.leave()));
  });

  test('an empty text and a text with spaces, umlauts and line ends arrive unchanged', async () => {
    const { sockets } = await startPmiServer(1, dialect);
    const [one] = await joinAll(sockets);
    for (const [at, text] of ['', 'a b=c\n"ü" 💾 '].entries()) {
      await one?.put(`text.${at}`, text);
      await one?.barrier(NEVER);
      expect(await one?.get(0, `text.${at}`)).toBe(text);
    }
  });

  test('a text that the launcher lost, truncated or altered is rejected', async () => {
    const { sockets, store } = await startPmiServer(1, dialect);
    const [one] = await joinAll(sockets);
    await one?.put('result.1', randomBytes(3000).toString('base64'));
    await one?.barrier(NEVER);
    const part = store.get('0.result.1.1') ?? '';
    const other = part.startsWith('x') ? 'y' : 'x';
    for (const value of [part.slice(1), `${other}${part.slice(1)}`, `${part}x`]) {
      store.set('0.result.1.1', value);
      await expect(one?.get(0, 'result.1')).rejects.toThrow('data from rank 0 was corrupted in transit');
    }
    store.delete('0.result.1.1');
    await expect(one?.get(0, 'result.1')).rejects.toThrow(/^the launcher returned -?\d+ for get /);
    await expect(one?.get(7, 'result.1')).rejects.toThrow(/^the launcher returned -?\d+ for get /);
  });

  test.each(['0:x', 'unknown', ''])('an invalid digest %j is rejected', async (value) => {
    const { sockets, store } = await startPmiServer(1, dialect);
    const [one] = await joinAll(sockets);
    store.set('0.result.1', value);
    await expect(one?.get(0, 'result.1')).rejects.toThrow('was corrupted in transit');
  });
});

describe('join rejects a launcher that', () => {
  const { slurm } = DIALECTS;

  test.each([
    ['replies to another request', 'cmd=barrier_out', 'unexpected reply from the launcher: cmd=barrier_out'],
    ['returns an error for init', 'cmd=response_to_init rc=-1', 'the launcher returned -1 for init'],
    ['sends control characters', 'cmd=\u001b[31mred', 'unexpected reply from the launcher: "cmd='],
  ])('%s', async (_, reply, message) => {
    const { sockets } = await startPmiServer(1, slurm, (line) =>
      line.startsWith('cmd=init') ? reply : null,
    );
    const failure = await joinAll(sockets).catch((error: Error) => error.message);
    expect(failure).toContain(message);
    expect(failure).not.toContain('\u001b');
  });
});

test('a barrier rejects when the launcher closes the connection', async () => {
  const { sockets } = await startPmiServer(2, DIALECTS.slurm, (line, socket) => {
    if (line === 'cmd=barrier_in') socket.destroy();
    return null;
  });
  const [one] = await joinAll(sockets);
  await expect(one?.barrier(NEVER)).rejects.toThrow('the launcher closed the connection');
  await one?.leave();
});

test('a rank can leave after an aborted barrier that the other rank enters later', async () => {
  const { sockets } = await startPmiServer(2, DIALECTS.hydra);
  const [first, second] = await joinAll(sockets);
  const stop = new AbortController();
  const waiting = first?.barrier(stop.signal).catch((reason) => reason);
  stop.abort('SIGINT');
  expect(await waiting).toBe('SIGINT');
  await second?.barrier(NEVER);
  await first?.leave();
  await second?.leave();
});
