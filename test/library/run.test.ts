import { getEventListeners } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunEvent, type RunHandle, run } from 'gobonnie';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from '../support/disks/directory.js';
import { FUSE_TOOLS, mountFuse } from '../support/disks/fuse.js';
import { SMALL_OPTIONS } from '../support/programs/small-run.js';
import { runUserProgram } from '../support/programs/user-program.js';
import { requireTools } from '../support/tools.js';

async function readAll(running: RunHandle): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of running) events.push(event);
  return events;
}

test('samples of writes into the page cache have no latency, because it would be the time of a copy', async () => {
  const steps = [{ phase: 'random', mix: 0, ioSize: 4096, threads: 1, seconds: 1 }] as const;
  const events = await readAll(run({ dir: makeDirectory(), size: '8M', steps }));
  const latencies = events.flatMap((event) => (event.type === 'sample' ? [event.latencyNs] : []));
  expect(new Set(latencies)).toEqual(new Set([null]));
});

test.each([
  ['aborted', AbortSignal.timeout(1000)],
  ['onEvnt', { onEvnt() {} }],
])('the unknown hook %s is rejected', async (name, hooks) => {
  await expect(run({ dir: makeDirectory(), ...SMALL_OPTIONS }, hooks as object)).rejects.toThrow(
    `there is no hook ${name}`,
  );
});

describe('a loop over the events', () => {
  test('receives the same events as a listener, from the start to the end with the report', async () => {
    const received: RunEvent[] = [];
    const options = { dir: makeDirectory(), ...SMALL_OPTIONS, iopsDuration: 0.25, runs: 2 };
    const running = run(options, { onEvent: (event) => received.push(event) });
    const events = await readAll(running);
    expect(events).toEqual(received);
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['sample', 'step-end']));
    expect(events[0]?.type).toBe('start');
    expect(events.at(-1)).toEqual({ type: 'end', report: await running });
  });

  test('that starts late gets only later events, and none after the run', async () => {
    const received: RunEvent[] = [];
    const late: RunEvent[] = [];
    let loop: Promise<void> | undefined;
    const readLate = async () => {
      for await (const event of running) late.push(event);
    };
    const onEvent = (event: RunEvent) => {
      received.push(event);
      if (event.type === 'step-start') loop ??= readLate();
    };
    const running = run({ dir: makeDirectory(), ...SMALL_OPTIONS }, { onEvent });
    await running;
    await loop;
    const start = received.findIndex(({ type }) => type === 'step-start');
    expect(late).toEqual(received.slice(start + 1));
    expect(await readAll(running)).toEqual([]);
  });

  test('throws the error of the run', async () => {
    const wrong = run({ dir: makeDirectory(), size: -1 });
    await expect(readAll(wrong)).rejects.toMatchObject({ name: 'GobonnieError', kind: 'usage' });
    await expect(wrong).rejects.toMatchObject({ name: 'GobonnieError', kind: 'usage' });

    const onEvent = ({ type }: RunEvent) => {
      if (type === 'step-start') throw new Error('the listener is broken');
    };
    const types: string[] = [];
    const broken = run({ dir: makeDirectory(), ...SMALL_OPTIONS }, { onEvent });
    const loop = async () => {
      for await (const { type } of broken) types.push(type);
    };
    await expect(loop()).rejects.toThrow('the listener is broken');
    expect(types[0]).toBe('start');
    expect(types.at(-1)).toBe('step-start');
  });
});

test('a hook that always throws is not called after its first error', async () => {
  let calls = 0;
  const onEvent = () => {
    calls++;
    throw new Error('the hook is broken');
  };
  await expect(run({ dir: makeDirectory(), ...SMALL_OPTIONS }, { onEvent })).rejects.toThrow('is broken');
  await sleep(100);
  expect(calls).toBe(1);
});

