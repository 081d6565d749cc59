import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { bash } from '../../../src/cli/completion/bash.js';
import { fish } from '../../../src/cli/completion/fish.js';
import { powershell } from '../../../src/cli/completion/powershell.js';
import { zsh } from '../../../src/cli/completion/zsh.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { requireTools } from '../../support/tools.js';

const SCRIPTS = { bash, zsh, fish, powershell };
const NAMES = Object.keys(SCRIPTS) as readonly (keyof typeof SCRIPTS)[];

/** Text that, in some shell, ends a quote, bracket or line and then runs a command. */
const HOSTILE = `it's "$(touch obeyed)" \`touch obeyed\` [a]: b\\ %s; touch obeyed {x} 'y`;

describe('with hostile text in the path and the description,', () => {
  const BASH =
    'source ./script && COMP_WORDS=(gobonnie mo) COMP_CWORD=1 && _gobonnie gobonnie mo && echo $COMPREPLY';
  /** Prints the offers for "mo". */
  const OFFER = {
    bash: [
      ['--norc', '-c', BASH],
      // bash 3.2 has no compopt.
      ['--norc', '-c', `enable -n compopt; ${BASH}`],
    ],
    zsh: [
      [
        '-f',
        '-c',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: this is zsh.
        'compdef() {}; compset() {}; source ./script; _describe() { print -r -- ${known[1]%%:*} }; words=(gobonnie mo) CURRENT=2; _gobonnie',
      ],
    ],
    fish: [['--no-config', '-c', 'source ./script; complete -C "gobonnie mo" | string match -r "^moon"']],
  } as const;

  describe.each(['bash', 'zsh', 'fish'] as const)('%s', (shell) => {
    beforeEach(requireTools(shell));

    test.each(OFFER[shell].map((args) => [args]))(
      'the script offers the word and runs no other command: %j',
      (args) => {
        const directory = makeDirectory();
        const entry = path.join(directory, `it's $(touch obeyed) "here"`);
        writeFileSync(entry, `cat <<'END'\nwords\nmoon\t${HOSTILE}\nEND\n`);
        writeFileSync(path.join(directory, 'script'), SCRIPTS[shell]({ node: '/bin/sh', entry }));
        const options = { cwd: directory, encoding: 'utf8' } as const;
        expect(execFileSync(shell, ['-n', 'script'], options)).toBe('');
        expect(execFileSync(shell, args, options)).toBe('moon\n');
        expect(readdirSync(directory).length).toBe(2);
      },
    );
  });
});

describe('the script for zsh', () => {
  beforeEach(requireTools('zsh'));

  test('separates a word from its description, but adds nothing to a word without a description', () => {
    const directory = makeDirectory();
    const entry = path.join(directory, 'entry');
    writeFileSync(entry, "printf 'words\\nauto\\t\\ndrop\\tall of it\\n'");
    writeFileSync(path.join(directory, 'script'), zsh({ node: '/bin/sh', entry }));
    const command =
      'compdef() {}; source ./script; _describe() { print -rl -- $known }; words=(gobonnie a) CURRENT=2; _gobonnie';
    const output = execFileSync('zsh', ['-f', '-c', command], { cwd: directory, encoding: 'utf8' });
    expect(output).toBe('auto\ndrop:all of it\n');
  });
});

describe('the script for PowerShell', () => {
  const script = powershell({ node: '/opt/no de/bin/node', entry: "/it's/gobonnie.cjs" });

  test('is registered for gobonnie and npx', () => {
    expect(script).toContain(
      "Register-ArgumentCompleter -Native -CommandName @('gobonnie', 'npx') -ScriptBlock {",
    );
  });

  test('passes the word at the cursor first, after a dot, because PowerShell 5 drops empty words', () => {
    const words = '__complete $current @before 2>$null';
    expect(script).toContain(`& '/opt/no de/bin/node' '/it''s/gobonnie.cjs' ${words}`);
    expect(script).toContain(`& gobonnie ${words}`);
  });

  test('closes every bracket and quote', () => {
    const code = script.replaceAll(/^ *#.*$/gm, '').replaceAll(/'(?:[^']|'')*'|"(?:[^"`]|`.)*"/g, '');
    expect(code).not.toMatch(/['"]/);
    for (const [open, close] of ['()', '{}', '[]'].map((pair) => pair.split('')))
      expect(code.split(open ?? '').length).toBe(code.split(close ?? '').length);
  });
});

describe.each(NAMES)('gobonnie completion %s', (shell) => {
  test('prints only the script, which begins with install instructions', async () => {
    const { stdout, stderr, exitCode } = await runInProcess(['completion', shell]);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const [head = ''] = stdout.split('\n\n');
    expect(head.split('\n').filter((line) => !line.startsWith('#'))).toEqual([]);
    expect(head).toContain(`gobonnie completion ${shell}`);
    expect(head).toContain('npx gobonnie');
  });
});

test.each([
  [[], 'completion needs the name of a shell; pass one of bash, zsh, fish, powershell'],
  [['tcsh'], 'no completion for tcsh; pass one of bash, zsh, fish, powershell'],
  [[''], 'no completion for ""; pass one of bash, zsh, fish, powershell'],
  [['toString'], 'no completion for toString; pass one of bash, zsh, fish, powershell'],
  [['bash', 'zsh'], 'there is no command or argument zsh; see gobonnie completion --help'],
  [['--all'], 'unknown option --all; see gobonnie completion --help'],
])('completion %j is rejected', async (args, line) => {
  const { stdout, stderr, exitCode } = await runInProcess(['completion', ...args]);
  expect({ stdout, stderr, exitCode }).toEqual({ stdout: '', stderr: `gobonnie: ${line}\n`, exitCode: 2 });
});
