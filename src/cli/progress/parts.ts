import { endOf } from '../../format/writing/width.js';
import type { Activity, Left } from '../../report/events/event.js';
import { harmless } from '../../text/escape.js';
import { byteUnitOf, counted, MB, MS_PER_SECOND, showBytes } from '../../text/units.js';
import { latestOf, rateOver } from './pace.js';
import type { PhaseProgress, ProgressState } from './state.js';

/** The texts that the line can show; one that is missing is left out. */
export interface Parts {
  readonly subject?: string;
  readonly run?: string;
  readonly title?: string;
  /** A shorter title. */
  readonly name?: string;
  readonly percent?: string;
  readonly amount?: string;
  readonly rate?: string;
  readonly left?: string;
  readonly activity?: string;
  readonly since?: string;
}

const PERCENT = 100;
const SECONDS_PER_MINUTE = 60;
const MINUTES_PER_HOUR = 60;
/** The rate shown is that of the last second; the time left is estimated from five. */
const NOW_SECONDS = 1;
const SOON_SECONDS = 5;
/** From here on, numbers have no decimals. */
const MANY = 100;
/** Fixed widths, so that nothing to the right moves. */
const BYTE_RATE_WIDTH = 5;
const OPERATION_RATE_WIDTH = 7;
const CLOCK_WIDTH = 5;
const SUBJECT_WIDTH = 24;

const ACTIVITY_LABELS: Readonly<Record<Activity, string>> = {
  preparing: 'preparing',
  'emptying-cache': 'emptying the page cache',
  syncing: 'syncing to the device',
  removing: 'removing the files',
};

export function partsOf({ subject, run, phase, activity }: ProgressState, nowMs: number): Parts {
  return {
    ...(subject !== null && { subject: endOf(harmless(subject), SUBJECT_WIDTH) }),
    ...(run && run.number > 0 && { run: runText(run, nowMs) }),
    ...(phase && { title: phase.title, name: phase.name }),
    ...(phase && !activity && figuresOf(phase)),
    ...(activity && {
      activity: `${ACTIVITY_LABELS[activity.name]}${leftOf(activity.remaining)}`,
      ...sinceOf((nowMs - activity.sinceMs) / MS_PER_SECOND),
    }),
  };
}

function leftOf(left: Left | undefined): string {
  if (!left || left.bytes + left.files === 0) return '';
  return `: ${left.bytes > 0 ? showBytes(left.bytes) : counted(left.files, 'file')} left`;
}

/** `run 2/5, 3:10 left`, `run 4, ± 12 % of 5 %`. */
function runText(
  { number, total, endsMs, interval }: NonNullable<ProgressState['run']>,
  nowMs: number,
): string {
  const count = `run ${number}${total === null ? '' : `/${total}`}`;
  if (interval) return `${count}, ± ${interval.percent.toFixed(0)} % of ${interval.goalPercent} %`;
  if (endsMs === undefined) return count;
  return `${count}, ${clockText(Math.max(0, Math.ceil((endsMs - nowMs) / MS_PER_SECOND)))} left`;
}

/** Less than a second would be gone before it is read. */
function sinceOf(seconds: number): Parts {
  return seconds < 1 ? {} : { since: `${Math.floor(seconds)} s` };
}

/** From 0 to 1. */
export function shareOf(phase: PhaseProgress): number {
  const { amount, timeLimitSeconds } = phase.goal;
  const ofTime = timeLimitSeconds === undefined ? 0 : latestOf(phase.pace).seconds / timeLimitSeconds;
  return Math.min(1, Math.max(doneOf(phase) / amount, ofTime));
}

function figuresOf(phase: PhaseProgress): Parts {
  return {
    percent: `${String(Math.floor(shareOf(phase) * PERCENT)).padStart(3)} %`,
    amount: amountText(phase),
    rate: rateText(phase),
    left: leftText(phase),
  };
}

/** In the unit of the goal. */
function doneOf({ goal, pace }: PhaseProgress): number {
  const { seconds, amount } = latestOf(pace);
  return goal.unit === 'seconds' ? seconds : amount;
}

/** `230 of 512 MiB`. */
function amountText(phase: PhaseProgress): string {
  const { unit, amount: goal } = phase.goal;
  const { name, size } =
    unit === 'bytes' ? byteUnitOf(goal) : { name: unit === 'seconds' ? 's' : '', size: 1 };
  const isWhole = unit === 'operations' || goal / size >= MANY;
  const all = String(Number((goal / size).toFixed(isWhole ? 0 : 1)));
  const done = (Math.min(doneOf(phase), goal) / size).toFixed(isWhole ? 0 : 1);
  return `${done.padStart(all.length)} of ${all} ${name}`.trimEnd();
}

function rateText({ primaryRate, pace }: PhaseProgress): string {
  const rate = rateOver(pace, NOW_SECONDS) ?? 0;
  if (primaryRate === 'operations') return `${rate.toFixed(0).padStart(OPERATION_RATE_WIDTH)}/s`;
  const megabytes = rate / MB;
  return `${megabytes.toFixed(megabytes < MANY ? 1 : 0).padStart(BYTE_RATE_WIDTH)} MB/s`;
}

function leftText(phase: PhaseProgress): string {
  const { unit, amount: goal, timeLimitSeconds = Number.POSITIVE_INFINITY } = phase.goal;
  const perSecond = unit === 'seconds' ? 1 : rateOver(phase.pace, SOON_SECONDS);
  const untilCut = Math.max(0, timeLimitSeconds - latestOf(phase.pace).seconds);
  const seconds = Math.min(untilCut, Math.max(0, goal - doneOf(phase)) / (perSecond || 0));
  return `${(Number.isFinite(seconds) ? clockText(Math.ceil(seconds)) : '-:--').padStart(CLOCK_WIDTH)} left`;
}

/** `0:07`, `12:34`, `1:02:03`. */
function clockText(seconds: number): string {
  const twoDigits = (count: number) => String(count).padStart(2, '0');
  const minutes = Math.floor(seconds / SECONDS_PER_MINUTE);
  const hours = Math.floor(minutes / MINUTES_PER_HOUR);
  const rest = twoDigits(seconds % SECONDS_PER_MINUTE);
  return hours > 0 ? `${hours}:${twoDigits(minutes % MINUTES_PER_HOUR)}:${rest}` : `${minutes}:${rest}`;
}
