import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { GobonnieError, type OptionsInput, type Report, type RunEvent, run } from 'gobonnie';
import { describe, expect, test, vi } from 'vitest';
import { inspectMachine } from '../../src/machine/machine.js';
import { validateOptions } from '../../src/options/validate-options.js';
import { plan } from '../../src/plan/plan.js';
import { execute } from '../../src/run/execute.js';
import { Watcher } from '../../src/scratch/watcher/watcher.js';
import { createWarning } from '../../src/warnings/warning-catalogue.js';
import { makeDirectory } from '../support/disks/directory.js';
import { testOnLinux } from '../support/linux.js';
import { SMALL_OPTIONS } from '../support/programs/small-run.js';

test.each<[string, unknown, string]>([
  ['an invalid value', { size: -1 }, 'option-invalid'],
  ['a text instead of an object', 'fast', 'option-invalid'],
  ['a size that does not fit', { size: 500_000 }, 'size-too-large'],
  ['a file as the directory', { dir: fileURLToPath(import.meta.url) }, 'directory-unusable'],
])('%s rejects the run as a usage error before anything is written', async (_, wrong, code) => {
  const dir = makeDirectory();
  const input = typeof wrong === 'object' ? { dir, ...SMALL_OPTIONS, ...wrong } : wrong;
  const error = await run(input as OptionsInput).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(GobonnieError);
  expect(error).toMatchObject({ kind: 'usage', code, hint: expect.stringMatching(/./) });
  expect(readdirSync(dir)).toEqual([]);
});

test.each([
  ['slow', 10_000],
  ['fast', -10_000],
])('a run fails if a thread has a clock that is %s', async (direction, offsetMs) => {
  const dir = makeDirectory();
  const { timeOrigin } = performance;
  // Each thread takes the difference for that of its own clock, which really has the same origin.
  const origin = vi.spyOn(performance, 'timeOrigin', 'get').mockReturnValue(timeOrigin + offsetMs);
  const { outcome, runs } = await run({ dir, ...SMALL_OPTIONS });
  origin.mockRestore();
  expect(outcome).toMatchObject({
    state: 'failed',
    code: 'clock-failed',
    message: expect.stringMatching(
      new RegExp(`^the clock is wrong: it is \\d+ ns ${direction} in a thread$`),
    ),
  });
  expect(runs.flatMap(({ measurements }) => measurements)).toEqual([]);
  expect(readdirSync(dir)).toEqual([]);
});

describe('AbortSignal', () => {
  test.each(['write', 'read', 'iops'])(
    'an abort in %s resolves to a report of the completed runs',
    async (phase) => {
      const dir = makeDirectory();
      const abort = new AbortController();
      const onEvent = (event: RunEvent) => {
        if (event.type === 'step-start' && event.run === 2 && event.step === phase) {
          setImmediate(() => abort.abort('enough'));
        }
      };
      const report = await run({ dir, ...SMALL_OPTIONS, runs: 3 }, { signal: abort.signal, onEvent });
      expect(report.outcome).toEqual({ state: 'aborted', reason: 'enough' });
      expect(report.runs.map(({ state }) => state)).toEqual(['completed', 'incomplete']);
      expect(readdirSync(dir)).toEqual([]);
    },
  );

  test('with an aborted signal run() measures and creates nothing', async () => {
    const dir = makeDirectory();
    const events: string[] = [];
    const onEvent = ({ type }: RunEvent) => events.push(type);
    const report = await run({ dir, ...SMALL_OPTIONS }, { signal: AbortSignal.abort(), onEvent });
    expect(report).toMatchObject({ outcome: { state: 'aborted' }, runs: [] });
    expect(events).toEqual(['end']);
    expect(readdirSync(dir)).toEqual([]);
  });

  test('an abort between two runs leaves no empty run in the report', async () => {
    const abort = new AbortController();
    const onEvent = ({ type }: RunEvent) => type === 'run-end' && abort.abort();
    const report = await run(
      { dir: makeDirectory(), ...SMALL_OPTIONS, runs: 2 },
      { signal: abort.signal, onEvent },
    );
    expect(report.runs.map(({ state }) => state)).toEqual(['completed']);
  });
});

test('events arrive in the order of the phases and runs', async () => {
  const events: RunEvent[] = [];
  const report = await run(
    { dir: makeDirectory(), ...SMALL_OPTIONS, runs: 2, cache: 'keep' },
    { onEvent: (event) => events.push(event) },
  );
  const names = events
    .filter(({ type }) => type !== 'warning' && type !== 'sample' && type !== 'activity')
    .map((event) => {
      if (event.type === 'step-start') return `${event.run} ${event.step} …`;
      if (event.type === 'step-end') return `${event.run} ${event.measurement.phase} done`;
      return 'run' in event ? `${event.run} ${event.type}` : event.type;
    });
  const runOf = (run: number) => [
    `${run} run-start`,
    ...['write', 'read', 'iops'].flatMap((phase) => [`${run} ${phase} …`, `${run} ${phase} done`]),
    `${run} run-end`,
  ];
  expect(names).toEqual(['start', ...runOf(1), ...runOf(2), 'end']);
  expect(events.at(-1)).toEqual({ type: 'end', report });
});

