import { stripVTControlCharacters } from 'node:util';
import { sparkline } from '../../format/human/dot-plot.js';
import type { Screen } from '../../format/human/screen.js';
import type { Activity } from '../../report/events/event-record.js';
import { resampleRates } from '../../report/measure/progress.js';
import { minMax, WIDEST_MARGIN_PERCENT } from '../../report/statistics/statistics.js';
import { sanitize } from '../../text/escape.js';
import { chooseByteUnit, formatNs, MB, MS_PER_SECOND } from '../../text/units.js';
import { displayWidth, truncateStart } from '../../text/width.js';
import { latestPoint, type PhaseProgress, type ProgressState, type RunCounter, recentRate } from './state.js';

const GAP = '  ';
const BAR_CELLS = 20;
/** The line shows the rate of the last second, but estimates the remaining time from five seconds. */
const RATE_WINDOW_SECONDS = 1;
const ESTIMATE_WINDOW_SECONDS = 5;
const NO_DECIMALS_FROM = 100;
/** Fixed widths keep the text to the right in place. */
const BYTE_RATE_WIDTH = 5;
const OPERATION_RATE_WIDTH = 7;
const CLOCK_WIDTH = 5;
const DIRECTORY_WIDTH = 24;

const ACTIVITY_LABELS: Readonly<Record<Activity, string>> = {
  preparing: 'preparing',
  pausing: 'pausing',
  'waiting-for-space': 'waiting for free space',
  'dropping-cache': 'dropping the page cache',
  syncing: 'syncing to the device',
  removing: 'removing the files',
};

/** Returns a line that fits the screen, without a line end. Empty if there is nothing to show. */
export function progressLine(state: ProgressState, screen: Screen, nowMs: number): string {
  const pieces = [...linePieces(state, screen, nowMs)];
  // The last column remains empty, because some terminals wrap after it.
  const width = Math.max(0, screen.columns - 1);
  while (pieces.length > 1 && displayWidth(pieces.join(GAP)) > width) pieces.pop();
  const line = pieces.join(GAP);
  return displayWidth(line) <= width ? line : stripVTControlCharacters(line).slice(0, width);
}

/** Returns the pieces of the line, the most important first. Empty if nothing is in progress. */
function linePieces(state: ProgressState, screen: Screen, nowMs: number): readonly string[] {
  const { phase, activity } = state;
  const { faint } = screen.paint;
  const position = positionPieces(state, screen, nowMs);
  if (activity) {
    const label = ACTIVITY_LABELS[activity.name];
    const seconds = Math.floor((nowMs - activity.sinceMs) / MS_PER_SECOND);
    // Less than a second is too short to read.
    const duration = seconds < 1 ? [] : [faint(`${seconds} s`)];
    return [phase ? `${phase.title}: ${label}` : label, ...duration, ...position];
  }
  if (!phase) return [];
  if (phase.longest) {
    const latencies = phase.longest.map(({ latencyNs }) => latencyNs);
    const head = `up to ${formatNs(minMax(latencies).max)}`;
    const cells = Math.max(1, screen.columns - 1 - head.length - GAP.length);
    return [head, screen.paint.accent(sparkline(latencies.slice(-cells)))];
  }
  return [
    phase.title,
    `${String(Math.floor(completedShare(phase) * 100)).padStart(3)} %`,
    formatRate(phase),
    faint(formatRemainingTime(phase)),
    ...position,
    renderBar(phase, screen),
    faint(formatAmount(phase)),
  ];
}

function positionPieces({ directory, run }: ProgressState, { paint }: Screen, nowMs: number) {
  const pieces: string[] = [];
  if (directory !== null) pieces.push(truncateStart(sanitize(directory), DIRECTORY_WIDTH));
  if (run && run.number > 0) pieces.push(paint.faint(formatRun(run, nowMs)));
  return pieces;
}

/** Returns a progress bar whose completed part is a sparkline of the rates. */
function renderBar(phase: PhaseProgress, { paint }: Screen): string {
  const done = Math.max(1, Math.round(completedShare(phase) * BAR_CELLS));
  const remaining = '·'.repeat(BAR_CELLS - done);
  return paint.accent(sparkline(resampleRates(phase.history, done))) + paint.faint(remaining);
}

/** Formats `run 2/5, 3:10 left` or `run 4, ± 12 % of 5 %`. */
function formatRun({ number, total, expectedEndMs, interval }: RunCounter, nowMs: number): string {
  if (interval) {
    const { percent, goalPercent } = interval;
    const isWide = percent > WIDEST_MARGIN_PERCENT;
    const margin = isWide ? `over ${WIDEST_MARGIN_PERCENT}` : `± ${percent.toFixed(0)}`;
    return `run ${number}, ${margin} % of ${goalPercent} %`;
  }
  if (total === null || number > total) return `run ${number}`;
  if (expectedEndMs === undefined) return `run ${number}/${total}`;
  return `run ${number}/${total}, ${formatClock(Math.max(0, Math.ceil((expectedEndMs - nowMs) / MS_PER_SECOND)))} left`;
}

function completedShare(phase: PhaseProgress): number {
  const { amount, timeLimitSeconds } = phase.goal;
  const timeShare =
    timeLimitSeconds === undefined ? 0 : latestPoint(phase.history).seconds / timeLimitSeconds;
  return Math.min(1, Math.max(completedAmount(phase) / amount, timeShare));
}

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
  const rate = recentRate(history, RATE_WINDOW_SECONDS);
  if (primaryRate === 'operations') return `${rate.toFixed(0).padStart(OPERATION_RATE_WIDTH)}/s`;
  const megabytes = rate / MB;
  return `${megabytes.toFixed(megabytes < NO_DECIMALS_FROM ? 1 : 0).padStart(BYTE_RATE_WIDTH)} MB/s`;
}

function formatRemainingTime(phase: PhaseProgress): string {
  const { unit, amount: goal, timeLimitSeconds = Number.POSITIVE_INFINITY } = phase.goal;
  const perSecond = unit === 'seconds' ? 1 : recentRate(phase.history, ESTIMATE_WINDOW_SECONDS);
  const untilLimit = Math.max(0, timeLimitSeconds - latestPoint(phase.history).seconds);
  const seconds = Math.min(untilLimit, Math.max(0, goal - completedAmount(phase)) / perSecond);
  return `${(Number.isFinite(seconds) ? formatClock(Math.ceil(seconds)) : '-:--').padStart(CLOCK_WIDTH)} left`;
}

/** Formats `0:07`, `12:34` or `1:02:03`. */
export function formatClock(seconds: number): string {
  const twoDigits = (count: number) => String(count).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const rest = twoDigits(seconds % 60);
  return hours > 0 ? `${hours}:${twoDigits(minutes % 60)}:${rest}` : `${minutes}:${rest}`;
}
