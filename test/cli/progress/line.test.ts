import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { progressLine } from '../../../src/cli/progress/line.js';
import {
  addProgress,
  EMPTY_HISTORY,
  IDLE,
  type PhaseProgress,
  type ProgressState,
} from '../../../src/cli/progress/state.js';
import { sparkline } from '../../../src/format/human/dot-plot.js';
import { createPaint, type Screen } from '../../../src/format/human/screen.js';
import { GIB, MIB } from '../../../src/text/units.js';
import { displayWidth } from '../../../src/text/width.js';

const SCREEN: Screen = { columns: 100, paint: createPaint(false) };
const SECOND_RUN = { number: 2, total: 5 };

/** Returns a phase at a constant rate. */
function phaseWith(properties: Partial<PhaseProgress> = {}, seconds = 2, amount = 256 * MIB): PhaseProgress {
  let history = EMPTY_HISTORY;
  for (let at = 1; at <= 20; at++)
    history = addProgress(history, { seconds: (seconds * at) / 20, amount: (amount * at) / 20 });
  const goal = { unit: 'bytes', amount: 512 * MIB } as const;
  return { title: 'Sequential Write', primaryRate: 'bytes', goal, history, ...properties };
}

function lineOf(state: Partial<ProgressState>, screen: Partial<Screen> = {}, nowMs = 0): string {
  return progressLine({ ...IDLE, ...state }, { ...SCREEN, ...screen }, nowMs);
}

describe('during a phase', () => {
  test('the line has the title, the progress, the rate with a sparkline, and the remaining time', () => {
    expect(lineOf({ phase: phaseWith() })).toBe(
      'Sequential Write   50 %    134 MB/s   0:02 left  ██████████··········  256 of 512 MiB',
    );
  });

  test('the line has the run number if there are several runs', () => {
    expect(lineOf({ phase: phaseWith(), run: SECOND_RUN })).toContain('0:02 left  run 2/5  █');
    expect(lineOf({ phase: phaseWith(), run: { number: 3, total: null } })).toContain('left  run 3  █');
    const estimatedRun = { number: 2, total: 5, expectedEndMs: 189_500 };
    const extraRun = { ...estimatedRun, number: 6 };
    expect(lineOf({ phase: phaseWith(), run: extraRun })).toContain('left  run 6  █');
    expect(lineOf({ phase: phaseWith(), run: estimatedRun })).toContain('left  run 2/5, 3:10 left  █');
    const interval = { percent: 12.4, goalPercent: 5 };
    expect(lineOf({ phase: phaseWith(), run: { number: 4, total: null, interval } })).toContain(
      'left  run 4, ± 12 % of 5 %  █',
    );
    const wide = { percent: 196, goalPercent: 5 };
    expect(lineOf({ phase: phaseWith(), run: { number: 4, total: null, interval: wide } })).toContain(
      'left  run 4, over 50 % of 5 %  █',
    );
  });

  test.each<[PhaseProgress['goal'], number, string]>([
    [{ unit: 'bytes', amount: 4 * GIB }, 3.2 * GIB, '·  3.2 of 4 GiB'],
    [{ unit: 'bytes', amount: 128 * GIB }, 6.4 * GIB, '·    6 of 128 GiB'],
    [{ unit: 'bytes', amount: 10.2 * MIB }, 10.2 * MIB, '█  10.2 of 10.2 MiB'],
    [{ unit: 'operations', amount: 16_384 }, 4096, '·   4096 of 16384'],
  ])('the line shows the progress towards %j after %d', (goal, amount, text) => {
    expect(lineOf({ phase: phaseWith({ goal }, 2, amount) })).toContain(text);
  });

  test.each([
    [2.5, ' 80 %    134 MB/s   0:01 left'],
    [1, '100 %    134 MB/s   0:00 left'],
  ])(
    'the line counts down to the end of a phase that --stonewall stops after %d s',
    (timeLimitSeconds, text) => {
      const goal = { unit: 'bytes', amount: 512 * MIB, timeLimitSeconds } as const;
      expect(lineOf({ phase: phaseWith({ goal }) })).toContain(text);
    },
  );

  test('the line counts the seconds of a phase with a fixed duration', () => {
    const goal = { unit: 'seconds', amount: 15 } as const;
    const phase = phaseWith({ title: 'IOPS', primaryRate: 'operations', goal }, 3, 90_000);
    expect(lineOf({ phase })).toBe('IOPS   20 %    30000/s   0:12 left  ████················  3.0 of 15 s');
  });

  test.each([
    [0.0001, '5:33:18 left'],
    [0.01, '3:18 left'],
    [0.5, ' 0:02 left'],
  ])('the line estimates the remaining time from the rate after a share of %d', (share, text) => {
    const phase = phaseWith({}, 2, 512 * MIB * share);
    expect(lineOf({ phase })).toContain(text);
  });

  test('the line shows no remaining time before any data has moved', () => {
    expect(lineOf({ phase: phaseWith({ history: EMPTY_HISTORY }) })).toBe(
      'Sequential Write    0 %    0.0 MB/s   -:-- left  ▁···················    0 of 512 MiB',
    );
    expect(lineOf({ phase: phaseWith({}, 2, 0) })).toContain('-:-- left');
  });

  test('the sparkline shows a drop of the rate', () => {
    let history = EMPTY_HISTORY;
    for (let at = 1; at <= 80; at++)
      history = addProgress(history, {
        seconds: at / 10,
        amount: MIB * Math.min(at, 40 + (at - 40) / 8) * 6,
      });
    expect(lineOf({ phase: phaseWith({ history }) })).toContain('  █████▅▂▂▂▂▂·········  ');
  });
});

