import { truncateSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type OptionName, optionCatalogue } from '../../../src/options/option-catalogue.js';
import { toFlag } from '../../../src/options/option-row.js';
import { USER_FLAGS } from '../../cli/compat/run-bonnie-plus-plus.js';
import { seededRandom } from '../../support/data/seeded-random.js';
import { listDirectory, useTemporaryDirectory } from '../../support/disks/temporary-directory.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { rejectionViolations } from '../output-violations.js';
import { splitWords } from '../split-words.js';

const USAGE = 2;
/** Number of wrong values per flag, picked at random from the lists below. */
const VALUES_PER_FLAG = 8;

/** Invalid as a number, a size, a mode, a format or a phase. `␣` stands for a space. */
const WORDS = [
  ...splitWords(
    '- -- = , . * % ? NaN Infinity +inf 1e400 -1e400 1e e5 0x1p-2 null {} [1] __proto__ constructor',
  ),
  ...splitWords(
    'toString 0b1 0x10 1_000 1,5 1;5 1..2 +-1 --1 (1) 1/2 1kk k 1n １２ ٣ ½ ∞ Ⅳ vier 💾 \\u0031 && ../..',
  ),
  ...splitWords(
    '~ %s%n ␣ 1␣2 ␣1 e\u0301 \u200b1 $(reboot) `id` <script> =1+1 \uffff 1\0 \0 1\n \n1 \t1 1\u2028 1\u0085',
  ),
  ...splitWords(
    '\u001b[2J \u009b31m1 \u001b]0;x\u0007 \u007f 1\b \ud800 1\udc00 \u202e1 \u20661\u2069 \u061c1 1\ufeff',
  ),
  ...['', 'x'.repeat(100_000), '9'.repeat(400), `-${'9'.repeat(400)}`, '1e9999', `${'9'.repeat(310)}k`],
];
const LABELS = [...splitWords('two\nlines \r a\0b \0 💾\n \u001b[2J\n'), '', `${'x'.repeat(100_000)}\n`];
const PATHS = [...splitWords('\0 a\0b \0/etc \u202e\0 x\0\u001b[2J \u009b\0'), ''];
const FILES = splitWords(
  'missing \u001b[31mred \u202egnp.exe \u009bA x\0y it\'s" missing/deeper sample.raw/below a\nb',
);
const REPORTS = splitWords(
  '.json report.txt a\0\u202e.json missing/\u061c.json missing/report.json sample.raw/x.json .',
);
const USERS = splitWords(
  'no␣such␣user root:no␣such␣group root\n : x\0y \u001b[2J \u202eroot ROOT! 1.5 - 4294967295',
);

/** A flag, and its wrong values. */
type FlagRow = readonly [flag: string, wrongValues: readonly string[]];

const OPTIONS: readonly FlagRow[] = (Object.keys(optionCatalogue) as OptionName[])
  .filter((name) => optionCatalogue[name].argument !== null)
  .map((name) => [toFlag(name), name === 'label' ? LABELS : name === 'dir' ? PATHS : WORDS]);
const PRESENTATION: readonly FlagRow[] = [
  ['--format', WORDS],
  ['--out', REPORTS],
];
const SMALL_RUN = '--dir . --size 0.001 --iops-duration 0.01 --threads 1'.split(' ');
const withWords = (flags: string): readonly FlagRow[] => flags.split(' ').map((flag) => [flag, WORDS]);

interface FrontEnd {
  /** A small run, in case the command line is accepted. */
  readonly small: readonly string[];
  readonly flags: readonly FlagRow[];
  /** The argument of a command that reads a file. */
  readonly operand?: string;
}

const DIRECTORY: FlagRow = ['-d', [...PATHS, ...FILES]];
const OWN = [...OPTIONS, ...PRESENTATION];

