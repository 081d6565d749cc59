import { expect, test } from 'vitest';
import { EventLog } from '../../src/library/event-log.js';
import type { RunEvent } from '../../src/report/events/event.js';

/** A sample that is identified by its run. */
function sample(run: number): RunEvent {
  return { type: 'sample', run, phase: 'write', seconds: run, bytes: 0, operations: 0 };
}

function start(run: number): RunEvent {
  return { type: 'run-start', run };
}

async function readAll(log: EventLog): Promise<readonly string[]> {
  const received: string[] = [];
  for await (const event of log.read()) received.push(`${event.type} ${'run' in event ? event.run : ''}`);
  return received;
}

test('a reader receives each event as soon as it is added', async () => {
  const log = new EventLog();
  const reader = log.read();
  const first = reader.next();
  log.add(start(1));
  expect((await first).value).toEqual(start(1));
  log.add(start(2));
  log.add(start(3));
  expect((await reader.next()).value).toEqual(start(2));
  expect((await reader.next()).value).toEqual(start(3));
  const last = reader.next();
  log.close();
  expect(await last).toEqual({ done: true, value: undefined });
});

test('every reader receives all events, even after the end', async () => {
  const log = new EventLog();
  const early = readAll(log);
  for (const run of [1, 2, 3]) log.add(start(run));
  log.close();
  const added = ['run-start 1', 'run-start 2', 'run-start 3'];
  expect(await early).toEqual(added);
  expect(await readAll(log)).toEqual(added);
  expect(await readAll(log)).toEqual(added);
});

test('the log keeps the newest 600 samples and all other events, in their order', async () => {
  const log = new EventLog();
  for (let run = 1; run <= 10_000; run++) {
    log.add(start(run));
    log.add(sample(run));
  }
  log.close();
  const received = await readAll(log);
  const expected = Array.from({ length: 10_000 }, (_, at) => at + 1).flatMap((run) =>
    run <= 9400 ? [`run-start ${run}`] : [`run-start ${run}`, `sample ${run}`],
  );
  expect(received).toEqual(expected);
});

test('a slow reader misses only the dropped samples', async () => {
  const log = new EventLog();
  const reader = log.read();
  log.add(sample(0));
  expect((await reader.next()).value).toEqual(sample(0));
  for (let run = 1; run <= 1000; run++) log.add(sample(run));
  log.add(start(1001));
  const received: number[] = [];
  log.close();
  for await (const event of reader) if ('run' in event) received.push(event.run);
  expect(received).toEqual(Array.from({ length: 601 }, (_, at) => at + 401));
});
