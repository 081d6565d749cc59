import { MAX_DURATION_SECONDS, type OptionName } from '../../src/options/option-catalogue.js';
import { GIB } from '../../src/text/units.js';

const NOT_A_NUMBER = ['much', '', ' 1', 'NaN', '1e400', '0x10', '0,5', '1_000', 'a\nb', Number.NaN];
const BEYOND_WHOLE = [2 ** 53, String(2 ** 53)];
const NOT_POSITIVE = [...NOT_A_NUMBER, 0, '0', '-0', -1, '-1'];
const NOT_A_COUNT = [...NOT_POSITIVE, 1.5, '1.5', ...BEYOND_WHOLE];
const NOT_A_SWITCH = ['', 'yes', 'true', 1, null];
const NOT_A_SIZE = ['much', '', -1, '-1', 1.5, '1.5', '1.1k', '64kk', '64ki2', '64x', 'k', '-4k', '1e3k'];

/** Values that each option rejects regardless of the other options. */
export const WRONG_VALUES: Readonly<Record<OptionName, readonly unknown[]>> = {
  dir: ['', 'a\0b', 7, null],
  size: [...NOT_POSITIVE, '1 ', '0M', '-1G', '1 X', '1e3M', 'G', '9000000G', 2 ** 23 + 1, Infinity, null],
  threads: [...NOT_A_COUNT, 1025, '1025', 'all'],
  depth: [...NOT_A_COUNT, 4097, '4097', 'max'],
  engine: ['', 'uring2', 'Threads', 'io_uring', 1, null],
  runs: NOT_A_COUNT,
  seconds: [...NOT_A_NUMBER, -0.1, '-0.1', '1h'],
  iopsDuration: [...NOT_POSITIVE, MAX_DURATION_SECONDS + 1, '1e9'],
  blockSize: [...NOT_A_SIZE, 0, '0', 255, 257, '4095', 5000, '5001', '4.4k', '4kB', '2g', GIB + 256],
  ioSize: [...NOT_A_SIZE, 0, '0', '2g', GIB + 1],
  mix: [...NOT_A_NUMBER, -1, 100.1, '101%', '1e3'],
  seed: [...NOT_A_NUMBER, -1, 1.5, ...BEYOND_WHOLE],
  cache: ['', 'none', 'Drop', 'drop ', 'drop,evict', '3', 1, null],
  direct: NOT_A_SWITCH,
  noFsync: NOT_A_SWITCH,
  oneFile: NOT_A_SWITCH,
  sharedFile: NOT_A_SWITCH,
  sharedDir: NOT_A_SWITCH,
  readOwnFiles: NOT_A_SWITCH,
  unique: NOT_A_SWITCH,
  verify: NOT_A_SWITCH,
  compressible: [...NOT_A_NUMBER, -1, 100.1, '101%', '1e3', '1\n'],
  untilStable: [...NOT_POSITIVE, 100.1, '0%', null],
  stallTimeout: [...NOT_A_NUMBER, -1, '10s', MAX_DURATION_SECONDS + 1],
  barrierTimeout: [...NOT_A_NUMBER, 0, '10s', MAX_DURATION_SECONDS + 1],
  stonewall: [...NOT_POSITIVE, '10s', MAX_DURATION_SECONDS + 1, null],
  maxRuns: [...NOT_A_COUNT, 2, '2', 3.5],
  phases: ['', 'fly', 'Write', 'write,', 'write,,read', 'write,write', 'write;read', 7],
  steps: ['', [], ['seeks'], ['random,threads=0'], ['read,size=0'], [{ phase: 'read', fast: true }], 7],
  seeks: [...NOT_A_COUNT, '8k', 2 ** 30 + 1],
  seekThreads: [...NOT_A_COUNT, 1025, null],
  dataFiles: [...NOT_A_COUNT, 1025],
  byteSize: [...NOT_A_SIZE, 0, '0k', null],
  fsyncPerWrite: NOT_A_SWITCH,
  files: [...NOT_A_COUNT, '16k', 2 ** 24 + 1],
  fileKind: ['', 'pipes', 'hard_links', '-1', -1, null],
  fileSize: [...NOT_A_SIZE, GIB + 1, '2g'],
  fileMinSize: [...NOT_A_SIZE, GIB + 1, '2g'],
  fileBlockSize: [...NOT_A_SIZE, 0, '0', '1.1g', '2g'],
  directories: [...NOT_A_NUMBER, -1, 1.5, 100_000],
  packages: [...NOT_A_COUNT, 2001],
  label: ['', 'two\nlines', 'two\rlines', 7, null],
};
