import { isWithinLimit, regressionLimit } from '../../../compare/comparison.js';
import type {
  CommandComparison,
  CommandRun,
  CommandSide,
  Comparison,
  MetricChange,
} from '../../../compare/comparison-schema.js';
import { countRunsToAnswer } from '../../../compare/power.js';
import { averageRuns, minMax, sum } from '../../../report/statistics/statistics.js';
import { display, formatCommandLine, sanitize } from '../../../text/escape.js';
import { formatBytes, formatNs, NS_PER_SECOND, unsignedDecimal } from '../../../text/units.js';
import { describeFileServer } from '../sentences.js';
import { findRemedy, joinWithAnd, RECOMMENDED_RUNS } from './conclusion.js';

/** A first run that took this many times as long as the others did work that the others found done. */
const MUCH_LONGER = 2;
/** A cause of less than this share of a difference does not explain it. */
const NOTABLE_SHARE = 0.1;
const MAX_REPEATED_LENGTH = 30;

/** Returns the time of a command on each side and the reasons for the difference, by the means of the table. */
export function describeCommand(
  comparisons: readonly Comparison[],
  command: CommandComparison,
  isStopped = false,
) {
  const { sides, ioWaitOf, cache } = command;
  const [first, ...others] = sides;
  if (!first) return [];
  const pairs = comparisons.flatMap((comparison, at) => {
    const [change] = comparison.changes;
    const other = others[at];
    if (!change || !other) return [];
    const difference = describeDifference(first, other, change, regressionLimit(comparison), isStopped);
    return [`${sideText(first)}, ${sideText(other)}: ${difference}`];
  });
  const reason = cache.reason === null ? '' : ` (${cache.reason})`;
  const cacheSentence = `Before each run the page cache was ${CACHE_WORDS[cache.applied]}${reason}.`;
  const sentences = [...pairs, ...describeFirstRuns(command), cacheSentence];
  const shared = ioWaitOf === 'system' ? ['waits for I/O'] : [];
  if (sides.some(({ runs }) => runs.some((run) => run.deviceReads !== null))) shared.push('device rows');
  if (shared.length > 0)
    sentences.push(`The ${shared.join(' and ')} count all programs, not only this command.`);
  return sentences;
}

/** Returns the commands, and the files in which they run. */
export function describeSetup({ sides, prepare, copied }: CommandSetup): string {
  const names = new Set(sides.map(({ words }) => sanitize(formatCommandLine(words))));
  const after = prepare === null ? '' : ` after ${display(prepare)}`;
  const text = `${joinWithAnd([...names])}${after}`;
  const ending = names.size > 1 ? '' : 's';
  const where = names.size > 1 ? 'for each' : 'on each side';
  if (!copied) return `${text} start${ending} in an empty directory ${where}`;
  const { directory, entries, bytes } = copied;
  return `${text} run${ending} in a copy of ${display(directory)} ${where} (files and directories: ${entries}; ${formatBytes(bytes)})`;
}

type CommandSetup = Pick<CommandComparison, 'prepare' | 'copied'> & {
  readonly sides: readonly { readonly words: readonly string[] }[];
};

export const CACHE_WORDS = {
  drop: 'dropped',
  evict: "emptied of the copy's files, but not of other files and of directories",
  keep: 'kept',
};

/** `12.4 s (12.3 s to 12.5 s in 5 runs) in /dev/shm, which is memory`. */
function sideText(side: CommandSide): string {
  const memory = side.isMemory && !isCommand(side) ? ', which is memory' : '';
  return `${timeText(side)} ${preposition(side)} ${side.name}${memory}`;
}

/** True if the side stands for one of several commands in the same directory. */
function isCommand({ name, directory }: CommandSide): boolean {
  return name !== directory;
}

/** Returns the name of a side, without repeating a long command. */
function nameSide(side: CommandSide, first: CommandSide): string {
  if (!isCommand(side) || side.name.length <= MAX_REPEATED_LENGTH) return side.name;
  return side === first ? 'the former' : 'the latter';
}

