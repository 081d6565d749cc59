import { describe, expect, test } from 'vitest';
import {
  addProgress,
  EMPTY_HISTORY,
  IDLE,
  latestPoint,
  type ProgressHistory,
  type ProgressState,
  recentRate,
  updateProgress,
} from '../../../src/cli/progress/state.js';
import type { OptionsInput } from '../../../src/options/options-schema.js';
import type { RunEvent } from '../../../src/report/events/event-record.js';
import { resampleRates } from '../../../src/report/measure/progress.js';
import type { Report } from '../../../src/report/schema/report.js';
import { getPhase } from '../../../workers/phases/phase-catalogue.js';
import {
  measurementWith,
  planWith,
  reportWith,
  runsAt,
  runWith,
  startWith,
} from '../../support/data/fixtures.js';

const PHASE_END: RunEvent = { type: 'step-end', run: 1, measurement: measurementWith() };
const RUN_START: RunEvent = { type: 'run-start', run: 1 };
const DROPPING_CACHE: RunEvent = { type: 'activity', activity: 'dropping-cache' };

function startEvent(input: OptionsInput = {}): RunEvent {
  return startWith(planWith(input), '/tmp/x');
}

function stepStart(step: string): RunEvent {
  const { title, primaryRate } = getPhase(step);
  const goal = { unit: 'bytes', amount: 1000 } as const;
  return { type: 'step-start', run: 1, step, phase: step, title, primaryRate, goal };
}

function runEnd(report: Report): RunEvent {
  return { type: 'run-end', run: 1, result: runWith(), report };
}

function sample(step: string, seconds: number): RunEvent {
  return { type: 'sample', run: 1, step, seconds, bytes: seconds * 100, operations: seconds * 7 };
}

function stateAfter(...events: readonly RunEvent[]): ProgressState {
  return events.reduce<ProgressState>((state, event, at) => updateProgress(state, event, at * 1000), IDLE);
}

describe('the run counter', () => {
  test('has the number and the total of several runs', () => {
    expect(stateAfter(startEvent({ runs: 5 }), RUN_START, { type: 'run-start', run: 2 }).run).toMatchObject({
      number: 2,
      total: 5,
    });
  });

  test('estimates the end of the last run from the completed runs', () => {
    const report = reportWith({ runs: [runWith()] });
    // The first of five runs started at 0 s and took 2 s.
    const { run } = stateAfter(startEvent({ runs: 5 }), RUN_START, runEnd(report));
    expect(run).toMatchObject({ startMs: 0, expectedEndMs: 10_000 });
  });

  test('compares the widest interval with the goal of --until-stable', () => {
    const runs = runsAt(100e6, 110e6, 90e6);
    const { options } = reportWith();
    const report = reportWith({
      runs,
      options: { ...options, untilStablePercent: 5 },
    });
    const { run } = stateAfter(startEvent({ untilStable: 5 }), RUN_START, runEnd(report));
    expect(run).toMatchObject({ interval: { percent: expect.closeTo(64.76, 2), goalPercent: 5 } });
  });

  test.each<OptionsInput>([{ seconds: 60 }, { untilStable: 5 }])('has no total with %j', (input) => {
    expect(stateAfter(startEvent({ runs: 3, ...input }), RUN_START).run).toMatchObject({
      number: 1,
      total: null,
    });
  });
});

describe('a phase', () => {
  test('starts with its title, its rate, its goal and an empty history', () => {
    const { phase } = stateAfter(startEvent(), RUN_START, stepStart('read'));
    expect(phase).toMatchObject({ title: 'Sequential Read', primaryRate: 'bytes' });
    expect(phase?.goal).toEqual({ unit: 'bytes', amount: 1000 });
    expect(phase && latestPoint(phase.history)).toEqual({ seconds: 0, amount: 0 });
  });

  test.each([
    ['write', 300],
    ['iops', 21],
  ])('%s advances by the bytes or operations that its rate counts', (name, amount) => {
    const { phase } = stateAfter(
      startEvent(),
      stepStart(name),
      ...[1, 2, 3].map((second) => sample(name, second)),
    );
    expect(phase && latestPoint(phase.history)).toEqual({ seconds: 3, amount });
  });

  test('disappears when it ends, and starts at 0 in the next run', () => {
    const events = [startEvent(), stepStart('write'), sample('write', 5), PHASE_END];
    expect(stateAfter(...events)).toEqual(IDLE);
    const { phase } = stateAfter(...events, stepStart('write'));
    expect(phase && latestPoint(phase.history).amount).toBe(0);
  });
});

describe('an activity between phases', () => {
  test('has its start time and the phase that it prepares', () => {
    const state = stateAfter(startEvent(), stepStart('read'), DROPPING_CACHE);
    expect(state.activity).toEqual({ name: 'dropping-cache', sinceMs: 2000 });
    expect(state.phase?.title).toBe('Sequential Read');
  });

  test.each<RunEvent>([sample('read', 1), PHASE_END, stepStart('read')])('disappears at $type', (event) => {
    expect(stateAfter(startEvent(), stepStart('read'), DROPPING_CACHE, event).activity).toBeNull();
  });

  test('belongs to no phase at the end, even after a stopped phase', () => {
    const state = stateAfter(startEvent({ runs: 3 }), RUN_START, stepStart('read'), sample('read', 1), {
      type: 'activity',
      activity: 'removing',
    });
    expect(state).toEqual({ ...IDLE, activity: { name: 'removing', sinceMs: 4000 } });
  });
});

test('the state is idle after the end', () => {
  const events = [startEvent({ runs: 2 }), RUN_START, stepStart('write'), sample('write', 1)];
  expect(
    stateAfter(...events, { type: 'run-end', run: 1, result: runWith(), report: reportWith() }).phase,
  ).toBeNull();
  expect(stateAfter(...events, { type: 'end', report: reportWith() })).toEqual(IDLE);
});

/** Returns the history after these amounts, added at one per interval. */
function historyOf(amounts: readonly number[], interval = 0.1): ProgressHistory {
  let history = EMPTY_HISTORY;
  let amount = 0;
  for (const [at, added] of amounts.entries()) {
    amount += added;
    history = addProgress(history, { seconds: (at + 1) * interval, amount });
  }
  return history;
}

function repeat(count: number, amount: number): readonly number[] {
  return Array.from({ length: count }, () => amount);
}

describe('recentRate', () => {
  test('covers the time since the start if the phase is shorter', () => {
    expect(recentRate(historyOf([10, 30]), 1)).toBeCloseTo(200);
  });

  test('covers the last seconds exactly, even in a long phase', () => {
    expect(recentRate(historyOf([...repeat(50, 20), ...repeat(50, 10)]), 5)).toBeCloseTo(100);
    expect(recentRate(historyOf([...repeat(900, 20), ...repeat(50, 10)]), 5)).toBeCloseTo(100);
  });
});

test('the history still covers the start after hours, with bounded memory', () => {
  const history = historyOf([...repeat(36_000, 40), ...repeat(36_000, 10)]);
  expect(history.length).toBeLessThan(1000);
  const tens = resampleRates(history, 4).map((rate) => Math.round(rate / 10) * 10);
  expect(tens).toEqual([400, 400, 100, 100]);
});
