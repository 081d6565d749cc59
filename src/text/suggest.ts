import { optionError } from '../errors.js';
import { type MessageTemplate, msg, type OptionRef } from './message-template.js';

const MAX_EDITS = 3;
/** Minimum share of the longer word that must match. */
const MIN_SIMILARITY = 0.4;

/** Options of fio that gobonnie lacks. docs/fio.md translates them. */
// biome-ignore format: a list of words
export const FIO_NAMES = [
  'blocksize', 'bs', 'bssplit', 'buffer_compress_percentage', 'client', 'directory', 'end_fsync', 'fdatasync', 'filename', 'fsync', 'group_reporting',
  'gtod_reduce', 'invalidate', 'io_size', 'iodepth', 'ioengine', 'latency_percentile', 'latency_target', 'latency_window', 'loops', 'name',
  'norandommap', 'numjobs', 'offset', 'output', 'output-format', 'overwrite', 'ramp_time', 'random_distribution', 'randseed', 'rate', 'rate_iops', 'readwrite',
  'refill_buffers', 'runtime', 'rw', 'rwmixread', 'rwmixwrite', 'sync', 'thinktime', 'time_based', 'write_bw_log', 'write_lat_log', 'zonemode',
];

/** The values of fio's `rw` that gobonnie lacks. */
export const FIO_PATTERNS = ['randread', 'randwrite', 'randrw'];

/** Returns the hint for an option or a pattern of fio. Undefined for any other name. */
export function fioHint(name: string): string | undefined {
  return FIO_NAMES.includes(name) || FIO_PATTERNS.includes(name)
    ? `gobonnie explain ${name} translates it from fio`
    : undefined;
}

/** Returns a hint with the most similar word, or the other hint if no word is similar. */
export function suggestionHint(input: string, words: readonly string[], otherHint: string): string {
  const suggestion = findNearest(input, words);
  return suggestion === null ? otherHint : `did you mean ${suggestion}?`;
}

/** Returns the word that the user probably meant, or null if no word is similar. */
export function findNearest(input: string, words: readonly string[]): string | null {
  const candidates = words.map((word) => {
    const one = normalize(input);
    const other = normalize(word);
    const edits = editDistance(one, other);
    const length = Math.max(one.length, other.length);
    return { word, edits, similarity: (length - edits) / length };
  });
  const similar = candidates.filter((one) => one.edits <= MAX_EDITS && one.similarity > MIN_SIMILARITY);
  return similar.toSorted((one, other) => one.edits - other.edits)[0]?.word ?? null;
}

/** Turns `iops-duration`, `iops_duration` and `IopsDuration` into `iopsduration`. */
function normalize(word: string): string {
  return word.replace(/[-_]/g, '').toLowerCase();
}

function editDistance(one: string, other: string): number {
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const replaced = (last[column - 1] ?? 0) + (isSame ? 0 : 1);
      current.push(Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, replaced));
    }
    last = current;
  }
  return last[other.length] ?? 0;
}

/** Returns the name if it is a key of `choices`; otherwise throws `unknown --format xml; pass one of …`. */
export function validateChoice<Choices extends object>(
  choices: Choices,
  name: string,
  label: MessageTemplate | OptionRef,
  command?: string,
): keyof Choices & string {
  if (Object.hasOwn(choices, name)) return name as keyof Choices & string;
  throw optionError(
    command === undefined ? msg`unknown ${label}` : msg`${command} does not support ${label}`,
    `pass one of ${Object.keys(choices).join(', ')}`,
  );
}