/** `in /dev/shm`, but `for npm ci`. */
function preposition(side: CommandSide): string {
  return isCommand(side) ? 'for' : 'in';
}

function describeDifference(
  first: CommandSide,
  other: CommandSide,
  change: MetricChange,
  limit: number,
  isStopped: boolean,
) {
  const { significance, verdictIntervalPercent, intervalPercent, changePercent } = change;
  const isMixed = first.isMemory !== other.isMemory;
  if (significance === 'significant') {
    const [fast, slow] = first.meanSeconds < other.meanSeconds ? [first, other] : [other, first];
    if (isMixed && slow.isMemory)
      return `memory is slower than the disk here, so a faster disk saves nothing; ${describeCpu(slow)}.`;
    return describeSaving(fast, slow, first);
  }
  const elsewhere = isMixed ? describeWaitsElsewhere(first.isMemory ? first : other) : '';
  if (isWithinLimit(verdictIntervalPercent, limit) && intervalPercent) {
    // The range of the table.
    const { low, high } = intervalPercent;
    const most = `no difference of more than ${percent(Math.max(-low, high) / 100)} found`;
    if (first.runs.length < RECOMMENDED_RUNS)
      return `${most}: ${findRemedy(first.runs.length, 'rounds', null, isStopped)}.`;
    if (!isMixed || !isWithinLimit(verdictIntervalPercent)) return `${most}.`;
    return elsewhere
      ? `${most}. ${elsewhere}`
      : `${most}: the disk is not the reason; ${describeCpu(first)}.`;
  }
  const rounds = countRunsToAnswer(timesOf(first), timesOf(other), intervalPercent, limit);
  const remedy = findRemedy(first.runs.length, 'rounds', rounds, isStopped);
  if (first.runs.length === 1) return `${remedy}.`;
  const isLarge = changePercent !== null && Math.abs(changePercent) > limit;
  const undecided = isLarge
    ? `${nameSide(other, first)} was ${percent(Math.abs(changePercent) / 100)} ${changePercent < 0 ? 'faster' : 'slower'}, but this may be chance; ${remedy}.`
    : `no difference found, but one of ${limit} % is possible: ${remedy}.`;
  return [undecided, elsewhere].filter(Boolean).join(' ');
}

/** Names the waits in memory, which are for files elsewhere. Empty if there are hardly any. */
function describeWaitsElsewhere(memory: CommandSide): string {
  const waits = meanOf(memory, 'ioWaitSeconds');
  if (waits === null || waits < memory.meanSeconds * NOTABLE_SHARE) return '';
  return `In ${memory.name}, ${seconds(waits)} are waits for files outside the copy, which a faster disk may also shorten.`;
}

/** Returns the time that the faster side saves, and why. Only waits for I/O show that a faster disk could also save some of it. */
function describeSaving(fast: CommandSide, slow: CommandSide, first: CommandSide): string {
  const saved = slow.meanSeconds - fast.meanSeconds;
  const causes = findCauses(fast, slow, saved);
  const isDisk = fast.isMemory && slow.fileServer === null;
  const hasWaits = causes?.some(({ kind }) => kind === 'io-wait');
  const waits = sum(causes?.map((cause) => (cause.kind === 'cpu' ? 0 : cause.seconds)) ?? []);
  // The rest is CPU time.
  const shareText = (time: number) => `${seconds(time)} (${percent(time / slow.meanSeconds)})`;
  const most = waits < saved * (1 - NOTABLE_SHARE) ? ` ${seconds(waits)} of the difference of` : '';
  const subject =
    isDisk && hasWaits ? `a faster disk can save at most${most}` : `${nameSide(fast, first)} saves`;
  const isComputing = isDisk && causes?.every(({ kind }) => kind === 'cpu');
  const denial = isComputing ? ', of which a faster disk would save hardly any' : '';
  const reasons = causes?.map(({ text, seconds: time }) => `${text} ${seconds(time)} longer`) ?? [];
  const place = `${preposition(slow)} ${nameSide(slow, first)}`;
  const reason = reasons.length === 0 ? '' : `: ${place}, ${joinWithAnd(reasons)}`;
  const elsewhere = isDisk ? describeWaitsElsewhere(fast) : '';
  const sentence = `${subject} ${shareText(saved)}${denial}${reason}; ${describeCpu(slow, isCommand(slow) ? nameSide(slow, first) : 'the command')}.`;
  if (slow.fileServer === null || isCommand(slow)) return [sentence, elsewhere].filter(Boolean).join(' ');
  const server = describeFileServer(slow.fileServer, slow.directory, slow.filesystem ?? '');
  return `${sentence} ${server.charAt(0).toUpperCase()}${server.slice(1)}`;
}

