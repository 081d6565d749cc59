import { phases } from '../../workers/phases/phase-catalogue.js';
import { GIB } from '../text/units.js';
import { defaultsTo, MAX_THREADS, MAX_TRANSFER_BYTES, type OptionRow, switchRow } from './option-row.js';

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
    argument: 'N',
    group: 'I/O',
    help: 'total blocks that the seeks phase reads; one in ten is changed and written back',
    ...defaultsTo(8192),
    expects: `a whole number from 1 to ${MAX_SEEKS}`,
    example: '4000',
  },
  seekThreads: {
    argument: 'N',
    group: 'I/O',
    help: 'number of threads in the seeks phase; each of them seeks in all data',
    defaultText: 'every thread, over its own part',
    expects: `a whole number from 1 to ${MAX_THREADS}`,
    example: '3',
  },
  dataFiles: {
    argument: 'N',
    group: 'I/O',
    help: 'number of data files per thread',
    ...defaultsTo(1),
    expects: `a whole number from 1 to ${MAX_VOLUMES}`,
    example: '3',
  },
  byteSize: {
    argument: 'BYTES',
    group: 'Small files and single bytes',
    help: 'total bytes that putc writes and getc reads',
    defaultText: 'all data',
    expects: 'a whole number of bytes above 0',
    example: '20m',
  },
  byteMode: {
    argument: 'MODE',
    values: { choices: BYTE_MODES },
    group: 'Small files and single bytes',
    help: 'how putc and getc move a byte: through a locked or unlocked buffer, or by a system call',
    ...defaultsTo('locked'),
    expects: `one of ${BYTE_MODES.join(', ')}`,
    example: 'unlocked',
  },
  fsyncPerWrite: switchRow(
    'I/O',
    'sync after every write except in putc, and sync the directory after every file creation or deletion',
  ),
  files: {
    argument: 'N',
    group: 'Small files and single bytes',
    help: 'total number of small files to create, stat and delete',
    ...defaultsTo(16_384),
    expects: `a whole number from 1 to ${MAX_FILES}`,
    example: '1024',
  },
  fileKind: {
    argument: 'KIND',
    values: { choices: FILE_KINDS },
    group: 'Small files and single bytes',
    help: `kind of small file: ${FILE_KINDS.join(', ')}`,
    ...defaultsTo('files'),
    expects: `one of ${FILE_KINDS.join(', ')}`,
    example: 'symlinks',
  },
  fileSize: {
    argument: 'BYTES',
    group: 'Small files and single bytes',
    help: 'maximum size of a small file',
    ...defaultsTo(0),
    expects: `a whole number of bytes from 0 to ${MAX_TRANSFER_BYTES / GIB}g`,
    example: '4k',
  },
  fileMinSize: {
    argument: 'BYTES',
    group: 'Small files and single bytes',
    help: 'minimum size of a small file',
    ...defaultsTo(0),
    expects: `a whole number of bytes from 0 to ${MAX_TRANSFER_BYTES / GIB}g`,
    example: '100',
  },
  fileBlockSize: {
    argument: 'BYTES',
    group: 'Small files and single bytes',
    help: 'I/O size for small files',
    defaultText: 'same as --block-size',
    expects: `a whole number of bytes from 1 to ${MAX_TRANSFER_BYTES / GIB}g`,
    example: '8k',
  },
  directories: {
    argument: 'N',
    group: 'Small files and single bytes',
    help: 'number of directories per thread for its small files',
    default: 0,
    defaultText: 'one',
    expects: `a whole number from 0 to ${MAX_DIRECTORIES}`,
    example: '16',
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
