import { phases } from '../../workers/phases/phase-catalogue.js';
import { GIB } from '../text/units.js';
import { MAX_THREADS, MAX_TRANSFER_BYTES, type OptionRow, SWITCH } from './option-row.js';

export const BYTE_MODES = ['locked', 'unlocked', 'syscall'] as const;
export const FILE_KINDS = ['files', 'hard-links', 'symlinks'] as const;
export const PHASE_NAMES: readonly string[] = phases.map(({ name }) => name);
export const MAX_FILES = 2 ** 24;
export const MAX_DIRECTORIES = 99_999;
export const MAX_VOLUMES = 1024;
/** Each thread has one file tree, and up to MAX_VOLUMES data files. */
export const MAX_TREES = MAX_THREADS;
export const MAX_DATA_FILES = MAX_THREADS * MAX_VOLUMES;
/** The counter of seeks has 32 bits, and every seeker counts one too many. */
export const MAX_SEEKS = 2 ** 30;

export const BONNIE_DEFAULTS = {
  /** gobonniego's three, in its order. */
  phases: ['write', 'read', 'iops'],
  seeks: 8192,
  dataFiles: 1,
  byteMode: 'locked',
  files: 16_384,
  fileKind: 'files',
  fileSize: 0,
  fileMinSize: 0,
  directories: 0,
} as const;

/** The phases, and the options of those that gobonniego does not have. */
export const bonnieOptionCatalogue = {
  phases: {
    argument: 'NAMES',
    values: { choices: PHASE_NAMES, isList: true },
    group: 'What to measure',
    help: `what to measure, in this order, out of ${PHASE_NAMES.join(', ')}`,
    defaultText: BONNIE_DEFAULTS.phases.join(','),
    expects: `a list of ${PHASE_NAMES.join(', ')}, each of them once`,
    example: 'write,rewrite,read,seeks',
  },
  seeks: {
    argument: 'N',
    group: 'I/O',
    help: 'how many blocks the seeks phase reads in total; one in ten is changed and written back',
    defaultText: String(BONNIE_DEFAULTS.seeks),
    expects: `a whole number from 1 to ${MAX_SEEKS}`,
    example: '4000',
  },
  seekThreads: {
    argument: 'N',
    group: 'I/O',
    help: 'how many threads seek, each across all of the data',
    defaultText: 'every thread, in its own part',
    expects: `a whole number from 1 to ${MAX_THREADS}`,
    example: '3',
  },
  dataFiles: {
    argument: 'N',
    group: 'I/O',
    help: 'how many files hold the data of each thread',
    defaultText: String(BONNIE_DEFAULTS.dataFiles),
    expects: `a whole number from 1 to ${MAX_VOLUMES}`,
    example: '3',
  },
  byteSize: {
    argument: 'BYTES',
    group: 'Small files and single bytes',
    help: 'how much putc and getc write and read in total',
    defaultText: 'all of the data',
    expects: 'a whole number of bytes above 0',
    example: '20m',
  },
  byteMode: {
    argument: 'MODE',
    values: { choices: BYTE_MODES },
    group: 'Small files and single bytes',
    help: 'how putc and getc move a byte: a buffer with a lock, one without, or a system call',
    defaultText: BONNIE_DEFAULTS.byteMode,
    expects: `one of ${BYTE_MODES.join(', ')}`,
    example: 'unlocked',
  },
  fsyncPerWrite: {
    ...SWITCH,
    group: 'I/O',
    help: 'sync after every write except per-byte ones, and directories after every file created or deleted',
  },
  files: {
    argument: 'N',
    group: 'Small files and single bytes',
    help: 'how many small files to create, stat and delete in total',
    defaultText: String(BONNIE_DEFAULTS.files),
    expects: `a whole number from 1 to ${MAX_FILES}`,
    example: '1024',
  },
  fileKind: {
    argument: 'KIND',
    values: { choices: FILE_KINDS },
    group: 'Small files and single bytes',
    help: `kind of the small files: ${FILE_KINDS.join(', ')}`,
    defaultText: BONNIE_DEFAULTS.fileKind,
    expects: `one of ${FILE_KINDS.join(', ')}`,
    example: 'symlinks',
  },
  fileSize: {
    argument: 'BYTES',
    group: 'Small files and single bytes',
    help: 'largest size of a small file',
    defaultText: String(BONNIE_DEFAULTS.fileSize),
    expects: `a whole number of bytes from 0 to ${MAX_TRANSFER_BYTES / GIB}g`,
    example: '4k',
  },
  fileMinSize: {
    argument: 'BYTES',
    group: 'Small files and single bytes',
    help: 'smallest size of a small file',
    defaultText: String(BONNIE_DEFAULTS.fileMinSize),
    expects: `a whole number of bytes from 0 to ${MAX_TRANSFER_BYTES / GIB}g`,
    example: '100',
  },
  fileBlockSize: {
    argument: 'BYTES',
    group: 'Small files and single bytes',
    help: 'how much of a small file one call writes or reads',
    defaultText: 'as --block-size',
    expects: `a whole number of bytes from 1 to ${MAX_TRANSFER_BYTES / GIB}g`,
    example: '8k',
  },
  directories: {
    argument: 'N',
    group: 'Small files and single bytes',
    help: 'how many directories each thread spreads its files over',
    defaultText: 'one',
    expects: `a whole number from 0 to ${MAX_DIRECTORIES}`,
    example: '16',
  },
  label: {
    argument: 'NAME',
    group: 'Output',
    help: "name of this machine in reports and in the ancestors' tables",
    defaultText: "the host's name",
    expects: 'a name without line breaks',
    example: 'goldhost',
  },
} as const satisfies Readonly<Record<string, OptionRow>>;
