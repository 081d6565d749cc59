import { expect, test } from 'vitest';
import { defineCommand } from '../../../src/cli/argv/define-command.js';
import { ValuedArgument } from '../../../src/cli/argv/option.js';
import { findCompletions } from '../../../src/cli/completion/complete.js';
import { commands } from '../../../src/cli/dispatch.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { enterDirectory } from '../config/config-directory.js';

/** A command that exists only in this test. */
const moon = defineCommand({
  name: 'gobonnie moon',
  usage: '[options] WORD',
  description: 'Waits for the moon.',
  argument: new ValuedArgument('[WORD]', 'a word', {
    choices: [{ word: 'crescent', help: 'a shape' }, '$(obey)'],
  }),
  options: [
    {
      flags: '-m, --moon-phase <PHASE>',
      help: 'the phase',
      values: { choices: ['waxing', 'waning', '`obey`'] },
    },
    { flags: '--tide', help: 'with the tide' },
    { flags: '--star <NAME>', help: 'a star', repeatable: true },
  ],
  examples: [{ command: 'gobonnie moon', comment: 'waits' }],
  notes: 'Only at night.',
  request: () => ({ type: 'print', text: '' }),
});
const WITH_MOON = [
  ...commands,
  { name: 'moon', summary: 'wait', group: 'Commands', load: async () => moon } as const,
];

/** Returns the words, or the kind of paths, that completion offers for the last word of the line. */
async function wordsAfter(line: string): Promise<readonly string[]> {
  const words = line.split(' ');
  const completions = await findCompletions(WITH_MOON, words.slice(0, -1), words.at(-1) ?? '');
  const isPath = completions.kind === 'files' || completions.kind === 'directories';
  return isPath ? [completions.kind] : completions.words.map(({ word }) => word);
}

test('completion offers exactly the commands and the flags of the help', async () => {
  const { stdout } = await runInProcess(['--help']);
  const [, list = ''] = /\nCommands:\n(.*?)\nArguments:/s.exec(stdout) ?? [];
  const names = [...list.matchAll(/^ {2}(\S+)/gm)].map(([, name = '']) => name);
  expect(await wordsAfter('')).toEqual([...names, 'moon']);
  for (const command of ['', ...names.map((name) => `${name} `)]) {
    const help = (await runInProcess([...command.split(' ').filter(Boolean), '--help'])).stdout;
    const terms = [...help.matchAll(/^ {2}(-.*?)(?: {2}|$)/gm)].map(([, term = '']) => term);
    const flags = terms.flatMap((term) => term.match(/(?<=^|, )--?[\w-]+/g) ?? []);
    expect((await wordsAfter(`${command}-`)).toSorted(), command).toEqual(flags.toSorted());
  }
});

test.each([
  ['--cache=e', ['evict']],
  ['-cache e', ['evict']],
  ['--file-kind ', ['files', 'hard-links', 'symlinks']],
  ['--format bonnie+', ['bonnie++', 'bonnie++-csv', 'bonnie++-csv-1.03', 'bonnie++-csv-1.97']],
  ['show -f js', ['json']],
  ['--phases write,re', ['write,read', 'write,restore', 'write,rewrite']],
  ['-phases=write,read,re', ['write,read,restore', 'write,read,rewrite']],
  ['--label=', []],
  ['--size 1 sh', ['directories']],
  ['nothing --x', []],
  ['explain -- clif', ['cliff']],
  ['bonnie++ -s ', []],
  ['bonnie++ -q -y ', ['p']],
  ['bonnie++ -qb -d ', ['directories']],
  ['zones ', ['files']],
])('%s is completed with %j', async (line, words) => {
  expect((await wordsAfter(line)).toSorted()).toEqual(words);
});

test('a command completes from its description, with its options and their values', async () => {
  expect(await wordsAfter('mo')).toEqual(['moon']);
  expect(await wordsAfter('moon --')).toEqual(['--moon-phase', '--tide', '--star', '--help']);
  expect(await wordsAfter('moon -m wa')).toEqual(['waxing', 'waning']);
  expect(await wordsAfter('moon --moon-phase=wan')).toEqual(['waning']);
  expect(await wordsAfter('moon c')).toEqual(['crescent']);
});

test('completion never offers words that a shell could evaluate', async () => {
  expect(await wordsAfter('moon ')).toEqual(['crescent']);
  expect(await wordsAfter('moon -m ')).toEqual(['waxing', 'waning']);
  enterDirectory({ 'gobonnie.config.json': { profiles: { ci: {}, 'a b': {} } } });
  expect(await wordsAfter('--profile ')).toEqual(['ci']);
});

test('completion offers a used option again only if it is repeatable', async () => {
  expect(await wordsAfter('moon --tide -m waxing --star x --')).toEqual(['--star', '--help']);
  expect(await wordsAfter('--size=1 --siz')).toEqual([]);
  expect(await wordsAfter('-size 1 -json --js')).toEqual([]);
  expect(await wordsAfter('-v --verb')).toEqual([]);
  expect(await wordsAfter('--out a.json --ou')).toEqual(['--out']);
});

test('completion offers an argument as often as the command accepts it', async () => {
  expect(await wordsAfter('compare a.json b.json ')).toEqual(['files']);
  expect(await wordsAfter('/mn')).toEqual(['directories']);
  expect(await wordsAfter('moon crescent ')).toEqual([]);
  expect(await wordsAfter('ab /a /b ')).toEqual(['directories']);
});

test('profiles come from the file of --config, otherwise from the config file that the search finds', async () => {
  const profiles = { nightly: { runs: 5 }, quick: { size: 0.1 } };
  const files = { 'gobonnie.config.json': { size: 1, profiles }, 'other.json': { profiles: { ci: {} } } };
  enterDirectory(files);
  expect((await runInProcess(['__complete', '', '--profile'])).stdout).toBe('words\nnightly\t\nquick\t\n');
  expect(await wordsAfter('--config other.json --profile ')).toEqual(['ci']);
  expect(await wordsAfter('ab --config=other.json --profile=c')).toEqual(['ci']);
});

test.each([['--json=maybe'], ['bonnie++', '-k'], ['--config', '/no/such/file', '--profile']])(
  'an invalid line has no offers and prints no message: %j',
  async (...before) => {
    expect(await runInProcess(['__complete', '', ...before])).toEqual({
      stdout: 'words\n',
      stderr: '',
      exitCode: 0,
    });
  },
);
