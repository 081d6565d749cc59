import type { Activity } from '../../report/events/event.js';
import { sanitize } from '../../text/escape.js';
import { chooseByteUnit, MB, MS_PER_SECOND } from '../../text/units.js';
import { truncateStart } from '../../text/width.js';
import { latestPoint, recentRate } from './history.js';
import type { PhaseProgress, ProgressState } from './state.js';

/** A part of the progress line: a text or a progress bar. */
export type LinePiece =
  | { readonly text: string; readonly isFaint?: boolean }
  | { readonly bar: PhaseProgress };

const PERCENT = 100;
const SECONDS_PER_MINUTE = 60;
const MINUTES_PER_HOUR = 60;
/** The line shows the rate of the last second, but estimates the remaining time from five seconds. */
const RATE_WINDOW_SECONDS = 1;
const ESTIMATE_WINDOW_SECONDS = 5;
/** Numbers from this value on have no decimals. */
const NO_DECIMALS_FROM = 100;
/** Fixed widths keep the text to the right in place. */
const BYTE_RATE_WIDTH = 5;
const OPERATION_RATE_WIDTH = 7;
const CLOCK_WIDTH = 5;
const DIRECTORY_WIDTH = 24;

const ACTIVITY_LABELS: Readonly<Record<Activity, string>> = {
  preparing: 'preparing',
  'waiting-for-space': 'waiting for free space',
  'dropping-cache': 'dropping the page cache',
  syncing: 'syncing to the device',
  removing: 'removing the files',
};

/** Returns the pieces of the progress line, the most important first. Empty if nothing is in progress. */
export function linePieces(state: ProgressState, nowMs: number): readonly LinePiece[] {
  const { phase, activity } = state;
  if (activity) return [...activityPieces(activity, phase, nowMs), ...positionPieces(state, nowMs)];
  if (!phase) return [];
  return [
    { text: phase.title },
    { text: formatPercent(phase) },
    { text: formatRate(phase) },
    { text: formatRemainingTime(phase), isFaint: true },
    ...positionPieces(state, nowMs),
    { bar: phase },
    { text: formatAmount(phase), isFaint: true },
  ];
}

function activityPieces(
  { name, sinceMs }: NonNullable<ProgressState['activity']>,
  phase: PhaseProgress | null,
  nowMs: number,
): readonly LinePiece[] {
  const label = ACTIVITY_LABELS[name];
  const text = phase ? `${phase.title}: ${label}` : label;
  const seconds = Math.floor((nowMs - sinceMs) / MS_PER_SECOND);
  // Less than a second is too short to read.
  return seconds < 1 ? [{ text }] : [{ text }, { text: `${seconds} s`, isFaint: true }];
}

/** Returns the directory and the run, if there are several. */
function positionPieces({ directory, run }: ProgressState, nowMs: number): readonly LinePiece[] {
  const pieces: LinePiece[] = [];
  if (directory !== null) pieces.push({ text: truncateStart(sanitize(directory), DIRECTORY_WIDTH) });
  if (run && run.number > 0) pieces.push({ text: formatRun(run, nowMs), isFaint: true });
  return pieces;
}

/** Formats `run 2/5, 3:10 left` or `run 4, ± 12 % of 5 %`. */
function formatRun(
  { number, total, expectedEndMs, interval }: NonNullable<ProgressState['run']>,
  nowMs: number,
): string {
  const count = `run ${number}${total === null ? '' : `/${total}`}`;
  if (interval) return `${count}, ± ${interval.percent.toFixed(0)} % of ${interval.goalPercent} %`;
  if (expectedEndMs === undefined) return count;
  return `${count}, ${formatClock(Math.max(0, Math.ceil((expectedEndMs - nowMs) / MS_PER_SECOND)))} left`;
}

/** Returns a share from 0 to 1. */
export function completedShare(phase: PhaseProgress): number {
  const { amount, timeLimitSeconds } = phase.goal;
  const timeShare =
    timeLimitSeconds === undefined ? 0 : latestPoint(phase.history).seconds / timeLimitSeconds;
  return Math.min(1, Math.max(completedAmount(phase) / amount, timeShare));
}

function formatPercent(phase: PhaseProgress): string {
  return `${String(Math.floor(completedShare(phase) * PERCENT)).padStart(3)} %`;
}

/** Returns the amount in the unit of the goal. */
function completedAmount({ goal, history }: PhaseProgress): number {
  const { seconds, amount } = latestPoint(history);
  return goal.unit === 'seconds' ? seconds : amount;
}

/** Formats `230 of 512 MiB`. */
function formatAmount(phase: PhaseProgress): string {
  const { unit, amount: goal } = phase.goal;
  const { name, size } =
    unit === 'bytes' ? chooseByteUnit(goal) : { name: unit === 'seconds' ? 's' : '', size: 1 };
  const isWhole = unit === 'operations' || goal / size >= NO_DECIMALS_FROM;
  const total = String(Number((goal / size).toFixed(isWhole ? 0 : 1)));
  const done = (Math.min(completedAmount(phase), goal) / size).toFixed(isWhole ? 0 : 1);
  return `${done.padStart(total.length)} of ${total} ${name}`.trimEnd();
}

function formatRate({ primaryRate, history }: PhaseProgress): string {
  const rate = recentRate(history, RATE_WINDOW_SECONDS) ?? 0;
  if (primaryRate === 'operations') return `${rate.toFixed(0).padStart(OPERATION_RATE_WIDTH)}/s`;
  const megabytes = rate / MB;
  return `${megabytes.toFixed(megabytes < NO_DECIMALS_FROM ? 1 : 0).padStart(BYTE_RATE_WIDTH)} MB/s`;
}

function formatRemainingTime(phase: PhaseProgress): string {
  const { unit, amount: goal, timeLimitSeconds = Number.POSITIVE_INFINITY } = phase.goal;
  const perSecond = unit === 'seconds' ? 1 : recentRate(phase.history, ESTIMATE_WINDOW_SECONDS);
  const untilLimit = Math.max(0, timeLimitSeconds - latestPoint(phase.history).seconds);
  const seconds = Math.min(untilLimit, Math.max(0, goal - completedAmount(phase)) / (perSecond || 0));
  return `${(Number.isFinite(seconds) ? formatClock(Math.ceil(seconds)) : '-:--').padStart(CLOCK_WIDTH)} left`;
}

/** Formats `0:07`, `12:34` or `1:02:03`. */
function formatClock(seconds: number): string {
  const twoDigits = (count: number) => String(count).padStart(2, '0');
  const minutes = Math.floor(seconds / SECONDS_PER_MINUTE);
  const hours = Math.floor(minutes / MINUTES_PER_HOUR);
  const rest = twoDigits(seconds % SECONDS_PER_MINUTE);
  return hours > 0 ? `${hours}:${twoDigits(minutes % MINUTES_PER_HOUR)}:${rest}` : `${minutes}:${rest}`;
}
