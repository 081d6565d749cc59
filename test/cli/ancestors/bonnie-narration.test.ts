import { expect, test } from 'vitest';
import { bonnieNarrate } from '../../../src/cli/ancestors/bonnie-narration.js';
import type { Plan } from '../../../src/plan/plan.js';
import type { RunEvent } from '../../../src/report/events/event.js';
import type { Measurement } from '../../../src/report/schema/report.js';
import { GIB, KIB, MIB } from '../../../src/text/units.js';
import {
  machineWith,
  measurementWith,
  planWith,
  reportWith,
  runWith,
  startWith,
} from '../../support/data/fixtures.js';

/** Than which all these files are larger. */
const machine = machineWith({ memoryBytes: 64 * MIB });

const startOf = (plan: Plan) => startWith(plan, '/scratch/gobonnie-x');
const START = startOf(planWith({ size: (100 * MIB) / GIB, threads: 1 }, machine));
const WARNING: RunEvent = {
  type: 'warning',
  warning: { code: 'size-cut', phase: null, message: 'it does not fit', hint: 'pass a smaller --size' },
};

const narrate = bonnieNarrate(false);

/** A phase that ended, of the file's so many KiB a second. */
function ended(
  phase: string,
  kibPerSecond: number,
  percent: number,
  facts: Partial<Measurement> = {},
): RunEvent {
  const { cpu } = measurementWith();
  return {
    type: 'phase-end',
    run: 1,
    measurement: measurementWith({
      phase,
      bytesPerSecond: kibPerSecond * KIB,
      cpu: { ...cpu, percent },
      ...facts,
    }),
  };
}

test('first the file and its size are told', () => {
  expect(narrate(START, 'normal')).toEqual([
    "Bonnie: File '/scratch/gobonnie-x/bonnie.0', size: 104857600, volumes: 1",
  ]);
});

test('a file smaller than the memory is warned of, and one as large is not', () => {
  const large = machineWith({ memoryBytes: 101 * MIB });
  const plan = planWith({ size: (100 * MIB) / GIB, threads: 1 }, large);
  const [, warning, ...more] = narrate(startOf(plan), 'normal');
  expect(more).toEqual([]);
  expect(warning).toBe(
    'warning: 100 MiB is less than the memory, 101 MiB: the figures may be those of memory, not of the disk; ' +
      'pass a larger -s, or -o_direct (gobonnie explain size-below-memory)',
  );
  const same = planWith({ size: (101 * MIB) / GIB, threads: 1 }, large);
  expect(narrate(startOf(same), 'normal')).toHaveLength(1);
});

test('of several files the size of each is told', () => {
  const plan = planWith({ size: (300 * MIB) / GIB, threads: 3 }, machine);
  expect(narrate(startOf(plan), 'normal')).toEqual([
    "Bonnie: File '/scratch/gobonnie-x/bonnie.0', size: 104857600, volumes: 3",
  ]);
});

test('one file is one, however many write to it', () => {
  const plan = planWith({ size: (300 * MIB) / GIB, threads: 3, oneFile: true }, machine);
  expect(narrate(startOf(plan), 'normal')).toEqual([
    "Bonnie: File '/scratch/gobonnie-x/bonnie.0', size: 314572800, volumes: 1",
  ]);
});

test.each([
  ['/tmp/\u001b[31m', '"/tmp/\\u001b[31m/bonnie.0"'],
  ["/tmp/Bo's disk", `"/tmp/Bo's disk/bonnie.0"`],
])('a directory that could steer the terminal or mislead is quoted: %j', (scratchDirectory, file) => {
  expect(narrate(startWith(planWith(), scratchDirectory), 'normal').join()).toContain(`File ${file}, size`);
});

test('each phase is told as it ends, in columns', () => {
  const lines = [
    ended('putc', 21_846, 98),
    ended('rewrite', 11_099, 3.1),
    ended('write', 58_316, 14),
    ended('getc', 9854, 100),
    ended('read', 167_240, 2),
  ].flatMap((event) => narrate(event, 'normal'));
  expect(lines).toEqual([
    'Writing with putc()...         done:  21846 kB/s  98.0 %CPU',
    'Rewriting...                   done:  11099 kB/s   3.1 %CPU',
    'Writing intelligently...       done:  58316 kB/s  14.0 %CPU',
    'Reading with getc()...         done:   9854 kB/s 100.0 %CPU',
    'Reading intelligently...       done: 167240 kB/s   2.0 %CPU',
  ]);
});

test('the calls without a lock are called by their names', () => {
  const events = [ended('putc', 10_328, 10.5), ended('getc', 10_436, 14.3), ended('write', 10_319, 3.8)];
  expect(events.flatMap((event) => bonnieNarrate(true)(event, 'normal'))).toEqual([
    'Writing with putc_unlocked()...done:  10328 kB/s  10.5 %CPU',
    'Reading with getc_unlocked()...done:  10436 kB/s  14.3 %CPU',
    'Writing intelligently...       done:  10319 kB/s   3.8 %CPU',
  ]);
});

test.each([
  [3, "Seeker 1...Seeker 2...Seeker 3...start 'em...done...done...done..."],
  [1, "Seeker 1...start 'em...done..."],
])('%i seekers are counted', (seekers, line) => {
  const event = ended('seeks', 0, 1, { figure: 'operations', threads: seekers });
  expect(narrate(event, 'normal')).toEqual([line]);
});

test('a phase that Bonnie did not have is told by its title', () => {
  const event = ended('iops', 0, 7.5, { title: 'IOPS', figure: 'operations', operationsPerSecond: 23_831.6 });
  expect(narrate(event, 'normal')).toEqual(['IOPS...                        done:  23831 /s   7.5 %CPU']);
});

test('a warning is told without its hint, which would name flags of gobonnie', () => {
  expect(narrate(WARNING, 'normal')).toEqual(['warning: it does not fit (gobonnie explain size-cut)']);
});

test('verbose is as normal', () => {
  const events = [START, WARNING, ended('putc', 21_846, 98)];
  const lines = events.flatMap((event) => narrate(event, 'verbose'));
  expect(lines).toHaveLength(3);
  expect(lines).toEqual(events.flatMap((event) => narrate(event, 'normal')));
});

test('quiet says nothing of anything', () => {
  const events = [START, WARNING, ended('putc', 21_846, 98)];
  expect(events.flatMap((event) => narrate(event, 'quiet'))).toEqual([]);
});

test.each<RunEvent>([
  { type: 'run-start', run: 1 },
  { type: 'phase-start', run: 1, phase: 'write', goal: { unit: 'bytes', amount: 1 } },
  { type: 'run-end', run: 1, result: runWith(), report: reportWith() },
  { type: 'end', report: reportWith() },
])('Bonnie has no line for $type', (event) => {
  expect(narrate(event, 'normal')).toEqual([]);
});
