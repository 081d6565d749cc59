import { phaseNamed } from '../../../workers/phases/catalogue.js';
import type { Phase } from '../../../workers/phases/phase.js';
import type { Activity, Goal, Left, RunEvent } from '../../report/events/event.js';
import type { Report } from '../../report/schema/report.js';
import { reachesPercentOf } from '../../report/statistics/figures.js';
import { AT_START, type Pace, paceAfter } from './pace.js';

/** What a run is doing, and how far it is. */
export interface ProgressState extends Course {
  readonly phase: PhaseProgress | null;
  readonly activity: {
    readonly name: Activity;
    readonly sinceMs: number;
    readonly remaining?: Left | undefined;
  } | null;
}

/** Which of the runs it is. */
export interface Course {
  /** The directory, if several are measured. */
  readonly subject: string | null;
  /** Null if there is only one. */
  readonly run: RunCount | null;
}

interface RunCount {
  readonly number: number;
  /** Null if it is not known before the end. */
  readonly total: number | null;
  readonly startMs?: number;
  /** When the last run will end, by those that are complete. */
  readonly endsMs?: number;
  /** For --until-stable: how wide the widest interval is, and how wide it may be. */
  readonly interval?: { readonly percent: number; readonly goalPercent: number };
}

export interface PhaseProgress extends Pick<Phase, 'name' | 'title' | 'primaryRate'> {
  readonly goal: Goal;
  /** Of the bytes or operations that its figure counts. */
  readonly pace: Pace;
}

export const IDLE: ProgressState = { subject: null, run: null, phase: null, activity: null };

/** The state after an event. */
export function progressAfter(state: ProgressState, event: RunEvent, nowMs: number): ProgressState {
  switch (event.type) {
    case 'start':
      return { ...IDLE, run: startedAt(nowMs, runOf(event.report.options, 0)) };
    case 'run-start':
      return { ...state, run: state.run && { ...state.run, number: event.run } };
    case 'activity': {
      // Removing the files belongs to no phase, even if one was stopped.
      const of = event.activity === 'removing' ? IDLE : state;
      // What is left is news about an activity that has begun.
      const sinceMs = event.remaining ? (state.activity?.sinceMs ?? nowMs) : nowMs;
      return { ...of, activity: { name: event.activity, sinceMs, remaining: event.remaining } };
    }
    case 'phase-start': {
      const { name, title, primaryRate } = phaseNamed(event.phase);
      return {
        ...state,
        phase: { name, title, primaryRate, goal: event.goal, pace: AT_START },
        activity: null,
      };
    }
    case 'sample':
      return { ...state, phase: state.phase && phaseAfter(state.phase, event), activity: null };
    case 'phase-end':
      return { ...state, phase: null, activity: null };
    case 'run-end':
      return {
        ...state,
        run: state.run && runAfter(state.run, event.report, nowMs),
        phase: null,
        activity: null,
      };
    case 'end':
      return IDLE;
    default:
      return state;
  }
}

/** Null if only one run was asked for. */
export function runOf(
  { runs, minimumSeconds, untilStablePercent }: Report['options'],
  number: number,
): RunCount | null {
  const isOpen = minimumSeconds > 0 || untilStablePercent !== null;
  return runs > 1 || isOpen ? { number, total: isOpen ? null : runs } : null;
}

function startedAt(startMs: number, run: RunCount | null): RunCount | null {
  return run && { ...run, startMs };
}

/** What the complete runs say of the whole. */
function runAfter(run: RunCount, report: Report, nowMs: number): RunCount {
  const { untilStablePercent } = report.options;
  const done = report.runs.length;
  const { startMs = nowMs, total } = run;
  const known = untilStablePercent === null ? [] : reachesPercentOf(report);
  return {
    ...run,
    ...(total !== null && { endsMs: nowMs + ((nowMs - startMs) / done) * (total - done) }),
    ...(untilStablePercent !== null &&
      known.length > 0 && { interval: { percent: Math.max(...known), goalPercent: untilStablePercent } }),
  };
}

function phaseAfter(
  phase: PhaseProgress,
  { seconds, bytes, operations }: Extract<RunEvent, { type: 'sample' }>,
): PhaseProgress {
  const amount = phase.primaryRate === 'bytes' ? bytes : operations;
  return { ...phase, pace: paceAfter(phase.pace, { seconds, amount }) };
}
