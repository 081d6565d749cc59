import type { Phase } from '../../../workers/phases/phase.js';
import { getPhase } from '../../../workers/phases/phase-catalogue.js';
import type { Activity, PhaseGoal, RemainingFiles, RunEvent } from '../../report/events/event.js';
import type { Report } from '../../report/schema/report.js';
import { computeMarginsPercent } from '../../report/statistics/figures.js';
import { addProgress, EMPTY_HISTORY, type ProgressHistory } from './history.js';

/** What a run is doing, and how far it is. */
export interface ProgressState extends RunPosition {
  readonly phase: PhaseProgress | null;
  readonly activity: {
    readonly name: Activity;
    readonly sinceMs: number;
    readonly remaining?: RemainingFiles | undefined;
  } | null;
}

/** Which of the runs it is. */
export interface RunPosition {
  /** The directory, if several are measured. */
  readonly directory: string | null;
  /** Null if there is only one. */
  readonly run: RunCounter | null;
}

interface RunCounter {
  readonly number: number;
  /** Null if it is not known before the end. */
  readonly total: number | null;
  readonly startMs?: number;
  /** When the last run will end, by those that are complete. */
  readonly expectedEndMs?: number;
  /** For --until-stable: how wide the widest interval is, and how wide it may be. */
  readonly interval?: { readonly percent: number; readonly goalPercent: number };
}

export interface PhaseProgress extends Pick<Phase, 'name' | 'title' | 'primaryRate'> {
  readonly goal: PhaseGoal;
  /** Of the bytes or operations that its figure counts. */
  readonly history: ProgressHistory;
}

export const IDLE: ProgressState = { directory: null, run: null, phase: null, activity: null };

/** The state after an event. */
export function updateProgress(state: ProgressState, event: RunEvent, nowMs: number): ProgressState {
  switch (event.type) {
    case 'start':
      return { ...IDLE, run: withStartTime(nowMs, initialRunCounter(event.report.options, 0)) };
    case 'run-start':
      return { ...state, run: state.run && { ...state.run, number: event.run } };
    case 'activity': {
      // Removing the files belongs to no phase, even if one was stopped.
      const base = event.activity === 'removing' ? IDLE : state;
      // What is left is news about an activity that has begun.
      const sinceMs = event.remaining ? (state.activity?.sinceMs ?? nowMs) : nowMs;
      return { ...base, activity: { name: event.activity, sinceMs, remaining: event.remaining } };
    }
    case 'phase-start': {
      const { name, title, primaryRate } = getPhase(event.phase);
      return {
        ...state,
        phase: { name, title, primaryRate, goal: event.goal, history: EMPTY_HISTORY },
        activity: null,
      };
    }
    case 'sample':
      return { ...state, phase: state.phase && updatePhase(state.phase, event), activity: null };
    case 'phase-end':
      return { ...state, phase: null, activity: null };
    case 'run-end':
      return {
        ...state,
        run: state.run && updateRunCounter(state.run, event.report, nowMs),
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
export function initialRunCounter(
  { runs, minimumSeconds, untilStablePercent }: Report['options'],
  number: number,
): RunCounter | null {
  const isOpen = minimumSeconds > 0 || untilStablePercent !== null;
  return runs > 1 || isOpen ? { number, total: isOpen ? null : runs } : null;
}

function withStartTime(startMs: number, run: RunCounter | null): RunCounter | null {
  return run && { ...run, startMs };
}

/** What the complete runs say of the whole. */
function updateRunCounter(run: RunCounter, report: Report, nowMs: number): RunCounter {
  const { untilStablePercent } = report.options;
  const done = report.runs.length;
  const { startMs = nowMs, total } = run;
  const reachedPercents = untilStablePercent === null ? [] : computeMarginsPercent(report);
  return {
    ...run,
    ...(total !== null && { expectedEndMs: nowMs + ((nowMs - startMs) / done) * (total - done) }),
    ...(untilStablePercent !== null &&
      reachedPercents.length > 0 && {
        interval: { percent: Math.max(...reachedPercents), goalPercent: untilStablePercent },
      }),
  };
}

function updatePhase(
  phase: PhaseProgress,
  { seconds, bytes, operations }: Extract<RunEvent, { type: 'sample' }>,
): PhaseProgress {
  const amount = phase.primaryRate === 'bytes' ? bytes : operations;
  return { ...phase, history: addProgress(phase.history, { seconds, amount }) };
}
