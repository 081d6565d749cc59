import { expect, test } from 'vitest';
import { describeSpeed, speedFactsOf } from '../../src/rating/rating.js';
import type { Measurement, Report, ReportedStep } from '../../src/report/schema/report.js';
import { KIB, MIB } from '../../src/text/units.js';
import { measurementWith, reportWith, runWith } from '../support/data/fixtures.js';
import { type MeasuredStep, presetSteps, stepsReport } from '../support/data/step-reports.js';

const LATENCY = measurementWith().latencyNs as NonNullable<Measurement['latencyNs']>;
/** The p50 of measurementWith. */
const P50_NS = 59_904;

/** Creates a report of sequential and random steps, in which the named step has other results. */
function report(
  other = '',
  facts: Partial<Measurement> = {},
  target: Partial<Report['target']> = {},
): Report {
  const sequential = { phase: 'read', ioBytes: MIB } as const;
  const steps: readonly MeasuredStep[] = [
    { step: { ...sequential, name: 'write', phase: 'write', mixPercent: 0 }, rates: [9e9] },
    { step: { ...sequential, name: 'many', threads: 8 }, rates: [2e9] },
    { step: { ...sequential, name: 'one' }, rates: [1e9] },
    { step: { ...sequential, name: 'small', ioBytes: 64 * KIB }, rates: [5e9] },
    { step: { name: 'rnd-many', threads: 32 }, rates: [4e6] },
    { step: { name: 'rnd-mixed', mixPercent: 70 }, rates: [4e6] },
    { step: { name: 'rnd-one' }, rates: [4e6] },
  ];
  const { target: usual } = reportWith();
  return stepsReport(
    steps.map((one) => ({ ...one, facts: one.step.name === other ? facts : {} })),
    { target: { ...usual, ...target } },
  );
}

const CACHED = { device: { readBytes: 0, writtenBytes: 0, dirtyBytes: 0, share: 0.2, reason: null } };

test('the facts are the fastest read with the largest block, and random reads of 4 KiB while no other is in flight', () => {
  expect(speedFactsOf(report())).toMatchObject({
    sequential: { bytesPerSecond: 2e9, causes: [] },
    random: { p50Ns: P50_NS, causes: [] },
    disk: { name: 'vda' },
    remote: null,
  });
});

test.each<[string, Partial<ReportedStep>]>([
  ['threads', { engine: 'threads', threads: 32, depth: 1 }],
  ['io_uring', { engine: 'uring', threads: 1, depth: 32 }],
])('the verdict goes by the reads without a queue, not by the queue of %s before them', (_, load) => {
  const steps = presetSteps('crystaldiskmark', 4e8).map((one) => ({
    ...one,
    step: { ...one.step, ...(one.step.name === 'rnd4k-q32t1.read' && load) },
    facts: { latencyNs: { ...LATENCY, p50: one.step.name === 'rnd4k-q1t1.read' ? 90_000 : 900_000 } },
  }));
  const facts = speedFactsOf(stepsReport(steps));
  expect(facts.random).toMatchObject({ p50Ns: 90_000 });
  expect(describeSpeed(facts)).toMatch(/100 times as fast as on a hard disk/);
});

test('the facts omit results that a cache served, and results of a suspended process', () => {
  expect(speedFactsOf(report('rnd-one', CACHED)).random).toBeNull();
  expect(speedFactsOf(report('rnd-one', { suspendedSeconds: 2 })).random).toBeNull();
  expect(speedFactsOf(report('many', CACHED)).sequential).toMatchObject({ bytesPerSecond: 1e9 });
});

test.each<[string, Report]>([
  ['in memory', report('', {}, { isMemory: true })],
  ['of a job', { ...report(), job: { ranks: 2, hosts: [] } }],
  ['without steps', reportWith({ runs: [runWith()] })],
])('a report %s has no results to compare', (_, one) => {
  expect(speedFactsOf(one)).toMatchObject({ sequential: null, random: null });
});

const limitedTo = (unit: 'bytes' | 'operations', perSecond: number): Partial<Report> => ({
  target: { ...report().target, ioLimits: [{ direction: 'read', unit, perSecond, file: 'io.max' }] },
});

test.each<[string, Partial<Report>, object]>([
  [
    'a warning',
    { warnings: [{ code: 'cpu-saturated', step: 'rnd-one', message: '', hint: '' }] },
    { sequential: { causes: [] }, random: { causes: ['cpu-saturated'] } },
  ],
  [
    'encryption',
    { target: { ...report().target, encryption: 'dm-crypt' } },
    { sequential: { causes: ['encryption'] }, random: { causes: ['encryption'] } },
  ],
  ['a limit that is reached', limitedTo('bytes', 2.1e9), { sequential: { causes: ['cgroup-limit'] } }],
  [
    'a limit from which half a second, five slices of the kernel, may lack one',
    limitedTo('bytes', 2.4e9),
    { sequential: { causes: ['cgroup-limit'] } },
  ],
  [
    'a limit from which more than a slice is missing',
    limitedTo('bytes', 2.6e9),
    { sequential: { causes: [] } },
  ],
  ['a limit that is not reached', limitedTo('operations', 5000), { random: { causes: [] } }],
])('%s is a cause of the results that it concerns', (_, facts, expected) => {
  expect(speedFactsOf({ ...report(), ...facts })).toMatchObject(expected);
});

test('a read beside another load says nothing about the kind of the disk', () => {
  const read = { name: 'q', phase: 'random' as const, threads: 1, ioBytes: 4096, mixPercent: 100 };
  const writer = { name: 'w', phase: 'write' as const, beside: 'q' };
  const alone = stepsReport([{ step: read, rates: [4e6] }]);
  const loaded = stepsReport([
    { step: read, rates: [4e6] },
    { step: writer, rates: [1e9] },
  ]);
  expect(speedFactsOf(alone).random).not.toBeNull();
  expect(speedFactsOf(loaded).random).toBeNull();
});
