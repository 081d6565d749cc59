import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { ValuedOption } from '../../../src/cli/argv/option.js';
import { type Shell, shells } from '../../../src/cli/completion/shells.js';
import { programVocabularyOf } from '../../../src/cli/completion/vocabulary.js';
import { makeDirectory } from '../../support/directory.js';
import { gobonnieHere } from '../../support/program-here.js';
import { needs } from '../../support/tool.js';
import { future, futureScript } from './future.js';

const SHELLS = Object.keys(shells) as readonly Shell[];
describe.each(SHELLS)('a new command and its options, in %s,', (shell) => {
  beforeEach(needs(shell));

  test('are there by themselves', async () => {
    const text = await futureScript(shell);
    for (const word of ['moon', 'moon-phase', 'waxing', 'waning', 'tide', 'crescent'])
      expect(text).toMatch(new RegExp(`\\b${word}\\b`));
  });

  test('cannot break it, whatever their help says', async () => {
    const directory = makeDirectory();
    writeFileSync(path.join(directory, 'script'), await futureScript(shell));
    const load: Readonly<Record<Shell, readonly string[]>> = {
      bash: [
        '--norc',
        '-c',
        'source ./script && COMP_WORDS=(gobonnie mo) COMP_CWORD=1 && _gobonnie && echo $COMPREPLY',
      ],
      zsh: [
        '-f',
        '-c',
        'compdef() {}; source ./script && _describe() { print -r -- $known[1] | cut -c1-4 }; _gobonnie_commands',
      ],
      fish: [
        '--no-config',
        '-c',
        'source ./script; complete -C "gobonnie moon --moon-phase=" >/dev/null; complete -C "gobonnie mo" | string match -r "^moon"',
      ],
    };
    const options = { cwd: directory, encoding: 'utf8' } as const;
    expect(execFileSync(shell, ['-n', 'script'], options)).toBe('');
    expect(execFileSync(shell, load[shell], options)).toBe('moon\n');
    expect(readdirSync(directory)).toEqual(['script']);
  });
});

test('a word that a shell could see more in than a word is refused', async () => {
  const command = () =>
    future
      .command()
      .addOption(new ValuedOption({ flags: '--sea <FISH>', help: 'sea', values: { choices: ['$(obey)'] } }));
  const program = programVocabularyOf({ main: { ...future, command }, named: [] });
  await expect(program).rejects.toThrow('$(obey) is no word');
});

describe.each(SHELLS)('gobonnie completion %s', (shell) => {
  test('prints the script alone, which begins with how to install it', async () => {
    const { stdout, stderr, exitCode } = await gobonnieHere(['completion', shell]);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const [head = ''] = stdout.split('\n\n');
    expect(head.split('\n').filter((line) => !line.startsWith('#'))).toEqual([]);
    expect(head).toContain(`gobonnie completion ${shell}`);
    expect(head).toContain('npx gobonnie');
  });
});

test.each([
  [[], 'completion needs the name of a shell; pass one of bash, zsh, fish'],
  [['tcsh'], 'there is no completion for tcsh; pass one of bash, zsh, fish'],
  [[''], 'there is no completion for ""; pass one of bash, zsh, fish'],
  [['toString'], 'there is no completion for toString; pass one of bash, zsh, fish'],
  [['bash', 'zsh'], 'there is no command or argument zsh; see gobonnie completion --help'],
  [['--all'], 'unknown option --all; see gobonnie completion --help'],
])('completion %j is refused', async (args, line) => {
  const { stdout, stderr, exitCode } = await gobonnieHere(['completion', ...args]);
  expect({ stdout, stderr, exitCode }).toEqual({ stdout: '', stderr: `gobonnie: ${line}\n`, exitCode: 2 });
});
