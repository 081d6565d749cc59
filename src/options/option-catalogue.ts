import { ENGINE_NAMES, engines } from '../../workers/engine/engine-catalogue.js';
import { phases } from '../../workers/phases/phase-catalogue.js';
import { GIB, KIB } from '../text/units.js';
import {
  byteCount,
  defaultsTo,
  inGroup,
  MAX_THREADS,
  MAX_TRANSFER_BYTES,
  type OptionRow,
  oneOf,
  pathOf,
  percent,
  seconds,
  switchRow,
  wholeNumber,
} from './option-row.js';

/** setTimeout's longest wait, in whole seconds. */
export const MAX_DURATION_SECONDS = 2_147_483;
const DURATION = { min: 0, isAbove: true, max: MAX_DURATION_SECONDS } as const;
export const BLOCK_UNIT_BYTES = 256;

export const MAX_SIZE_GIB = 2 ** 23;
/** With fewer runs, a confidence interval is meaningless. */
export const MIN_STABLE_RUNS = 3;
export const CACHE_MODES = ['auto', 'drop', 'evict', 'keep'] as const;
export const ENGINES = ['auto', ...ENGINE_NAMES] as const;
const ENGINE_HELP = ENGINE_NAMES.map((name) => `${name} (${engines[name].help})`).join(', ');
/** Of io_uring; the kernel allows more. */
export const MAX_DEPTH = 4096;
export const FILE_KINDS = ['files', 'hard-links', 'symlinks'] as const;
/** Existing files need paths, which only a step has. */
export const PHASE_NAMES: readonly string[] = phases
  .filter(({ dataset }) => dataset !== 'existing')
  .map(({ name }) => name);
export const MAX_FILES = 2 ** 24;
/** Every thread of git's has the list of all files: 0.9 GB for this many packages. */
const MAX_PACKAGES = 2000;
export const MAX_DIRECTORIES = 99_999;
export const MAX_DATA_FILES_PER_THREAD = 1024;
/** The seek counter has 32 bits, and every seek thread adds one too many. */
const MAX_SEEKS = 2 ** 30;

/** Separates a step from a step that runs beside it. */
export const BESIDE_SIGN = '+';
/** In the name of a step, precedes the name of the step beside it. */
export const BESIDE_NAME = '.beside-';