testOnLinux('an event reports each activity outside of the phases when it begins', async () => {
  const steps: string[] = [];
  const onEvent = (event: RunEvent) => {
    if (event.type === 'activity') steps.push(event.activity);
    if (event.type === 'step-start') steps.push(event.step);
    if (event.type === 'step-end') steps.push('done');
  };
  const options = { dir: makeDirectory(), ...SMALL_OPTIONS, phases: ['write', 'read'] };
  await run({ ...options, cache: 'evict' }, { onEvent });
  const seen = [
    ['preparing', 'preparing', 'write', 'preparing', 'done'],
    ['read', 'dropping-cache', 'preparing', 'done'],
    ['removing'],
  ].flat();
  expect(steps).toEqual(seen);
  steps.length = 0;
  await run({ ...options, cache: 'keep' }, { onEvent });
  expect(steps).toEqual(seen.filter((step) => step !== 'dropping-cache'));
});

test('events report the goal of a phase, then its progress', async () => {
  const events: RunEvent[] = [];
  const options = {
    dir: makeDirectory(),
    threads: 2,
    size: 0.01,
    iopsDuration: 2.05,
    phases: ['write', 'iops'],
    cache: 'keep',
  } as const;
  const report = await run(options, { onEvent: (event) => events.push(event) });
  expect(events.flatMap((event) => (event.type === 'step-start' ? [event.goal] : []))).toEqual([
    { unit: 'bytes', amount: report.options.sizeBytes },
    { unit: 'seconds', amount: 2.05 },
  ]);
  const samples = events.flatMap((event) =>
    event.type === 'sample' && event.step === 'iops' ? [event] : [],
  );
  expect(samples.length).toBeGreaterThanOrEqual(2);
  const first = samples[0];
  const last = samples.at(-1);
  expect(last?.operations).toBeGreaterThan(first?.operations ?? 0);
  expect(last?.seconds).toBeGreaterThan(first?.seconds ?? 0);
  // Allow a difference, because the threads continue while the counters are read.
  expect(last?.bytes).toBeGreaterThan((last?.operations ?? 0) * 512 * 0.9);
  expect(last?.bytes).toBeLessThan((last?.operations ?? 0) * 512 * 1.1);
});

test('the event after each run contains the report so far with the outcome running', async () => {
  const seen: Report[] = [];
  const onEvent = (event: RunEvent) => {
    // No copy, because a published report no longer changes.
    if (event.type === 'run-end') seen.push(event.report);
  };
  const report = await run({ dir: makeDirectory(), ...SMALL_OPTIONS, runs: 2 }, { onEvent });
  expect(seen.map(({ outcome }) => outcome)).toEqual([{ state: 'running' }, { state: 'running' }]);
  expect(seen.map(({ runs }) => runs)).toEqual([report.runs.slice(0, 1), report.runs]);
  expect(seen.map(({ statistics }) => statistics.map(({ runs }) => runs))).toEqual([
    [1, 1, 1],
    [2, 2, 2],
  ]);
  expect(seen.at(-1)?.statistics).toEqual(report.statistics);
});

test('a listener that throws rejects the run, and the files are removed', async () => {
  const dir = makeDirectory();
  const onEvent = ({ type }: RunEvent) => {
    if (type === 'step-end') throw new Error('the listener is broken');
  };
  await expect(run({ dir, ...SMALL_OPTIONS }, { onEvent })).rejects.toThrow('the listener is broken');
  expect(readdirSync(dir)).toEqual([]);
});

test('a listener that throws on the warning that the clean-up process cannot start rejects the run', async () => {
  const dir = makeDirectory();
  const watcher = new Watcher();
  watcher[Symbol.dispose]();
  const loss = createWarning('no-cleanup-process', { loss: 'could not start the clean-up process' });
  Object.assign(watcher, { ended: Promise.resolve(loss) });
  const runPlan = plan(validateOptions({ ...SMALL_OPTIONS, dir }), await inspectMachine(dir));
  const onEvent = (event: RunEvent) => {
    if (event.type === 'warning' && event.warning.code === loss.code)
      throw new Error('the listener is broken');
  };
  await expect(execute(runPlan, { onEvent }, watcher)).rejects.toThrow('the listener is broken');
  expect(readdirSync(dir)).toEqual([]);
});
