import { DEFAULT_MAX_REGRESSION_PERCENT, isWithinLimit } from '../../compare/comparison.js';
import type {
  CommandComparison,
  CommandSide,
  Comparison,
  MetricChange,
} from '../../compare/comparison-schema.js';
import { averageRuns } from '../../report/statistics/statistics.js';
import { display } from '../../text/escape.js';
import { formatBytes, formatNs, NS_PER_SECOND } from '../../text/units.js';
import { findRemedy, WIDEST_RATIO } from './conclusion.js';

/** A first run that took this many times as long as the others did work that the others found done. */
const MUCH_LONGER = 2;

/** Says how long a command took on each side, and what a faster disk would save. Never more than was shown. */
export function describeCommand(comparisons: readonly Comparison[], command: CommandComparison) {
  const { sides, ioWaitOf, cache } = command;
  const [first, ...others] = sides;
  if (!first) return [];
  const pairs = comparisons.flatMap((comparison, at) => {
    const [change] = comparison.changes;
    const other = others[at];
    return change && other ? [describePair(first, other, change)] : [];
  });
  const reason = cache.reason === null ? '' : ` (${cache.reason})`;
  const cacheSentence = `Before each run the page cache was ${CACHE_WORDS[cache.applied]}${reason}.`;
  const sentences = [...pairs, ...describeFirstRuns(sides), cacheSentence];
  if (ioWaitOf === 'system')
    sentences.push('Waits for I/O are those of the whole system, not of this command alone.');
  return sentences;
}

/** Says what runs, and in which files. */
export function describeSetup(command: Pick<CommandComparison, 'words' | 'prepare' | 'copied'>): string {
  const { words, prepare, copied } = command;
  const after = prepare === null ? '' : ` after ${display(prepare)}`;
  const text = `${display(words.join(' '))}${after}`;
  if (!copied) return `${text} starts in an empty directory on each side`;
  const { directory, entries, bytes } = copied;
  return `${text} runs in a copy of ${display(directory)} on each side (files and directories: ${entries}; ${formatBytes(bytes)})`;
}

const CACHE_WORDS = {
  drop: 'dropped',
  evict: "emptied of the copy's files, but not of other files and of directories",
  keep: 'kept',
};

function describePair(first: CommandSide, other: CommandSide, change: MetricChange): string {
  const times = [first, other].map((side) => `${timeText(side)} in ${placeText(side)}`);
  return `${times.join(', ')}: ${describeDifference(first, other, change)}`;
}

function describeDifference(first: CommandSide, other: CommandSide, change: MetricChange): string {
  const { significance, intervalPercent, verdictIntervalPercent, runsToDecide } = change;
  const memory = [first, other].find(({ isMemory }) => isMemory);
  const isMixed = first.isMemory !== other.isMemory;
  if (significance === 'significant' && intervalPercent) {
    const [fast, slow] = first.meanSeconds < other.meanSeconds ? [first, other] : [other, first];
    const { low, high } = toSavedShare(intervalPercent);
    const atMost = `${seconds(high * slow.meanSeconds)} (${percent(high)})`;
    if (isMixed && fast === memory) return `a faster disk can save at most ${atMost}; ${describeCpu(slow)}.`;
    if (isMixed)
      return `memory is slower than the disk here, so a faster disk saves nothing; ${describeCpu(slow)}.`;
    return `${fast.directory} saves ${percent(low)} to ${percent(high)} of the time; ${describeCpu(slow)}.`;
  }
  if (isWithinLimit(verdictIntervalPercent) && verdictIntervalPercent) {
    const { low, high } = verdictIntervalPercent;
    const limit = `no difference of more than ${percent(Math.max(-low, high) / 100)} found`;
    return isMixed ? `${limit}: the disk is not the reason; ${describeCpu(first)}.` : `${limit}.`;
  }
  const remedy = findRemedy(first.runs.length, 'rounds', runsToDecide);
  return `no difference found, but the times vary too much to rule out one of ${DEFAULT_MAX_REGRESSION_PERCENT} %: ${remedy}.`;
}

/** Returns the share of the slower side's time that the other saves. */
function toSavedShare({ low, high }: { readonly low: number; readonly high: number }) {
  const shares = [low, high].map((one) => (high < 0 ? -one / 100 : 1 - 1 / (1 + one / 100)));
  return { low: Math.min(...shares), high: Math.max(...shares) };
}

function describeCpu({ runs, meanSeconds }: CommandSide): string {
  const known = runs.map(({ cpuSeconds }) => cpuSeconds).filter((value) => value !== null);
  if (known.length === 0) return 'its CPU time is unknown on this system';
  const cpu = averageRuns(known);
  return `it takes ${seconds(cpu)} of CPU time${cpu > meanSeconds ? ' on several CPUs' : ''}`;
}

function describeFirstRuns(sides: readonly CommandSide[]): readonly string[] {
  const long = sides.filter((side) => side.firstRunSeconds > MUCH_LONGER * side.meanSeconds);
  if (long.length === 0) return [];
  const times = long.map(({ directory, firstRunSeconds }) => `${seconds(firstRunSeconds)} in ${directory}`);
  return [
    `The first run, which does not count, took ${times.join(' and ')}: if later runs find their work done, undo it with --prepare.`,
  ];
}

function timeText({ meanSeconds, confidence95 }: CommandSide): string {
  // A very wide interval says only that the time is uncertain.
  if (confidence95 === null || confidence95.high > confidence95.low * WIDEST_RATIO)
    return seconds(meanSeconds);
  return `${seconds(meanSeconds)} (${seconds(confidence95.low)} to ${seconds(confidence95.high)})`;
}

function placeText({ directory, isMemory }: CommandSide): string {
  return isMemory ? `${directory}, which is memory` : directory;
}

function seconds(value: number): string {
  return formatNs(value * NS_PER_SECOND);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}
