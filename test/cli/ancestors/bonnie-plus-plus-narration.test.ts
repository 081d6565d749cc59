import { expect, test } from 'vitest';
import { narrate } from '../../../src/cli/ancestors/bonnie-plus-plus-narration.js';
import type { RunEvent } from '../../../src/report/events/event.js';
import type { Measurement } from '../../../src/report/schema/report.js';
import { measurementWith, planWith, reportWith, runWith, startWith } from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { start } from '../../support/programs/program.js';
import { needs } from '../../support/tool.js';

const START = startWith(planWith(), '/scratch/gobonnie-x');
const WARNING: RunEvent = {
  type: 'warning',
  warning: { code: 'size-cut', phase: null, message: 'it does not fit', hint: 'pass a smaller --size' },
};

/** In the order in which bonnie++ does them. */
const PHASES = [
  ...['putc', 'write', 'rewrite', 'getc', 'read', 'seeks'],
  ...['create', 'stat', 'delete', 'create-random', 'stat-random', 'delete-random'],
];

const LINES = [
  'Writing a byte at a time...done',
  'Writing intelligently...done',
  'Rewriting...done',
  'Reading a byte at a time...done',
  'Reading intelligently...done',
  "start 'em...done...done...done...done...done...",
  'Create files in sequential order...done.',
  'Stat files in sequential order...done.',
  'Delete files in sequential order...done.',
  'Create files in random order...done.',
  'Stat files in random order...done.',
  'Delete files in random order...done.',
];

function ended(phase: string, seekers = 1, facts: Partial<Measurement> = {}): RunEvent {
  const measurement = measurementWith({ phase, threads: seekers, ...facts });
  return { type: 'phase-end', run: 1, measurement };
}

test('each phase is told as it ends', () => {
  expect(PHASES.flatMap((phase) => narrate(ended(phase, 5), 'normal'))).toEqual(LINES);
});

test.each([
  [1, "start 'em...done..."],
  [3, "start 'em...done...done...done..."],
])('%i seekers are done one by one', (seekers, line) => {
  expect(narrate(ended('seeks', seekers), 'normal')).toEqual([line]);
});

test('a phase that bonnie++ did not have is told by its title', () => {
  expect(narrate(ended('iops', 4, { title: 'IOPS' }), 'normal')).toEqual(['IOPS...done']);
});

test('a warning is told without its hint, which would name flags of gobonnie', () => {
  expect(narrate(WARNING, 'normal')).toEqual(['warning: it does not fit (gobonnie explain size-cut)']);
});

test('verbose is as normal', () => {
  const events = [START, WARNING, ...PHASES.map((phase) => ended(phase))];
  const lines = events.flatMap((event) => narrate(event, 'verbose'));
  expect(lines).toHaveLength(13);
  expect(lines).toEqual(events.flatMap((event) => narrate(event, 'normal')));
});

test('quiet says nothing of anything', () => {
  const events = [START, WARNING, ...PHASES.map((phase) => ended(phase))];
  expect(events.flatMap((event) => narrate(event, 'quiet'))).toEqual([]);
});

test.each<RunEvent>([
  START,
  { type: 'run-start', run: 1 },
  { type: 'phase-start', run: 1, phase: 'write', goal: { unit: 'bytes', amount: 1 } },
  { type: 'run-end', run: 1, result: runWith(), report: reportWith() },
  { type: 'end', report: reportWith() },
])('bonnie++ has no line for $type', (event) => {
  expect(narrate(event, 'normal')).toEqual([]);
});

const NEEDED = needs('bonnie++');

test('the real bonnie++ says the same', async (context) => {
  NEEDED(context);
  const user = process.getuid?.() === 0 ? ['-u', 'root'] : [];
  const args = ['-d', makeDirectory(), '-r', '0', '-s', '2:4k:500:5', '-n', '1', '-f1'];
  const { stderr } = await start('bonnie++', [...user, ...args]).ended;
  const lines = stderr.trimEnd().split('\n');
  // As root it says first whose rights it has.
  expect(lines.filter((line) => !line.startsWith('Using uid'))).toEqual(LINES);
});
