import { describe, expect, test } from 'vitest';
import type { OptionsInput } from '../../src/options/judge.js';
import { draft } from '../../src/report/empty-report.js';
import type { Run } from '../../src/report/schema/report.js';
import type { Sheet } from '../../src/report/sheet.js';
import { sheetsOf } from '../../src/report/sheets.js';
import { GIB, MIB } from '../../src/text/units.js';
import { version } from '../../src/version.js';
import { measurementWith, planWith, runWith, STARTED_AT } from '../support/fixtures.js';

/** The sheets of a report of what was asked for, with these runs. */
function sheetsWith(options: OptionsInput, ...runs: readonly Run[]): readonly Sheet[] {
  return sheetsOf({
    ...draft(planWith({ size: 0.5, threads: 2, ...options }), new Date(STARTED_AT)),
    runs: [...runs],
  });
}

function sheetWith(options: OptionsInput, run: Run = runWith()): Sheet {
  const [sheet] = sheetsWith(options, run);
  if (!sheet) throw new Error('a complete run has a sheet');
  return sheet;
}

test('a complete run becomes a sheet with all that is known of it', () => {
  expect(sheetWith({})).toEqual({
    program: { name: 'gobonnie', version },
    label: 'goldhost',
    startedAt: '2018-04-12T13:46:01.000Z',
    sizeBytes: 512 * MIB,
    volumes: 1,
    chunkBytes: 65_536,
    concurrency: 2,
    seed: '42',
    seeks: null,
    seekers: null,
    synced: false,
    unlocked: false,
    files: null,
    scores: {
      write: {
        figure: 'bytes',
        perSecond: 1_073_741_824,
        cpuPercent: 75,
        latencyNs: 121_000,
        amount: 536_870_912,
        seconds: 0.5,
      },
      read: {
        figure: 'bytes',
        perSecond: 2_147_483_648,
        cpuPercent: 75,
        latencyNs: 121_000,
        amount: 536_870_912,
        seconds: 0.25,
      },
      iops: {
        figure: 'operations',
        perSecond: 20_000,
        cpuPercent: 75,
        latencyNs: 121_000,
        amount: 10_000,
        seconds: 0.5,
      },
    },
  });
});

test('every complete run has a sheet, in order, and one that was stopped has none', () => {
  const startedAt = ['2018-04-12T13:46:01.000Z', '2018-04-12T13:46:03.000Z', '2018-04-12T13:46:05.000Z'];
  const [first, second, third] = startedAt.map((at) => runWith({ startedAt: at }));
  if (!first || !second || !third) throw new Error('there are three');
  const sheets = sheetsWith({}, first, second, { ...third, state: 'incomplete' });
  expect(sheets.map((sheet) => sheet.startedAt)).toEqual(startedAt.slice(0, 2));
  expect(sheetsWith({})).toEqual([]);
});

test.each<[OptionsInput, Partial<Sheet>]>([
  [{ label: 'my disk' }, { label: 'my disk' }],
  [{ volumes: 3 }, { volumes: 3 }],
  [{ blockSize: '8k' }, { chunkBytes: 8192 }],
  [{ fsync: true }, { synced: true }],
  [{ byteMode: 'locked' }, { unlocked: false }],
  [{ byteMode: 'unlocked' }, { unlocked: true }],
  // Calls of their own are bonnie++'s, which does not ask.
  [{ byteMode: 'syscall' }, { unlocked: false }],
])('%j is told as %j', (options, facts) => {
  expect(sheetWith(options)).toMatchObject(facts);
});

describe('seeks', () => {
  test('are told with as many seekers as there were', () => {
    const phases = 'write,seeks';
    expect(sheetWith({ phases, seeks: 4000, seekers: 3 })).toMatchObject({ seeks: 4000, seekers: 3 });
  });

  test('are by the threads where no seekers were asked for', () => {
    expect(sheetWith({ phases: 'write,seeks', seeks: 4000 })).toMatchObject({ seeks: 4000, seekers: 2 });
  });

  test('that were not measured are not told, though they were asked for', () => {
    expect(sheetWith({ seeks: 4000, seekers: 3 })).toMatchObject({ seeks: null, seekers: null });
  });
});

describe('files', () => {
  const options = {
    files: 100,
    fileKind: 'hard-links',
    fileSize: 9,
    fileMinSize: 2,
    fileBlockSize: '4k',
    directories: 4,
  } as const;
  const files = {
    count: 100,
    kind: 'hard-links',
    minBytes: 2,
    maxBytes: 9,
    directories: 4,
    chunkBytes: 4096,
  };

  test.each(['create', 'create-random', 'write,create,stat,delete'])('of %s are told', (phases) => {
    expect(sheetWith({ phases, ...options }).files).toEqual(files);
  });

  test('that were not measured are not told', () => {
    expect(sheetWith({ phases: 'write,read', ...options }).files).toBeNull();
  });

  test('alone leave the size and the chunk of the data open', () => {
    expect(sheetWith({ phases: 'create', ...options })).toMatchObject({ sizeBytes: null, chunkBytes: null });
  });
});

describe('a score', () => {
  test('of operations counts them, and not their bytes', () => {
    const seeks = measurementWith({
      ...{ phase: 'seeks', figure: 'operations', operations: 8192, operationsPerSecond: 16_384, bytes: GIB },
    });
    expect(sheetWith({}, runWith({ measurements: [seeks] })).scores).toMatchObject({
      seeks: { figure: 'operations', amount: 8192, perSecond: 16_384 },
    });
  });

  test('of which no operation was recorded has no latency', () => {
    const measurements = [measurementWith({ latencyNs: null })];
    expect(sheetWith({}, runWith({ measurements })).scores.write?.latencyNs).toBeNull();
  });

  test('of processors may be above a hundred per cent', () => {
    const cpu = { userSeconds: 1, systemSeconds: 1, percent: 200, microsecondsPerOperation: 1 };
    const measurements = [measurementWith({ cpu })];
    expect(sheetWith({}, runWith({ measurements })).scores.write?.cpuPercent).toBe(200);
  });

  test('is found by the name of its phase, and there is none of what was not measured', () => {
    const measurements = [measurementWith({ phase: 'create-random' })];
    expect(Object.keys(sheetWith({}, runWith({ measurements })).scores)).toEqual(['create-random']);
  });
});