/** Plain data, so `--help` does not load zod. The schema has the same bounds. */
export const optionCatalogue = {
  ...inGroup('What to measure', {
    dir: {
      alias: 'd',
      help: 'directory to measure',
      defaultText: "the system's temporary directory",
      ...pathOf('directory', process.platform === 'win32' ? 'D:\\' : '/mnt/disk'),
    },
    size: {
      argument: 'SIZE',
      help: 'disk space to use, in GiB or with a unit, like 500M or 4G (powers of 1024; MB and GB are powers of 1000)',
      defaultText:
        'up to 8 GiB; twice the RAM with --no-fsync or --cache keep, on macOS unless root and on Windows without --direct; 1 GiB with --step',
      expects: `a number of GiB above 0 and at most ${MAX_SIZE_GIB}, or a size like 500M or 4G`,
      example: '0.5',
    },
    phases: {
      argument: 'NAMES',
      values: { choices: PHASE_NAMES, isList: true },
      help: `phases to run, in the order listed; any of ${PHASE_NAMES.join(', ')}`,
      /** gobonniego's three phases, in its order. */
      ...defaultsTo(['write', 'read', 'iops']),
      expects: `a list of ${PHASE_NAMES.join(', ')}, each at most once`,
      example: 'write,rewrite,read,seeks',
    },
    steps: {
      alias: 'step',
      argument: 'STEP',
      repeatable: true,
      help: 'steps to run instead of phases: read, write, rewrite or random on data that is laid out first, by fill if that is the first step, or write-new, or first-read and second-read of existing files (paths=/srv), or open or commit-etcd on files of its own, with settings like threads=32,io-size=4k,mix=100,direct,seconds=5; repeatable',
      expects:
        'read, write, write-new, rewrite, random, fill, first-read, second-read, open, commit-etcd, commit-etcd-overwrite, commit-wal or commit-journal, then any of name, paths, threads, block-size, io-size, mix, depth, engine, direct, fsync, sync-per-write, interval, pause, seconds and size',
      example: 'random,io-size=4k,threads=32,mix=100,seconds=5',
    },
  }),
  ...inGroup('I/O', {
    threads: {
      alias: 'procs',
      help: `number of parallel readers and writers, 1 to ${MAX_THREADS}; threads times --depth are the queue depth; 32 or 64 for a fast disk`,
      ...wholeNumber({ min: 1, max: MAX_THREADS, example: '4' }),
      defaultText: 'one per CPU core',
    },
    depth: {
      help: `number of requests in flight per thread, 1 to ${MAX_DEPTH}: by io_uring if possible, otherwise by a thread for each, at most ${MAX_THREADS} in all`,
      ...wholeNumber({ min: 1, max: MAX_DEPTH, default: 1, example: '32' }),
    },
    engine: {
      argument: 'NAME',
      help: `how threads make their requests: ${ENGINE_HELP}, or auto (uring for a --depth above 1)`,
      ...oneOf(ENGINES, { default: 'auto', example: 'uring' }),
    },
    iopsDuration: {
      help: 'duration of the IOPS measurement in seconds',
      ...seconds({ ...DURATION, default: 15, example: '0.5' }),
    },
    blockSize: {
      argument: 'BYTES',
      help: 'size of one sequential write or read, like 64k or 1m',
      default: 64 * KIB,
      defaultText: '64k',
      expects: `a multiple of ${BLOCK_UNIT_BYTES} bytes up to ${MAX_TRANSFER_BYTES / GIB}g`,
      example: '64k',
    },
    ioSize: {
      help: 'size of one random write or read, like 512 or 4k',
      ...byteCount({ min: 1, max: MAX_TRANSFER_BYTES, default: 512, example: '4k' }),
    },
    mix: {
      help: 'share of the random operations that read; the others write',
      ...percent({ min: 0, max: 100, default: 90, example: '70' }),
    },
    seed: {
      argument: 'N',
      help: 'seed of the random data and offsets',
      defaultText: 'random',
      expects: 'a whole number from 0 to 2^53 - 1',
      example: '42',
    },
    cache: {
      argument: 'MODE',
      help: 'page cache before reads: drop it (root on Linux or macOS), evict the test files from it (Linux), keep it, or auto (the best available)',
      ...oneOf(CACHE_MODES, { default: 'auto', example: 'auto' }),
    },
    direct: switchRow('bypass the page cache (Linux and Windows)'),
    noFsync: switchRow('stop the clock before written data is synced to the device, like gobonniego'),
    oneFile: switchRow('use one file for all threads'),
    unique: switchRow('make every block different, to prevent deduplication'),
    verify: switchRow('stamp every block with its offset and verify every read'),
    compressible: {
      help: 'share of the data that compression can remove',
      ...percent({ min: 0, max: 100, default: 0, example: '50' }),
    },
    stonewall: {
      help: 'stop each fixed-work phase after S seconds; later phases use the part that each thread has completed',
      ...seconds({ ...DURATION, example: '60' }),
    },
    seeks: {
      help: 'total blocks that the seeks phase reads; one in ten is changed and written back',
      ...wholeNumber({ min: 1, max: MAX_SEEKS, default: 8192, example: '4000' }),
    },
    seekThreads: {
      help: 'number of threads in the seeks phase; each of them seeks in all data',
      ...wholeNumber({ min: 1, max: MAX_THREADS, example: '3' }),
      defaultText: 'every thread, over its own part',
    },
    dataFiles: {
      help: 'number of data files per thread',
      ...wholeNumber({ min: 1, max: MAX_DATA_FILES_PER_THREAD, default: 1, example: '3' }),
    },
    fsyncPerWrite: switchRow(
      'sync after every write except in putc, and sync the directory after every file creation or deletion',
    ),
  }),
  ...inGroup('Repetition', {
    runs: {
      help: 'number of runs',
      ...wholeNumber({ min: 1, default: 1, example: '3' }),
      defaultText: '1; 5 with --baseline',
    },
    seconds: {
      help: 'repeat until S seconds and --runs runs are both reached',
      ...seconds({ min: 0, default: 0, example: '3600' }),
    },
    untilStable: {
      help: `repeat until each 95 % confidence interval is within PERCENT of its mean, at least ${MIN_STABLE_RUNS} times`,
      ...percent({ min: 0, isAbove: true, max: 100, example: '5' }),
    },
    maxRuns: {
      needs: ['untilStable', 'baseline'],
      help: 'stop after N runs, whether or not the results are stable or decided',
      ...wholeNumber({ min: MIN_STABLE_RUNS, default: 30, example: '10' }),
      defaultText: '30; 20 with --baseline and without --runs',
    },
  }),
  ...inGroup('Small files and single bytes', {
    byteSize: {
      help: 'total bytes that putc writes and getc reads',
      ...byteCount({ min: 1, example: '20m' }),
      defaultText: 'all data',
    },
    files: {
      help: 'total number of small files to create, stat and delete',
      ...wholeNumber({ min: 1, max: MAX_FILES, default: 16_384, example: '1024' }),
    },
    fileKind: {
      argument: 'KIND',
      help: `kind of small file: ${FILE_KINDS.join(', ')}`,
      ...oneOf(FILE_KINDS, { default: 'files', example: 'symlinks' }),
    },
    fileSize: {
      help: 'maximum size of a small file',
      ...byteCount({ min: 0, max: MAX_TRANSFER_BYTES, default: 0, example: '4k' }),
    },
    fileMinSize: {
      help: 'minimum size of a small file',
      ...byteCount({ min: 0, max: MAX_TRANSFER_BYTES, default: 0, example: '100' }),
    },
    fileBlockSize: {
      needs: ['fileSize'],
      help: 'I/O size for small files',
      ...byteCount({ min: 1, max: MAX_TRANSFER_BYTES, example: '8k' }),
      defaultText: 'same as --block-size',
    },
    directories: {
      help: 'number of directories per thread for its small files',
      ...wholeNumber({ min: 0, max: MAX_DIRECTORIES, default: 0, example: '16' }),
      defaultText: 'one',
    },
    packages: {
      help: 'number of packages that install writes, with 35 files each',
      ...wholeNumber({ min: 1, max: MAX_PACKAGES, default: 230, example: '1000' }),
    },
  }),
  ...inGroup('Output', {
    label: {
      argument: 'NAME',
      help: 'name of this machine in reports and in the tables of bonnie and bonnie++',
      defaultText: 'the host name',
      expects: 'a name without line breaks',
      example: 'goldhost',
    },
  }),
  ...inGroup('Multi-host', {
    barrierTimeout: {
      help: 'in a job of several processes, wait at most S seconds for the other ranks',
      ...seconds({ ...DURATION, default: 300, example: '1800' }),
    },
    sharedFile: switchRow('use one data file for all ranks; each rank has its own part'),
    sharedDir: switchRow('create the small files of all threads and ranks in one directory'),
    readOwnFiles: switchRow("each rank reads its own files instead of the next host's"),
  }),
  ...inGroup('Other', {
    stallTimeout: {
      help: 'report a stall after S seconds without progress; 0 disables',
      ...seconds({ min: 0, max: MAX_DURATION_SECONDS, default: 10, example: '60' }),
    },
  }),
} satisfies Readonly<Record<string, OptionRow>>;

export type OptionName = keyof typeof optionCatalogue;