describe('with several directories', () => {
  const run = { number: 2, total: 5 };

  test('the line has the directory before the run', () => {
    expect(lineOf({ directory: '/mnt/ssd', run, phase: phaseWith() })).toContain(
      'left  /mnt/ssd  run 2/5  █',
    );
    expect(lineOf({ directory: '/mnt/ssd', run, activity: { name: 'removing', sinceMs: 0 } })).toBe(
      'removing the files  /mnt/ssd  run 2/5',
    );
    expect(lineOf({ directory: '/mnt/ssd', run })).toBe('');
  });

  test('the line shows only the end of a long directory, without its control characters', () => {
    const printedName = (directory: string) =>
      lineOf({ directory, activity: { name: 'preparing', sinceMs: 0 } }).split('  ')[1];
    expect(printedName('/a/very/long/path/to/the/volume')).toBe('...ng/path/to/the/volume');
    expect(printedName('/x\u001b[31m\u202e')).toBe('/x?[31m?');
  });

  test('wide letters count as two columns', () => {
    const directory = '/\u78c1\u76d8\u78c1\u76d8';
    const line = (columns: number) => lineOf({ directory, phase: phaseWith() }, { columns });
    for (let columns = 0; columns < 120; columns++)
      expect(displayWidth(line(columns))).toBeLessThanOrEqual(Math.max(0, columns - 1));
    expect(line(120)).toContain(directory);
  });
});

describe('between the phases', () => {
  const syncing = { name: 'syncing', sinceMs: 1000 } as const;

  test('the line shows the activity, and its duration after a second', () => {
    expect(lineOf({ phase: phaseWith(), activity: syncing }, {}, 1999)).toBe(
      'Sequential Write: syncing to the device',
    );
    expect(lineOf({ phase: phaseWith(), activity: syncing }, {}, 13_500)).toBe(
      'Sequential Write: syncing to the device  12 s',
    );
  });

  test('the line has no title for work that belongs to no phase', () => {
    expect(lineOf({ activity: { name: 'removing', sinceMs: 0 } })).toBe('removing the files');
    expect(lineOf({ activity: { name: 'preparing', sinceMs: 0 }, run: { number: 0, total: 3 } })).toBe(
      'preparing',
    );
  });
});

describe('a narrow window', () => {
  const state = { run: SECOND_RUN, phase: phaseWith() };
  const activity = { ...state, activity: { name: 'dropping-cache', sinceMs: 0 } } as const;

  test.each([
    [100, 'Sequential Write   50 %    134 MB/s   0:02 left  run 2/5  ██████████··········  256 of 512 MiB'],
    [94, 'Sequential Write   50 %    134 MB/s   0:02 left  run 2/5  ██████████··········'],
    [50, 'Sequential Write   50 %    134 MB/s   0:02 left'],
    [24, 'Sequential Write   50 %'],
    [20, 'Sequential Write'],
    [4, 'Seq'],
    [0, ''],
  ])('of %d columns shows the most important parts of a phase', (columns, line) => {
    expect(lineOf(state, { columns }).trimEnd()).toBe(line);
  });

  test('shows the most important parts of an activity', () => {
    const line = (columns: number) => lineOf(activity, { columns }, 5000);
    expect(line(60)).toBe('Sequential Write: dropping the page cache  5 s  run 2/5');
    expect(line(30)).toBe('Sequential Write: dropping th');
  });
});

test('colors change neither the text nor the width of the line', () => {
  for (const columns of [120, 100, 60, 40, 20]) {
    const states = [
      { phase: phaseWith(), run: SECOND_RUN },
      { activity: { name: 'syncing', sinceMs: 0 } as const },
    ];
    for (const state of states) {
      const painted = lineOf(state, { columns, paint: createPaint(true) }, 3000);
      expect(stripVTControlCharacters(painted)).toBe(lineOf(state, { columns }, 3000));
    }
  }
  expect(lineOf({ phase: phaseWith() }, { paint: createPaint(true) })).toContain(
    '\u001b[36m██████████\u001b[39m',
  );
});

test('the sparkline has columns whose height is relative to the highest value', () => {
  expect(sparkline([0, 1, 2, 3, 4, 5, 6, 7])).toBe('▁▂▃▄▅▆▇█');
  expect(sparkline([700, 350, 0, 700])).toBe('█▅▁█');
});
