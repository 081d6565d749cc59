import { truncateSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type OptionName, optionCatalogue } from '../../../src/options/option-catalogue.js';
import { toFlag } from '../../../src/text/message-template.js';
import { USER_FLAGS } from '../../cli/compat/run-bonnie-plus-plus.js';
import { listDirectory, useTemporaryDirectory } from '../../support/disks/temporary-directory.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { rejectionViolations } from '../output-violations.js';

const USAGE = 2;

/** Invalid as a number, a size, a mode, a format or a phase. */
const WORDS = [
  ...['', ' ', '-', '--', '=', 'NaN', 'Infinity', '1e400', '0x10', '1_000', '1,5', '--1', '１２', '½', '💾'],
  ...['null', '{}', '[1]', '__proto__', 'constructor', '%s%n', '$(reboot)', '<script>', '../..', '~'],
  ...[
    '1\0',
    '1\n',
    '1\u2028',
    '\u001b[2J',
    '\u009b31m1',
    '\u007f',
    '\ud800',
    '\u202e1',
    '\u061c1',
    '1\ufeff',
  ],
  ...['x'.repeat(100_000), '9'.repeat(400), `-${'9'.repeat(400)}`, `${'9'.repeat(310)}k`],
];
const LABELS = ['', 'two\nlines', '\r', 'a\0b', '💾\n', '\u001b[2J\n', `${'x'.repeat(100_000)}\n`];
const PATHS = ['', '\0', '\0/etc', '\u202e\0', 'x\0\u001b[2J', '\u009b\0'];
const FILES = ['missing', '\u001b[31mred', '\u202egnp.exe', '\u009bA', 'x\0y', 'sample.raw/below', 'a\nb'];
const REPORTS = ['.json', 'report.txt', 'a\0\u202e.json', 'missing/\u061c.json', 'sample.raw/x.json', '.'];
const USERS = ['no such user', 'root:no such group', ':', 'x\0y', '\u001b[2J', '\u202eroot', '1.5', '-'];
const UNKNOWN_FLAGS = ['--xx', '--\u001b[2J', '--\u202ea', '--x\0', '--__proto__', '--x\n', '--💾=2'];
const EXTRA_ARGUMENTS = ['', ' ', 'a b', '-', '.', '\0', '\u001b[2J', 'benchmark', '\u202e', '\u009bm'];

/** A command that gobonnie has, and values that its flags reject. */
interface Command {
  readonly name: string;
  /** Arguments that are accepted with valid flags. */
  readonly args: readonly string[];
  readonly wrongValues: Readonly<Record<string, readonly string[]>>;
}

const withWords = (...flags: readonly string[]) => Object.fromEntries(flags.map((flag) => [flag, WORDS]));
const optionFlags = (Object.keys(optionCatalogue) as OptionName[])
  .filter((name) => optionCatalogue[name].argument !== null)
  .map(toFlag);
const bonnieFlags = { '-m': LABELS, '-d': [...PATHS, ...FILES] };

const COMMANDS: readonly Command[] = [
  {
    name: 'gobonnie',
    args: '--dir . --size 0.001 --iops-duration 0.01 --threads 1'.split(' '),
    wrongValues: {
      ...withWords(...optionFlags, '--format', '--profile'),
      ...{ '--label': LABELS, '--dir': [...PATHS, ...FILES], '--out': REPORTS, '--config': FILES },
    },
  },
  {
    name: 'bonnie',
    args: 'bonnie -d . -s 1 -S 9'.split(' '),
    wrongValues: { ...withWords('-s', '-v', '-p', '-S', '-f'), ...bonnieFlags },
  },
  {
    name: 'bonnie++',
    args: ['bonnie++', ...USER_FLAGS, ...'-d . -r 0 -q'.split(' ')],
    wrongValues: { ...withWords('-s', '-n', '-x', '-c', '-r'), ...bonnieFlags, '-Z': FILES, '-u': USERS },
  },
  { name: 'zones', args: ['zones', 'sample.raw'], wrongValues: withWords('-b', '-c') },
  { name: 'show', args: ['show', 'sample.csv'], wrongValues: withWords('-f') },
];

useTemporaryDirectory(() => {
  const row = `silo4,2G,27330,95,62522,19,22619,6,29056,98,56311,6,159.7,0${','.repeat(13)}\n`;
  writeFileSync('sample.csv', row);
  writeFileSync('sample.raw', '');
  truncateSync('sample.raw', 1024 ** 2);
});

/** Returns the problems of command lines that gobonnie must reject in one line before it writes anything. */
async function findViolations(commandLines: readonly (readonly string[])[]): Promise<readonly string[]> {
  const violations: string[] = [];
  for (const args of commandLines) {
    const before = listDirectory();
    const found = [...rejectionViolations(await runInProcess(args), USAGE)];
    if (listDirectory() !== before) found.push('the directory changed');
    if (found.length > 0) violations.push(`${JSON.stringify(args).slice(0, 300)}: ${found.join('; ')}`);
  }
  return violations;
}

test.each(COMMANDS)('$name rejects every wrong value in one line', async ({ args, wrongValues }) => {
  const rows = Object.entries(wrongValues);
  expect(
    await findViolations(rows.flatMap(([flag, values]) => values.map((value) => [...args, flag, value]))),
  ).toEqual([]);
  expect(await findViolations(rows.map(([flag]) => [...args, flag]))).toEqual([]);
});

test.each(COMMANDS)('$name rejects unknown flags and extra arguments in one line', async ({ name, args }) => {
  expect(await findViolations(UNKNOWN_FLAGS.map((flag) => [...args, flag]))).toEqual([]);
  // show accepts several arguments.
  if (name === 'show') return;
  expect(await findViolations(EXTRA_ARGUMENTS.map((extra) => [...args, extra]))).toEqual([]);
});
