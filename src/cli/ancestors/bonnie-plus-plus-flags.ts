import type { FlagsRow } from '../argv/option.js';

const WHAT = { group: 'What to measure' } as const;
const HOW = { group: 'How' } as const;
const OFTEN = { group: 'How often' } as const;
const ANSWER = { group: 'The answer' } as const;
const OTHER = { group: 'Other' } as const;

/** bonnie++'s flags, one row each. It knows only the letters; commander needs the names. */
export const BONNIE_PLUS_PLUS_FLAGS: readonly FlagsRow[] = [
  { ...WHAT, flags: '-d, --dir <DIR>', help: 'where the scratch files go', defaultText: '.' },
  {
    ...WHAT,
    flags: '-s, --size <MiB[:CHUNK[:SEEKS[:SEEKERS]]]>',
    help: 'size of the data, g and t for GiB and TiB; chunk in bytes, k for KiB; 0 skips these tests',
    defaultText: 'twice the RAM:8192:8192:5',
  },
  {
    ...WHAT,
    flags: '-n, --files <N[:MAX[:MIN[:DIRS[:CHUNK]]]]>',
    help: 'N times 1024 files of MIN to MAX bytes; 0 skips these tests; MAX is -1 for hard links, -2 for symlinks',
    defaultText: '16',
  },
  {
    ...WHAT,
    flags: '-f, --fast [MiB]',
    help: 'skip the per-byte tests; -fN limits them to N MiB',
    defaultText: '20',
  },
  {
    ...WHAT,
    flags: '-r, --ram <MiB>',
    help: 'the RAM that the size must be twice of; 0 skips this check',
    defaultText: "the machine's",
  },
  { ...HOW, flags: '-b, --unbuffered', help: 'sync after every write, and directories after every file' },
  { ...HOW, flags: '-D, --direct', help: 'bypass the page cache (O_DIRECT) in all block tests' },
  {
    ...HOW,
    flags: '-c, --concurrency <N>',
    help: 'how many threads run each test at once, each on its part of the data',
    defaultText: '1',
  },
  { ...HOW, flags: '-z, --seed <N>', help: 'repeat the same random numbers', defaultText: 'random' },
  { ...HOW, flags: '-Z, --random-file <FILE>', help: 'take the seed from a file of random bytes' },
  {
    ...OFTEN,
    flags: '-x, --runs <N>',
    help: 'how many times to measure, one line of CSV each',
    defaultText: 'once, with the tables',
  },
  { ...ANSWER, flags: '-m, --label <NAME>', help: "the machine's name", defaultText: "the host's" },
  { ...ANSWER, flags: '-q, --quiet', help: 'print only CSV on stdout, and the tables on stderr' },
  {
    ...OTHER,
    flags: '-u, --user <USER[:GROUP]>',
    help: 'run as this user (required for root)',
  },
  { ...OTHER, flags: '-g, --group <GROUP>', help: 'run as this group' },
  {
    ...OTHER,
    flags: '-p, --parties <N>',
    help: 'make a meeting for N processes and exit; -1 removes it',
  },
  {
    ...OTHER,
    flags: '-y, --wait <s|p>',
    help: 'start each test together with the other processes (s) or when Enter is pressed (p)',
    values: { choices: ['s', 'p'] },
  },
];
