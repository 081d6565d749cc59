import { GIB, MIB } from '../../text/units.js';
import { defineCommand } from '../argv/define-command.js';
import type { FlagNames } from '../argv/dialect.js';
import { EXIT_CODES } from '../exit-codes.js';
import { type BonniePlusPlusFlags, FILES_PER_UNIT, optionsFromFlags } from './bonnie-plus-plus-flags.js';
import type { LogFormatName } from './log-formats.js';

/** bonnie++'s flags that messages show for gobonnie's options. */
const FLAG_NAMES: FlagNames = {
  dir: '-d',
  size: { name: '-s', units: GIB / MIB },
  blockSize: '-s …:CHUNK',
  seeks: '-s …:…:SEEKS',
  seekThreads: '-s …:…:…:SEEKERS',
  files: { name: '-n', units: 1 / FILES_PER_UNIT },
  fileSize: '-n …:MAX',
  fileMinSize: '-n …:…:MIN',
  directories: '-n …:…:…:DIRS',
  fileBlockSize: '-n …:…:…:…:CHUNK',
  threads: '-c',
  direct: '-D',
  fsyncPerWrite: '-b',
  byteSize: { name: '-f', units: 1 / MIB },
  runs: '-x',
  label: '-m',
  seed: '-z',
};

/** bonnie++ 2.00: its flags, its tests in its order, its tables and its CSV. */
export const bonniePlusPlus = defineCommand({
  name: 'gobonnie bonnie++',
  usage: '[flags]',
  isGnuStyle: true,
  description: "Runs bonnie++'s tests of one large file and of many small files.",
  options: [
    { flags: '-d, --dir <DIR>', help: 'where the scratch files go', defaultText: '.' },
    {
      flags: '-s, --size <SIZE>',
      help: 'MiB[:CHUNK[:SEEKS[:SEEKERS]]]: size of the data, g and t for GiB and TiB; chunk in bytes, k for KiB; 0 skips the tests of the data file',
      defaultText: 'twice the RAM:8192:8192:5',
    },
    {
      flags: '-n, --files <FILES>',
      help: 'N[:MAX[:MIN[:DIRS[:CHUNK]]]]: N times 1024 files of MIN to MAX bytes; 0 skips the tests of small files; MAX is -1 for hard links, -2 for symlinks',
      defaultText: '16',
    },
    {
      flags: '-f, --fast [MiB]',
      help: '-f skips the per-byte tests; -fN gives them N MiB',
      defaultText: '3',
    },
    {
      flags: '-r, --ram <MiB>',
      help: 'RAM; the size must be at least twice as large; 0 skips this check',
      defaultText: "the machine's RAM",
    },
    { flags: '-b, --unbuffered', help: 'sync every write, and directories after every file' },
    { flags: '-D, --direct', help: 'bypass the page cache in block tests (not on macOS)' },
    { flags: '-c, --concurrency <N>', help: 'threads; each has its part of the data', defaultText: '1' },
    { flags: '-z, --seed <N>', help: 'seed of the random numbers', defaultText: 'random' },
    { flags: '-Z, --random-file <FILE>', help: 'derive the seed from a file of random bytes' },
    {
      flags: '-x, --runs <N>',
      help: 'number of runs, with one line of CSV per run',
      defaultText: 'once, with the tables',
    },
    { flags: '-m, --label <NAME>', help: "the machine's label", defaultText: "the host's name" },
    { flags: '-q, --quiet', help: 'print only CSV on stdout, and the tables on stderr' },
    { flags: '-u, --user <USER[:GROUP]>', help: 'run as this user (not on Windows); root needs it' },
    { flags: '-g, --group <GROUP>', help: 'run as this group' },
    { flags: '-y, --wait <p>', help: 'wait for Enter before each test', values: { choices: ['p'] } },
  ],
  examples: [
    { command: 'gobonnie bonnie++ -d /mnt/disk -r 0 -s 4g -n 16', comment: 'all tests, not as root' },
    { command: 'gobonnie bonnie++ -u root -r 0 -s 4g -f', comment: 'without the per-byte tests' },
    { command: 'gobonnie bonnie++ -r 0 -s 4g -q > disk.csv', comment: 'one line of CSV' },
  ],
  notes:
    'As in bonnie++, letters may be combined and joined with a value: -qb, -f20. The per-byte tests show the cost of byte-wise code in Node. ' +
    'Like bonnie++, this command does not drop the page cache: keep the size at twice the RAM, or pass -D; -r 0 turns off the check of the size.',
  request(flags: BonniePlusPlusFlags) {
    const rawOptions = optionsFromFlags(flags);
    // Even -x 1 leaves out the tables.
    const isCsvOnly = flags.quiet === true || flags.runs !== undefined;
    return {
      type: 'benchmark',
      rawOptions,
      isCompat: true,
      rows: {},
      formats: isCsvOnly ? ['bonnie++-csv'] : ['bonnie++', 'bonnie++-csv'],
      logFormat: chooseLogFormat(flags),
      prepare: async (terminal) => {
        const { prepareBonniePlusPlus } = await import('../commands/lazy-bundle.js');
        return prepareBonniePlusPlus(flags, terminal);
      },
      abortedExitCode: EXIT_CODES.bonniePlusPlusSignal,
      ignoredSignals: ['SIGHUP'],
      flagNames: FLAG_NAMES,
    };
  },
});

function chooseLogFormat({ quiet, runs }: BonniePlusPlusFlags): LogFormatName {
  if (!quiet) return 'bonnie++';
  return runs === undefined ? 'bonnie++-tables' : 'none';
}