/**
 * Returns the causes that take at least a tenth of the difference longer on the slower side, the longest first. Processes
 * on several CPUs may take longer than the difference. Null if a cause is not counted.
 */
function findCauses(fast: CommandSide, slow: CommandSide, saved: number) {
  const growth = (name: 'ioWaitSeconds' | 'systemCpuSeconds' | 'cpuSeconds') => {
    const before = meanOf(fast, name);
    const after = meanOf(slow, name);
    return before === null || after === null ? null : after - before;
  };
  const waits = growth('ioWaitSeconds');
  const calls = growth('systemCpuSeconds');
  const cpu = growth('cpuSeconds');
  if (waits === null || calls === null || cpu === null) return null;
  const rest = saved - Math.max(0, waits) - Math.max(0, cpu);
  return [
    { text: 'waits for I/O take', seconds: waits, kind: 'io-wait' },
    { text: "the filesystem's calls compute", seconds: calls, kind: 'cpu' },
    { text: 'the command itself computes', seconds: cpu - calls, kind: 'cpu' },
    // The kernel does not count all waits for a journal as waits for I/O.
    {
      text: 'other waits, such as for a sync, another process or a busy CPU, take',
      seconds: rest,
      kind: 'other',
    },
  ]
    .filter((cause) => cause.seconds >= saved * NOTABLE_SHARE)
    .toSorted((one, other) => other.seconds - one.seconds);
}

/** Returns the mean that the table shows. Null if a run lacks it. */
function meanOf({ runs }: CommandSide, name: keyof CommandRun): number | null {
  const known = runs.map((run) => run[name]).filter((value) => value !== null);
  return known.length === 0 || known.length < runs.length ? null : averageRuns(known);
}

function describeCpu(side: CommandSide, subject = 'the command'): string {
  const cpu = meanOf(side, 'cpuSeconds');
  if (cpu === null) return `the CPU time of ${subject} is unknown or too short to be counted`;
  return `${subject} takes ${seconds(cpu)} of CPU time${cpu > side.meanSeconds ? ' on several CPUs' : ''}`;
}

function describeFirstRuns({ sides, prepare }: CommandComparison): readonly string[] {
  const long = sides.filter((side) => side.firstRunSeconds > MUCH_LONGER * side.meanSeconds);
  if (long.length === 0) return [];
  const times = long.map((side) => `${seconds(side.firstRunSeconds)} ${preposition(side)} ${side.name}`);
  const reason =
    prepare === null
      ? 'if later runs find their work done, undo it with --prepare'
      : 'later runs find filled caches, or --prepare does not undo all of their work';
  return [`The first run, which does not count, took ${times.join(' and ')}: ${reason}.`];
}

/** `12.4 s (12.3 s to 12.5 s in 5 runs)`. */
function timeText(side: CommandSide): string {
  const times = timesOf(side);
  const mean = seconds(side.meanSeconds);
  if (times.length === 1) return `${mean} in a single run`;
  const { min, max } = minMax(times);
  return `${mean} (${seconds(min)} to ${seconds(max)} in ${times.length} runs)`;
}

function timesOf({ runs }: CommandSide): readonly number[] {
  return runs.map((run) => run.seconds);
}

function seconds(value: number): string {
  return formatNs(value * NS_PER_SECOND);
}

function percent(share: number): string {
  return `${unsignedDecimal(share * 100)} %`;
}