test.each([
  ['onEvent', { onEvent: ({ type }: RunEvent) => type === 'step-end' && readFileSync('/no/log') }],
  ['beforeStep', { beforeStep: async () => void readFileSync('/no/log') }],
])('a system error in %s rejects the run, which removes its files', async (_, hooks) => {
  const dir = makeDirectory();
  await expect(run({ dir, ...SMALL_OPTIONS }, hooks)).rejects.toMatchObject({ path: '/no/log' });
  expect(readdirSync(dir)).toEqual([]);
});

test.each(['sample', 'run-end'])(
  'leaving the loop at a %s ends the run and removes its files',
  async (type) => {
    const dir = makeDirectory();
    const running = run({ dir, ...SMALL_OPTIONS, iopsDuration: 0.3, runs: 1000 });
    for await (const event of running) if (event.type === type) break;
    expect(readdirSync(dir)).toEqual([]);
    const { outcome } = await running;
    expect(outcome).toEqual({ state: 'aborted', reason: 'leaving the loop over its events' });
  },
);

test('a finished run leaves no listeners on its signal', async () => {
  const { signal } = new AbortController();
  const dir = makeDirectory();
  await run({ dir, ...SMALL_OPTIONS }, { signal });
  for await (const _ of run({ dir, ...SMALL_OPTIONS }, { signal })) break;
  await run({ size: -1 }, { signal }).catch(() => {});
  expect(getEventListeners(signal, 'abort')).toEqual([]);

  const abort = new AbortController();
  const onEvent = ({ type }: RunEvent) => type === 'step-start' && abort.abort();
  await run({ dir, ...SMALL_OPTIONS }, { signal: abort.signal, onEvent });
  expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
});

test('a directory that does not respond is reported before the run creates files, and measured once it responds', async (context) => {
  requireTools(...FUSE_TOOLS)(context);
  const fuse = await mountFuse();
  fuse.stop();
  const options = { dir: fuse.dir, ...SMALL_OPTIONS, cache: 'keep', stallTimeout: 1 } as const;
  const events: RunEvent[] = [];
  for await (const event of run(options)) {
    events.push(event);
    if (event.type === 'stall') fuse.resume();
  }
  expect(events[0]).toMatchObject({
    type: 'stall',
    waitingFor: `the inspection of ${fuse.dir}`,
    isAborted: false,
  });
  expect(events.find(({ type }) => type !== 'stall')?.type).toBe('start');
  expect(events.at(-1)?.type).toBe('end');
});

describe('a program that', () => {
  test('loops has no output and no new listeners, and ends on its own', async () => {
    const source = `
      const listeners = () => JSON.stringify(process.eventNames().map(String).sort()
        .map((name) => [name, process.listenerCount(name)]));
      const before = listeners();
      for await (const event of run({ dir, ...options })) if (listeners() !== before) throw new Error(listeners());
      for await (const event of run({ dir, ...options })) if (event.type === 'step-start') break;
      if (listeners() !== before) throw new Error(listeners());
      process.on('exit', (code) => { process.exitCode = code === 0 ? 7 : code; });`;
    const ended = await runUserProgram(source, makeDirectory());
    expect(ended).toEqual({ stdout: '', stderr: '', exitCode: 7, signal: null });
  });

  test.each([
    ['awaits late', 50, 'await running'],
    ['loops at once', 0, 'for await (const event of running)'],
  ])('%s receives the error there, not as an unhandled rejection', async (_, waitMs, statement) => {
    const source = `
      process.on('unhandledRejection', (error) => console.error('unhandled', error));
      const running = run({ dir, size: -1 });
      if (${waitMs}) await new Promise((resolve) => setTimeout(resolve, ${waitMs}));
      try { ${statement}; } catch (error) { console.log(error.code); }`;
    const { stdout, stderr, exitCode } = await runUserProgram(source, makeDirectory());
    expect({ stdout, stderr, exitCode }).toEqual({ stdout: 'option-invalid\n', stderr: '', exitCode: 0 });
  });
});
