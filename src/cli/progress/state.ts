import type { Phase } from '../../../workers/phases/phase.js';
import type { Activity, RunEvent, StepGoal } from '../../report/events/event-record.js';
import { PROGRESS_START, type ProgressPoint, rateBetween } from '../../report/measure/progress.js';
import type { TimedOperation } from '../../report/schema/measurement-schema.js';
import type { Report } from '../../report/schema/report.js';
import { computeMarginsPercent } from '../../report/statistics/step-statistics.js';
import { MS_PER_SECOND } from '../../text/units.js';

export interface ProgressState extends RunPosition {
  readonly phase: PhaseProgress | null;
  readonly activity: { readonly name: Activity; readonly sinceMs: number } | null;
}

export interface RunPosition {
  /** The directory, or null if only one is measured. */
  readonly directory: string | null;
  /** Null for a single run. */
  readonly run: RunCounter | null;
}

export interface RunCounter {
  readonly number: number;
  /** Null if unknown before the end. A comparison may need more runs. */
  readonly total: number | null;
  readonly startMs?: number;
  /** Estimated end of the last run, based on the completed runs. */
  readonly expectedEndMs?: number;
  /** For --until-stable: width of the widest interval, and its limit. */
  readonly interval?: { readonly percent: number; readonly goalPercent: number };
}

export interface PhaseProgress extends Pick<Phase, 'title' | 'primaryRate'> {
  readonly goal: StepGoal;
  /** History of the bytes or operations that its rate counts. */
  readonly history: ProgressHistory;
  /** The longest operation of each second with one, in the last minute of a step with pauses. */
  readonly longest?: readonly SecondMaximum[];
}

interface SecondMaximum {
  readonly second: number;
  readonly latencyNs: number;
}

export const IDLE: ProgressState = { directory: null, run: null, phase: null, activity: null };

export function updateProgress(state: ProgressState, event: RunEvent, nowMs: number): ProgressState {
  switch (event.type) {
    case 'start': {
      const { runs, minimumSeconds, untilStablePercent } = event.report.options;
      const run = initialRunCounter(runs, minimumSeconds > 0 || untilStablePercent !== null, 0);
      return { ...IDLE, run: run && { ...run, startMs: nowMs } };
    }
    case 'run-start':
      return { ...state, run: state.run && { ...state.run, number: event.run } };
    case 'activity': {
      // Removing the files belongs to no phase, even after a stopped phase.
      const base = event.activity === 'removing' ? IDLE : state;
      return { ...base, activity: { name: event.activity, sinceMs: nowMs } };
    }
    case 'step-start': {
      const { title, primaryRate, goal } = event;
      return { ...state, phase: { title, primaryRate, goal, history: EMPTY_HISTORY }, activity: null };
    }
    case 'sample': {
      const { phase } = state;
      if (!phase) return { ...state, activity: null };
      const point = { seconds: event.seconds, amount: event[phase.primaryRate] };
      const history = addProgress(phase.history, point);
      const longest = event.recent && { longest: addMaxima(phase.longest ?? [], event.recent) };
      return { ...state, phase: { ...phase, history, ...longest }, activity: null };
    }
    case 'step-end':
      return { ...state, phase: null, activity: null };
    case 'run-end': {
      const run = state.run && updateRunCounter(state.run, event.report, nowMs);
      return { ...state, run, phase: null, activity: null };
    }
    case 'end':
      return IDLE;
    default:
      return state;
  }
}

/** Returns null if only one run was requested. `isOpen`: more runs than requested may follow. */
export function initialRunCounter(runs: number, isOpen: boolean, number: number): RunCounter | null {
  return runs > 1 || isOpen ? { number, total: isOpen ? null : runs } : null;
}

function updateRunCounter(run: RunCounter, report: Report, nowMs: number): RunCounter {
  const { untilStablePercent } = report.options;
  const done = report.runs.length;
  const { startMs = nowMs, total } = run;
  const reachedPercents = computeMarginsPercent(report.runs).filter((percent) => percent !== null);
  return {
    ...run,
    ...(total !== null && { expectedEndMs: nowMs + ((nowMs - startMs) / done) * (total - done) }),
    ...(untilStablePercent !== null &&
      reachedPercents.length > 0 && {
        interval: { percent: Math.max(...reachedPercents), goalPercent: untilStablePercent },
      }),
  };
}

const SHOWN_SECONDS = 60;

function addMaxima(before: readonly SecondMaximum[], operations: readonly TimedOperation[]) {
  const maxima = new Map(before.map(({ second, latencyNs }) => [second, latencyNs]));
  for (const { time, latencyNs } of operations) {
    const second = Math.floor(Date.parse(time) / MS_PER_SECOND);
    maxima.set(second, Math.max(latencyNs, maxima.get(second) ?? 0));
  }
  return Array.from(maxima, ([second, latencyNs]) => ({ second, latencyNs })).filter(
    ({ second }, _, all) => second > (all.at(-1)?.second ?? 0) - SHOWN_SECONDS,
  );
}

export type ProgressHistory = readonly ProgressPoint[];

const MAX_POINTS = 600;
/** A history that is full keeps a point in each of as many parts of the time. */
const KEPT_PARTS = 128;
/** A history that is full keeps all points of the last seconds, which give the current rate. */
const RECENT_SECONDS = 6;

export const EMPTY_HISTORY: ProgressHistory = [PROGRESS_START];

export function addProgress(history: ProgressHistory, point: ProgressPoint): ProgressHistory {
  const kept = history.length < MAX_POINTS ? history : thin(history, point.seconds);
  return [...kept, point];
}

function thin(history: ProgressHistory, seconds: number): ProgressHistory {
  const part = (at: number) => Math.floor(((history[at]?.seconds ?? -1) / seconds) * KEPT_PARTS);
  return history.filter((point, at) => point.seconds > seconds - RECENT_SECONDS || part(at) !== part(at - 1));
}

export function latestPoint(history: ProgressHistory): ProgressPoint {
  return history.at(-1) ?? PROGRESS_START;
}

/** Returns the rate of the last `seconds`. 0 before the first point. */
export function recentRate(history: ProgressHistory, seconds: number): number {
  const last = latestPoint(history);
  const before = history.findLast((point) => point.seconds <= last.seconds - seconds) ?? PROGRESS_START;
  return rateBetween(before, last);
}
