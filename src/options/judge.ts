import { GobonnieError } from '../errors.js';
import { shown } from '../text/escape.js';
import { flag, sentence } from '../text/sentence.js';
import { nearest } from '../text/suggest.js';
import { type CACHE_MODES, DEFAULTS, type OptionName, optionCatalogue } from './catalogue.js';
import type { BYTE_MODES, FILE_KINDS } from './family.js';
import { refusalOf } from './refusal.js';
import { type Options, optionsSchema } from './schema.js';

/** What a user or a program asks for, before it is judged: the flags in camelCase, all of them optional. */
export interface OptionsInput {
  /** Where the temporary files go; the system's temporary directory by default. */
  readonly dir?: string | undefined;
  /** GiB of disk space to use; twice the memory by default. */
  readonly size?: number | string | undefined;
  /** Worker threads; one for each CPU core by default. */
  readonly threads?: number | string | undefined;
  /** How many times to measure; 1 by default. */
  readonly runs?: number | string | undefined;
  /** Measure again until so many seconds are over; 0 by default. */
  readonly seconds?: number | string | undefined;
  /** Seconds that the IOPS measurement lasts; 15 by default. */
  readonly iopsDuration?: number | string | undefined;
  /** Bytes of one sequential write or read, or a text like `64k`, which is the default. */
  readonly blockSize?: number | string | undefined;
  /** Bytes of one random write or read, or a text like `4k`; 512 by default. */
  readonly ioSize?: number | string | undefined;
  /** The same seed gives the same data and the same offsets; random by default. */
  readonly seed?: number | string | undefined;
  /** What happens to the page cache before reading: `auto` (the default), `drop`, `evict` or `keep`. */
  readonly cache?: (typeof CACHE_MODES)[number] | undefined;
  /** Read and write past the page cache. */
  readonly direct?: boolean | undefined;
  /** Sync what was written within the time of the write. */
  readonly fsync?: boolean | undefined;
  /** Put the data of all threads into one file. */
  readonly oneFile?: boolean | undefined;
  /** Write no two blocks alike. */
  readonly unique?: boolean | undefined;
  /** Mark every block with its place and compare every one that is read. */
  readonly verify?: boolean | undefined;
  /** Per cent of the data that compress away; 0 by default. */
  readonly compressible?: number | string | undefined;
  /** Measure again until the 95 % interval of every figure is within so many per cent of its mean. */
  readonly untilStable?: number | string | undefined;
  /** When `untilStable` gives up; 30 by default. */
  readonly maxRuns?: number | string | undefined;
  /** What to measure, in this order: names as a list or a text like `write,rewrite`; write, read and iops by default. */
  readonly phases?: readonly string[] | string | undefined;
  /** How many blocks the seeks phase reads; 8192 by default. */
  readonly seeks?: number | string | undefined;
  /** How many threads seek, each in all of the data; by default every thread does, in its own. */
  readonly seekers?: number | string | undefined;
  /** How many files hold the data of each thread; 1 by default. */
  readonly volumes?: number | string | undefined;
  /** How much putc and getc move, in bytes or a text like `20m`; all of the data by default. */
  readonly byteSize?: number | string | undefined;
  /** How putc and getc move a byte: `locked` (the default), `unlocked` or `syscall`. */
  readonly byteMode?: (typeof BYTE_MODES)[number] | undefined;
  /** Sync after every single write, and directories after every file made or deleted. */
  readonly syncWrites?: boolean | undefined;
  /** How many files create, stat and delete deal with; 16384 by default. */
  readonly files?: number | string | undefined;
  /** What they are: `files` (the default), `hard-links` or `symlinks`. */
  readonly fileKind?: (typeof FILE_KINDS)[number] | undefined;
  /** After how many seconds without any progress a `stall` event tells of it; 10 by default, 0 is never. */
  readonly stallTimeout?: number | string | undefined;
  /** The most bytes that one of them holds; 0 by default. */
  readonly fileSize?: number | string | undefined;
  /** The least bytes that one of them holds; 0 by default. */
  readonly fileMinSize?: number | string | undefined;
  /** How many bytes of a file one call moves; as many as of a block by default. */
  readonly fileBlockSize?: number | string | undefined;
  /** How many directories each thread spreads its files over; 0, the default, puts them all into one. */
  readonly directories?: number | string | undefined;
  /** What the report calls this machine; the host's name by default. */
  readonly label?: string | undefined;
}

/** Gives the complete options, or throws a GobonnieError on the first one that is wrong. */
export function judge(input: OptionsInput): Options {
  const verdict = optionsSchema.safeParse(input);
  if (verdict.success) return verdict.data;
  const [issue] = verdict.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const [given = ''] = issue.keys;
    const names = Object.keys(optionCatalogue);
    const near = nearest(given, names);
    throw new GobonnieError(
      'option-unknown',
      `there is no option ${shown(given)}`,
      near === null ? `the options are ${names.join(', ')}` : `did you mean ${near}?`,
    );
  }
  const name = issue?.path[0];
  if (typeof name !== 'string') {
    throw new GobonnieError(
      'option-invalid',
      'the options are not an object',
      'pass for example { size: 0.5 }',
    );
  }
  if (name === 'fileMinSize' && issue?.code === 'custom')
    throw new GobonnieError(
      'option-invalid',
      sentence`${flag('fileMinSize', input.fileMinSize)} is more than ${flag('fileSize', input.fileSize ?? DEFAULTS.fileSize)}`,
      sentence`pass a larger ${flag('fileSize')} or a smaller ${flag('fileMinSize')}`,
    );
  throw refusalOf(name, optionCatalogue[name as OptionName], input[name as OptionName]);
}
