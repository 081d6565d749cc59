import { expect, test } from 'vitest';
import { gobonniego } from '../../../src/cli/ancestors/gobonniego.js';
import { defineCommand } from '../../../src/cli/argv/command.js';
import { ValuedArgument } from '../../../src/cli/argv/option.js';
import { answerFor } from '../../../src/cli/completion/answer.js';
import { commands } from '../../../src/cli/dispatch.js';
import { gobonnieHere } from '../../support/programs/program-here.js';
import { enterDirectory } from '../config/config-directory.js';

/** A command that gobonnie does not have yet. */
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
  examples: [{ command: 'gobonnie moon', does: 'waits' }],
  notes: 'Only at night.',
  request: () => ({ type: 'say', text: '' }),
});
const program = {
  commands: [
    ...commands,
    { name: 'moon', summary: 'wait', group: 'Commands', load: async () => moon } as const,
  ],
  program: gobonniego,
  profileNames: async (file: string | undefined) => [file ?? 'ci', 'a b'],
};

/** The words that are offered behind these; the last one is being typed. */
async function wordsAfter(line: string): Promise<readonly string[]> {
  const words = line.split(' ');
  const answer = await answerFor(program, words.slice(0, -1), words.at(-1) ?? '');
  return 'words' in answer ? answer.words.map(({ word }) => word) : [answer.kind];
}

test('a new command, its options and their values are completed by themselves', async () => {
  expect(await wordsAfter('mo')).toEqual(['moon']);
  expect(await wordsAfter('moon --')).toEqual(['--moon-phase', '--tide', '--star', '--help']);
  expect(await wordsAfter('moon -m wa')).toEqual(['waxing', 'waning']);
  expect(await wordsAfter('moon --moon-phase=wan')).toEqual(['waning']);
  expect(await wordsAfter('moon c')).toEqual(['crescent']);
});

test('words that a shell could evaluate are not offered', async () => {
  expect(await wordsAfter('moon ')).toEqual(['crescent']);
  expect(await wordsAfter('moon -m ')).toEqual(['waxing', 'waning']);
  expect(await wordsAfter('--profile ')).toEqual(['ci']);
});

test('an option is offered once, unless it is repeatable', async () => {
  expect(await wordsAfter('moon --tide -m waxing --star x --')).toEqual(['--star', '--help']);
  expect(await wordsAfter('--size=1 --siz')).toEqual([]);
  expect(await wordsAfter('-size 1 -json --js')).toEqual([]);
  expect(await wordsAfter('-v --verb')).toEqual([]);
  expect(await wordsAfter('--out a.json --ou')).toEqual(['--out']);
});

test('an argument is offered as often as the command takes it', async () => {
  expect(await wordsAfter('moon crescent ')).toEqual([]);
  expect(await wordsAfter('compare a.json b.json ')).toEqual(['files']);
  expect(await wordsAfter('ab /a /b ')).toEqual(['directories']);
});

test('getopt takes letters, and values behind them', async () => {
  expect(await wordsAfter('bonnie++ -qd ')).toEqual(['directories']);
  expect(await wordsAfter('bonnie++ -q -y ')).toEqual(['s', 'p']);
  expect(await wordsAfter('bonnie++ -')).toContain('-d');
  expect(await wordsAfter('bonnie++ -')).not.toContain('--dir');
  expect(await wordsAfter('bonnie++ -q -')).not.toContain('-q');
});

test('what stands behind -- is an argument', async () => {
  expect(await wordsAfter('moon -- --tide ')).toEqual([]);
});

test('profiles are those of the file that --config names', async () => {
  expect(await wordsAfter('--config other.json --profile ')).toEqual(['other.json']);
  expect(await wordsAfter('ab --config=other.json --profile=o')).toEqual(['other.json']);
});

test('the program reads profiles from the config file that it finds', async () => {
  const profiles = { nightly: { runs: 5 }, quick: { size: 0.1 } };
  enterDirectory(
    { 'gobonnie.config.json': { size: 1, profiles }, 'other.json': { profiles: { ci: {} } }, 'below/x': '' },
    'below',
  );
  expect((await gobonnieHere(['__complete', '.', '--profile'])).stdout).toBe('words\nnightly\t\nquick\t\n');
  const named = await gobonnieHere(['__complete', '.', '--config', '../other.json', '--profile']);
  expect(named.stdout).toBe('words\nci\t\n');
});

test.each([['--json=maybe'], ['bonnie++', '-k'], ['--config', '/no/such/file', '--profile']])(
  'a line that is wrong offers nothing, and says nothing: %j',
  async (...before) => {
    expect(await gobonnieHere(['__complete', '.', ...before])).toEqual({
      stdout: 'words\n',
      stderr: '',
      exitCode: 0,
    });
  },
);
