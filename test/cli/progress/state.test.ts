import { describe, expect, test } from 'vitest';
import { latestPoint } from '../../../src/cli/progress/history.js';
import { IDLE, type ProgressState, updateProgress } from '../../../src/cli/progress/state.js';
import type { OptionsInput } from '../../../src/options/options-schema.js';
import type { RunEvent } from '../../../src/report/events/event.js';
import type { Report } from '../../../src/report/schema/report.js';
import {
  measurementWith,
  planWith,
  reportWith,
  runsAt,
  runWith,
  startWith,
} from '../../support/data/fixtures.js';

const PHASE_END: RunEvent = { type: 'phase-end', run: 1, measurement: measurementWith() };
const RUN_START: RunEvent = { type: 'run-start', run: 1 };
const EMPTYING: RunEvent = { type: 'activity', activity: 'emptying-cache' };

function starting(input: OptionsInput = {}): RunEvent {
  return startWith(planWith(input), '/tmp/x');
}

function phaseStart(phase: string): RunEvent {
  return { type: 'phase-start', run: 1, phase, goal: { unit: 'bytes', amount: 1000 } };
}

function runEnd(report: Report): RunEvent {
  return { type: 'run-end', run: 1, result: runWith(), report };
}

function sample(phase: string, seconds: number): RunEvent {
  return { type: 'sample', run: 1, phase, seconds, bytes: seconds * 100, operations: seconds * 7 };
}

function after(...events: readonly RunEvent[]): ProgressState {
  return events.reduce<ProgressState>((state, event, at) => updateProgress(state, event, at * 1000), IDLE);
}

describe('the runs', () => {
  test('are not counted if there is only one', () => {
    expect(after(starting(), RUN_START).run).toBeNull();
  });

  test('are counted if there are several', () => {
    expect(after(starting({ runs: 5 }), RUN_START, { type: 'run-start', run: 2 }).run).toMatchObject({
      number: 2,
      total: 5,
    });
  });

  test('say when the last one will end, by those that are complete', () => {
    const report = reportWith({ runs: [runWith()] });
    // Started at 0 s, so that the first of five runs took 2 s.
    const { run } = after(starting({ runs: 5 }), RUN_START, runEnd(report));
    expect(run).toMatchObject({ startMs: 0, expectedEndMs: 10_000 });
  });

  test('that are repeated until they are stable say how far the widest interval is from the goal', () => {
    const runs = runsAt(100e6, 110e6, 90e6);
    const { options } = reportWith();
    const report = reportWith({
      runs,
      options: { ...options, untilStablePercent: 5 },
    });
    const { run } = after(starting({ untilStable: 5 }), RUN_START, runEnd(report));
    expect(run).toMatchObject({ interval: { percent: expect.closeTo(24.8, 1), goalPercent: 5 } });
  });

  test.each<OptionsInput>([{ seconds: 60 }, { untilStable: 5 }])('have no known total with %j', (input) => {
    expect(after(starting({ runs: 3, ...input }), RUN_START).run).toMatchObject({ number: 1, total: null });
  });
});

describe('a phase', () => {
  test('starts with its title, its figure and its goal, and with nothing done', () => {
    const { phase } = after(starting(), RUN_START, phaseStart('read'));
    expect(phase).toMatchObject({ name: 'read', title: 'Sequential Read', primaryRate: 'bytes' });
    expect(phase?.goal).toEqual({ unit: 'bytes', amount: 1000 });
    expect(phase && latestPoint(phase.history)).toEqual({ seconds: 0, amount: 0 });
  });

  test.each([
    ['write', 300],
    ['iops', 21],
  ])('%s advances by the bytes or operations that its figure counts', (name, amount) => {
    const { phase } = after(starting(), phaseStart(name), ...[1, 2, 3].map((second) => sample(name, second)));
    expect(phase && latestPoint(phase.history)).toEqual({ seconds: 3, amount });
  });

  test('is gone when it ends, and starts from 0 in the next run', () => {
    const events = [starting(), phaseStart('write'), sample('write', 5), PHASE_END];
    expect(after(...events)).toEqual(IDLE);
    const { phase } = after(...events, phaseStart('write'));
    expect(phase && latestPoint(phase.history).amount).toBe(0);
  });

  test('stays gone when a late sample arrives', () => {
    expect(after(starting(), phaseStart('write'), PHASE_END, sample('write', 5)).phase).toBeNull();
  });
});

describe('work between phases', () => {
  test('is shown with its start and with the phase that it prepares', () => {
    const state = after(starting(), phaseStart('read'), EMPTYING);
    expect(state.activity).toEqual({ name: 'emptying-cache', sinceMs: 2000 });
    expect(state.phase?.name).toBe('read');
  });

  test.each<RunEvent>([sample('read', 1), PHASE_END, phaseStart('read')])('is gone at $type', (event) => {
    expect(after(starting(), phaseStart('read'), EMPTYING, event).activity).toBeNull();
  });

  test('at the end belongs to no phase, even if one was stopped', () => {
    const state = after(starting({ runs: 3 }), RUN_START, phaseStart('read'), sample('read', 1), {
      type: 'activity',
      activity: 'removing',
    });
    expect(state).toEqual({ ...IDLE, activity: { name: 'removing', sinceMs: 4000 } });
  });

  test('goes on when it says what is left', () => {
    const begun = updateProgress(IDLE, { type: 'activity', activity: 'removing' }, 1000);
    const remaining = { bytes: 1, files: 2 };
    const state = updateProgress(begun, { type: 'activity', activity: 'removing', remaining }, 5000);
    expect(state.activity).toEqual({ name: 'removing', sinceMs: 1000, remaining });
  });
});

test.each<RunEvent>([
  { type: 'stall', waitingFor: 'read', seconds: 10, isAborted: false },
  { type: 'warning', warning: { code: 'cliff', phase: null, message: '', hint: '' } },
])('an event $type changes nothing', (event) => {
  const state = after(starting(), phaseStart('read'), sample('read', 1));
  expect(updateProgress(state, event, 0)).toBe(state);
});

test('nothing is shown after the end', () => {
  const events = [starting({ runs: 2 }), RUN_START, phaseStart('write'), sample('write', 1)];
  expect(
    after(...events, { type: 'run-end', run: 1, result: runWith(), report: reportWith() }).phase,
  ).toBeNull();
  expect(after(...events, { type: 'end', report: reportWith() })).toEqual(IDLE);
});
