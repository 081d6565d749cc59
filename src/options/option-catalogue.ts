import { GIB, KIB } from '../text/units.js';
import { bonnieOptionCatalogue } from './bonnie-options.js';
import { defaultsTo, MAX_THREADS, MAX_TRANSFER_BYTES, type OptionRow, switchRow } from './option-row.js';

/** setTimeout's longest wait, in whole seconds. */
export const MAX_DURATION_SECONDS = 2_147_483;
export const BLOCK_UNIT_BYTES = 256;

export const MAX_SIZE_GIB = 2 ** 23;
/** With fewer runs, a confidence interval is meaningless. */
export const MIN_STABLE_RUNS = 3;
export const CACHE_MODES = ['auto', 'drop', 'evict', 'keep'] as const;

/** Plain data, so `--help` does not load zod. The schema has the same bounds. */
export const optionCatalogue = {
  dir: {
    alias: 'd',
    argument: 'DIR',
    group: 'What to measure',
    help: 'directory for the temporary files; created if missing, then removed again',
    defaultText: "the system's temporary directory",
    expects: 'the path of a directory',
    example: process.platform === 'win32' ? 'D:\\' : '/mnt/disk',
  },
  size: {
    argument: 'SIZE',
    group: 'What to measure',
    help: 'disk space to use, in GiB or with a unit, like 500M or 4G (powers of 1024; MB and GB are powers of 1000)',
    defaultText: 'twice the RAM',
    expects: `a number of GiB above 0 and at most ${MAX_SIZE_GIB}, or a size like 500M or 4G`,
    example: '0.5',
  },
  threads: {
    alias: 'procs',
    argument: 'N',
    group: 'I/O',
    help: `number of parallel readers and writers (the queue depth), 1 to ${MAX_THREADS}; 32 or 64 for a fast disk`,
    defaultText: 'one per CPU core',
    expects: `a whole number from 1 to ${MAX_THREADS}`,
    example: '4',
  },
  runs: {
    argument: 'N',
    group: 'Repetition',
    help: 'number of runs',
    ...defaultsTo(1),
    expects: 'a whole number above 0',
    example: '3',
  },
  seconds: {
    argument: 'S',
    group: 'Repetition',
    help: 'repeat for at least S seconds and --runs runs',
    ...defaultsTo(0),
    expects: 'a number of seconds, 0 or more',
    example: '3600',
  },
  iopsDuration: {
    argument: 'S',
    group: 'I/O',
    help: 'duration of the IOPS measurement in seconds',
    ...defaultsTo(15),
    expects: `a number of seconds above 0 and at most ${MAX_DURATION_SECONDS}`,
    example: '0.5',
  },
  blockSize: {
    argument: 'BYTES',
    group: 'I/O',
    help: 'size of one sequential write or read, like 64k or 1m',
    default: 64 * KIB,
    defaultText: '64k',
    expects: `a multiple of ${BLOCK_UNIT_BYTES} bytes up to ${MAX_TRANSFER_BYTES / GIB}g`,
    example: '64k',
  },
  ioSize: {
    argument: 'BYTES',
    group: 'I/O',
    help: 'size of one random write or read, like 512 or 4k',
    ...defaultsTo(512),
    expects: `a whole number of bytes from 1 to ${MAX_TRANSFER_BYTES / GIB}g`,
    example: '4k',
  },
  seed: {
    argument: 'N',
    group: 'I/O',
    help: 'seed of the random data and offsets',
    defaultText: 'random',
    expects: 'a whole number from 0 to 2^53 - 1',
    example: '42',
  },
  cache: {
    argument: 'MODE',
    values: { choices: CACHE_MODES },
    group: 'I/O',
    help: 'page cache before reads: drop it (root on Linux or macOS), evict the test files from it (Linux), keep it, or auto (the best available)',
    ...defaultsTo('auto'),
    expects: `one of ${CACHE_MODES.join(', ')}`,
    example: 'auto',
  },
  direct: switchRow('I/O', 'bypass the page cache (Linux and Windows)'),
  fsync: {
    alias: 'y',
    ...switchRow(
      'I/O',
      "include the sync of data files and of small files' directories in the measured time",
    ),
  },
  oneFile: switchRow('I/O', 'use one file for all threads'),
  unique: switchRow('I/O', 'make every block different, to prevent deduplication'),
  verify: switchRow('I/O', 'stamp every block with its offset and verify every read'),
  compressible: {
    argument: 'PERCENT',
    group: 'I/O',
    help: 'share of the data that compression can remove',
    ...defaultsTo(0),
    expects: 'a number from 0 to 100',
    example: '50',
  },
  untilStable: {
    argument: 'PERCENT',
    group: 'Repetition',
    help: `repeat until each 95 % confidence interval is within PERCENT of its mean, at least ${MIN_STABLE_RUNS} times`,
    expects: 'a number above 0 and at most 100',
    example: '5',
  },
  maxRuns: {
    argument: 'N',
    group: 'Repetition',
    help: 'maximum number of runs for --until-stable',
    ...defaultsTo(30),
    expects: `a whole number, ${MIN_STABLE_RUNS} or more`,
    example: '10',
  },
  stallTimeout: {
    argument: 'S',
    group: 'Other',
    help: 'report a stall after S seconds without progress; 0 disables',
    ...defaultsTo(10),
    expects: `a number of seconds from 0 to ${MAX_DURATION_SECONDS}`,
    example: '60',
  },
  barrierTimeout: {
    argument: 'S',
    group: 'Multi-host',
    help: 'in a job of several processes, wait at most S seconds for the other ranks',
    ...defaultsTo(300),
    expects: `a number of seconds above 0 and at most ${MAX_DURATION_SECONDS}`,
    example: '1800',
  },
  sharedFile: switchRow('Multi-host', 'use one data file for all ranks; each rank has its own part'),
  sharedDir: switchRow('Multi-host', 'create the small files of all threads and ranks in one directory'),
  readOwnFiles: switchRow('Multi-host', "each rank reads its own files instead of the next host's"),
  stonewall: {
    argument: 'S',
    group: 'I/O',
    help: 'stop each fixed-work phase after S seconds; later phases use the part that each thread has completed',
    expects: `a number of seconds above 0 and at most ${MAX_DURATION_SECONDS}`,
    example: '60',
  },
  ...bonnieOptionCatalogue,
} as const satisfies Readonly<Record<string, OptionRow>>;

export type OptionName = keyof typeof optionCatalogue;
