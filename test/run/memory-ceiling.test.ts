import { describe, expect, test } from 'vitest';
import { run } from '../../src/library/run.js';
import type { OptionsInput } from '../../src/options/options-schema.js';
import type { RunEvent } from '../../src/report/events/event-record.js';
import type { Report } from '../../src/report/schema/report.js';
import { raiseCeilings } from '../../src/run/memory-ceiling.js';
import { reportWith, runWith } from '../support/data/fixtures.js';
import { makeDirectory } from '../support/disks/directory.js';
import { SMALL_OPTIONS } from '../support/programs/small-run.js';

/** Long phases, because a ceiling step takes a tenth of their time: other programs must not disturb every attempt. */
const LONG_ENOUGH = { ...SMALL_OPTIONS, iopsDuration: 0.5 };

/** If other programs disturb every attempt, gobonnie omits the rate. */
const UNLESS_DISTURBED = { retry: 3 };

async function measureCeiling(options: OptionsInput) {
  const { memoryCeiling, outcome } = await run({ dir: makeDirectory(), ...LONG_ENOUGH, ...options });
  expect(outcome).toEqual({ state: 'completed' });
  return memoryCeiling;
}

describe('the memory ceiling', () => {
  test.each<[string, OptionsInput]>([
    ['with default options', {}],
    [
      'with --verify, several files of each thread, and operations larger than a block',
      { verify: true, dataFiles: 2, blockSize: 4096, ioSize: 65_536 },
    ],
    ['with --direct, which the ceiling ignores', { dir: '.', direct: true, ioSize: 4096 }],
  ])('the ceiling has both rates %s', UNLESS_DISTURBED, async (_, options) => {
    const perSecond = expect.any(Number);
    expect(await measureCeiling({ cache: 'keep', ...options })).toEqual([
      { step: 'read', perSecond },
      { step: 'iops', perSecond },
    ]);
  });

  test.each<[string, OptionsInput]>([
    ['without read and iops', { phases: ['write', 'rewrite', 'seeks'], seeks: 10 }],
    ['if an interval sets the pace', { steps: ['read,interval=1ms', 'random,interval=1ms'] }],
    ['if a later phase leaves only part of the data', { phases: ['write', 'read', 'putc'], byteSize: 1 }],
  ])('the ceiling is null %s', async (_, options) => {
    expect(await measureCeiling(options)).toBeNull();
  });
});

test('the ceiling is measured once, after the first run’s phases, and does not appear as a phase', async () => {
  const events: RunEvent[] = [];
  const report = await run(
    { dir: makeDirectory(), ...SMALL_OPTIONS, runs: 2, cache: 'keep' },
    { onEvent: (event) => events.push(event) },
  );
  const known = events.flatMap((event) => (event.type === 'run-end' ? [event.report.memoryCeiling] : []));
  const stepsOf = (ceilings: Report['memoryCeiling']) => ceilings?.map(({ step }) => step);
  expect(known.map(stepsOf)).toEqual([stepsOf(report.memoryCeiling), stepsOf(report.memoryCeiling)]);
  expect(known[1]).toEqual(report.memoryCeiling);
  const phases = events.flatMap((event) => (event.type === 'step-start' ? [event.step] : []));
  expect(phases).toEqual(['write', 'read', 'iops', 'write', 'read', 'iops']);
  expect(report.runs.map(({ measurements }) => measurements.length)).toEqual([3, 3]);
});

test('a result that is faster than the ceiling raises it, or shows that it was disturbed if the device served the result', () => {
  const ceilings = [
    { step: 'read', perSecond: 1e9 },
    { step: 'iops', perSecond: 1e9 },
  ];
  const readWith = (share: number | null) => {
    const { measurements, ...run } = runWith();
    return {
      ...run,
      measurements: measurements.map((one) => ({ ...one, device: { ...one.device, share } })),
    };
  };
  const iops = { step: 'iops', perSecond: 1e9 };
  expect(raiseCeilings(ceilings, reportWith({ runs: [readWith(null), readWith(null)] }))).toEqual([
    { step: 'read', perSecond: 2_147_483_648 },
    iops,
  ]);
  expect(raiseCeilings(ceilings, reportWith({ runs: [readWith(1)] }))).toEqual([iops]);
});

test('the ceiling is not measured if other processes may still be measuring', async () => {
  const beforeStep = async () => {};
  const { memoryCeiling } = await run({ dir: makeDirectory(), ...SMALL_OPTIONS }, { beforeStep });
  expect(memoryCeiling).toBeNull();
});

test('a run that is stopped during the ceiling measurement is incomplete', async () => {
  const stop = new AbortController();
  const report = await run(
    { dir: makeDirectory(), ...SMALL_OPTIONS },
    {
      signal: stop.signal,
      onEvent: (event) => {
        if (event.type === 'step-end' && event.measurement.step === 'iops')
          setImmediate(() => stop.abort('the test'));
      },
    },
  );
  expect(report.outcome).toEqual({ state: 'aborted', reason: 'the test' });
  expect(report).not.toHaveProperty('memoryCeiling');
  expect(report.runs.map(({ state }) => state)).toEqual(['incomplete']);
});