/** The programs whose command lines gobonnie accepts, and its commands that read files. */
const FRONT_ENDS: Readonly<Record<string, FrontEnd>> = {
  gobonnie: { small: SMALL_RUN, flags: [...OWN, ['--config', FILES], ['--profile', WORDS]] },
  bonniego: { small: SMALL_RUN, flags: OWN },
  bonnie: {
    small: ['-d', '.', '-s', '1', '-S', '9'],
    flags: [...withWords('-s -v -p -S -f'), ['-m', LABELS], DIRECTORY],
  },
  'bonnie++': {
    small: [...USER_FLAGS, ...'-d . -r 0 -q'.split(' ')],
    flags: [...withWords('-s -n -x -c -r'), ['-m', LABELS], DIRECTORY, ['-Z', FILES], ['-u', USERS]],
  },
  zones: { small: [], flags: withWords('-b -c -f'), operand: 'sample.raw' },
  show: { small: [], flags: withWords('-f'), operand: 'sample.csv' },
};
const ROWS = Object.entries(FRONT_ENDS);
const UNKNOWN_FLAGS = splitWords(
  '--xx --\u001b[2J --\u202ea --x\0 --__proto__ --constructor=1 --x\n --\u009bm --💾=2',
);
const EXTRA_ARGUMENTS = ['', ...splitWords('␣ a␣b - . 1 \0 \u001b[2J benchmark \u202e 💾 \u009bm')];

/** Two commands, a command after a flag, an unknown command, and a command without its argument. */
const CONFUSED_COMMANDS = `
  bonnie bonnie++ | bonniego gobonniego | zones zones zones | --json bonnie | gobonniego show | bonnie++ zones
  --dir . show | -- bonnie | Bonnie | gobonnie | bonnie+ | zcav | show | zones`;

const random = seededRandom(20_180_412);
const commandLine = (name: string, ...args: readonly string[]) => [
  ...(name === 'gobonnie' ? [] : [name]),
  ...(FRONT_ENDS[name]?.small ?? []),
  ...args,
];
/** The same with the file that the command needs. */
const withOperand = (name: string, ...args: readonly string[]) => {
  const { operand } = FRONT_ENDS[name] ?? {};
  return commandLine(name, ...args, ...(operand ? [operand] : []));
};

const commandLines: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'a wrong value': ROWS.flatMap(([name, { flags }]) =>
    flags.flatMap(([flag, wrongValues]) =>
      Array.from({ length: VALUES_PER_FLAG }, () => withOperand(name, flag, random.oneOf(wrongValues))),
    ),
  ),
  'a missing value': ROWS.flatMap(([name, { flags }]) => flags.map(([flag]) => commandLine(name, flag))),
  'a switch that is neither on nor off': ['gobonnie', 'bonniego'].flatMap((name) =>
    ['--json', '-q', '--direct', '--dry-run'].flatMap((flag) =>
      splitWords('maybe yes 2 tRUE ␣true true\n \0 １ \u202etrue').map((value) =>
        commandLine(name, `${flag}=${value}`),
      ),
    ),
  ),
  'an unknown flag': ROWS.flatMap(([name]) => UNKNOWN_FLAGS.map((flag) => withOperand(name, flag))),
  // show accepts several arguments.
  'an extra argument': ROWS.filter(([name]) => name !== 'show').flatMap(([name]) =>
    EXTRA_ARGUMENTS.flatMap((extra) => [withOperand(name, extra), withOperand(name, '--', extra)]),
  ),
  'a confusion of commands': CONFUSED_COMMANDS.trim()
    .split(/ \| |\n\s*/)
    .map((row) => row.split(' ')),
};

useTemporaryDirectory(() => {
  writeFileSync(
    'sample.csv',
    `silo4,2G,27330,95,62522,19,22619,6,29056,98,56311,6,159.7,0${','.repeat(13)}\n`,
  );
  writeFileSync('sample.raw', '');
  truncateSync('sample.raw', 1024 ** 2);
});

test.each(Object.entries(commandLines))(
  '%s is rejected in one line, and no file is written',
  async (_, family) => {
    const failures: string[] = [];
    for (const args of family) {
      const before = listDirectory();
      const violations = [...rejectionViolations(await runInProcess(args), USAGE)];
      if (listDirectory() !== before) violations.push('the directory changed');
      if (violations.length > 0)
        failures.push(`${JSON.stringify(args).slice(0, 300)}: ${violations.join('; ')}`);
    }
    expect(failures).toEqual([]);
  },
);
