import { phases } from '../../workers/phases/phase-catalogue.js';
import {
  byteCount,
  defaultsTo,
  MAX_THREADS,
  MAX_TRANSFER_BYTES,
  type OptionRow,
  oneOf,
  switchRow,
  wholeNumber,
} from './option-row.js';

export const BYTE_MODES = ['locked', 'unlocked', 'syscall'] as const;
export const FILE_KINDS = ['files', 'hard-links', 'symlinks'] as const;
export const PHASE_NAMES: readonly string[] = phases.map(({ name }) => name);
export const MAX_FILES = 2 ** 24;
export const MAX_DIRECTORIES = 99_999;
export const MAX_VOLUMES = 1024;
export const MAX_DATA_FILES = MAX_THREADS * MAX_VOLUMES;
/** The seek counter has 32 bits, and every seek thread adds one too many. */
export const MAX_SEEKS = 2 ** 30;

/** The phases, and the options of the phases that gobonniego lacks. */
export const bonnieOptionCatalogue = {
  phases: {
    argument: 'NAMES',
    values: { choices: PHASE_NAMES, isList: true },
    group: 'What to measure',
    help: `phases to run, in the order listed; any of ${PHASE_NAMES.join(', ')}`,
    /** gobonniego's three phases, in its order. */
    ...defaultsTo(['write', 'read', 'iops']),
    expects: `a list of ${PHASE_NAMES.join(', ')}, each at most once`,
    example: 'write,rewrite,read,seeks',
  },
  seeks: {
    group: 'I/O',
    help: 'total blocks that the seeks phase reads; one in ten is changed and written back',
    ...wholeNumber({ min: 1, max: MAX_SEEKS, default: 8192, example: '4000' }),
  },
  seekThreads: {
    group: 'I/O',
    help: 'number of threads in the seeks phase; each of them seeks in all data',
    ...wholeNumber({ min: 1, max: MAX_THREADS, example: '3' }),
    defaultText: 'every thread, over its own part',
  },
  dataFiles: {
    group: 'I/O',
    help: 'number of data files per thread',
    ...wholeNumber({ min: 1, max: MAX_VOLUMES, default: 1, example: '3' }),
  },
  byteSize: {
    group: 'Small files and single bytes',
    help: 'total bytes that putc writes and getc reads',
    ...byteCount({ min: 1, example: '20m' }),
    defaultText: 'all data',
  },
  byteMode: {
    argument: 'MODE',
    group: 'Small files and single bytes',
    help: 'how putc and getc move a byte: through a locked or unlocked buffer, or by a system call',
    ...oneOf(BYTE_MODES, { default: 'locked', example: 'unlocked' }),
  },
  fsyncPerWrite: switchRow(
    'I/O',
    'sync after every write except in putc, and sync the directory after every file creation or deletion',
  ),
  files: {
    group: 'Small files and single bytes',
    help: 'total number of small files to create, stat and delete',
    ...wholeNumber({ min: 1, max: MAX_FILES, default: 16_384, example: '1024' }),
  },
  fileKind: {
    argument: 'KIND',
    group: 'Small files and single bytes',
    help: `kind of small file: ${FILE_KINDS.join(', ')}`,
    ...oneOf(FILE_KINDS, { default: 'files', example: 'symlinks' }),
  },
  fileSize: {
    group: 'Small files and single bytes',
    help: 'maximum size of a small file',
    ...byteCount({ min: 0, max: MAX_TRANSFER_BYTES, default: 0, example: '4k' }),
  },
  fileMinSize: {
    group: 'Small files and single bytes',
    help: 'minimum size of a small file',
    ...byteCount({ min: 0, max: MAX_TRANSFER_BYTES, default: 0, example: '100' }),
  },
  fileBlockSize: {
    group: 'Small files and single bytes',
    help: 'I/O size for small files',
    ...byteCount({ min: 1, max: MAX_TRANSFER_BYTES, example: '8k' }),
    defaultText: 'same as --block-size',
  },
  directories: {
    group: 'Small files and single bytes',
    help: 'number of directories per thread for its small files',
    ...wholeNumber({ min: 0, max: MAX_DIRECTORIES, default: 0, example: '16' }),
    defaultText: 'one',
  },
  label: {
    argument: 'NAME',
    group: 'Output',
    help: 'name of this machine in reports and in the tables of bonnie and bonnie++',
    defaultText: 'the host name',
    expects: 'a name without line breaks',
    example: 'goldhost',
  },
} as const satisfies Readonly<Record<string, OptionRow>>;
