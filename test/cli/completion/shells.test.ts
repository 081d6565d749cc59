import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { makeDirectory } from '../../support/disks/directory.js';
import { createPath } from '../../support/programs/create-path.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { requireTools } from '../../support/tools.js';

const TIMEOUT_MS = 100_000;

interface Shell {
  /** Starts the shell. `$HOME` contains the start file; the program is on the PATH. */
  readonly command: string;
  /** The name and the text of the start file. It defines a `gobonnie` that writes its arguments to ~/arguments. */
  readonly startFile: string;
  readonly start: string;
}

/** Starts a shell in a terminal. Returns a function that types keys and Enter, and returns gobonnie's arguments. */
async function openShell(
  { command, startFile, start }: Shell,
  cwd: string,
): Promise<(keys: string) => Promise<readonly string[]>> {
  const HOME = mkdtempSync(path.join(os.tmpdir(), 'test-shell-'));
  writeFileSync(path.join(HOME, startFile), start);
  const env = { PATH: createPath(), HOME, TERM: 'xterm', LANG: 'C.UTF-8' };
  const child = spawn('script', ['-qec', command, '/dev/null'], { cwd, env, stdio: 'pipe' });
  const closed = new Promise((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.stdin.end('exit\r');
    await closed;
    rmSync(HOME, { recursive: true });
  });
  let screen = '';
  let onOutput = () => {};
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    onOutput();
  });
  const waitForPrompt = () =>
    new Promise<void>((resolve, reject) => {
      const fail = () => reject(new Error(`the shell does not respond:\n${JSON.stringify(screen)}`));
      const timeout = setTimeout(fail, TIMEOUT_MS);
      onOutput = () => {
        if (!/<<done>>.*<<prompt>>/s.test(screen)) return;
        clearTimeout(timeout);
        resolve();
      };
    });
  await waitForPrompt();
  return async (keys) => {
    screen = '';
    child.stdin.write(`${keys}\r`);
    await waitForPrompt();
    return readFileSync(path.join(HOME, 'arguments'), 'utf8').split('\0').slice(0, -1);
  };
}

/** Names that a careless script would split, expand or run. Each name begins with a different letter. */
const FILES = ['plain.json', 'my * report.json', "it's $(touch obeyed).json", 'and;touch obeyed;b.json'];
const DIRECTORIES = ['sub', 'deep $(touch obeyed)', 'enough; touch obeyed'];

function makeAwkwardDirectory(): string {
  const directory = makeDirectory();
  for (const name of FILES) writeFileSync(path.join(directory, name), '');
  for (const name of DIRECTORIES) mkdirSync(path.join(directory, name));
  return directory;
}

/** The arguments that gobonnie receives after the line, Tab and Enter. */
const LINES: readonly [line: string, args: readonly string[]][] = [
  ['gobonnie sh', ['show']],
  ['gobonnie --cache e', ['--cache', 'evict']],
  ['gobonnie --cache=e', ['--cache=evict']],
  ['gobonnie --phases write,rew', ['--phases', 'write,rewrite']],
  ['gobonnie --phases=write,rew', ['--phases=write,rewrite']],
  ['gobonnie --size 1 --label ', ['--size', '1', '--label']],
  ['gobonnie --out=m', ['--out=my * report.json']],
  ['gobonnie --baseline i', ['--baseline', "it's $(touch obeyed).json"]],
  ['gobonnie compare plain.json a', ['compare', 'plain.json', 'and;touch obeyed;b.json']],
  ['gobonnie show "m', ['show', 'my * report.json']],
  ['gobonnie --dir d', ['--dir', 'deep $(touch obeyed)']],
  ['gobonnie --dir=e', ['--dir=enough; touch obeyed']],
  ['gobonnie --dir p', ['--dir', 'p']],
];

/** Lines that create a file if the shell evaluates any of their words at Tab. */
const HOSTILE: readonly string[] = [
  'gobonnie $(touch obeyed) --cache e',
  'gobonnie --phases $(touch obeyed),re',
  'gobonnie --cache "`touch obeyed`',
  'gobonnie "$(touch obeyed)" --',
];

const CTRL_U = '\x15';
const POSIX_STUB = `gobonnie() { printf '%s\\0' "$@" > ~/arguments; printf '<<%s>>\\n' done; }; gobonnie`;
const BASH_START = `
PS1=$(printf '<<%s>>' prompt)
bind 'set bell-style none'
bind 'set enable-bracketed-paste off'
`;
const ZSH_START = `
PS1=$(printf '<<%s>>' prompt)
unset zle_bracketed_paste
# By default, Tab also runs $() in the word at the cursor.
bindkey '^I' complete-word
fpath=(~ $fpath)
autoload -Uz compinit
`;
const FISH_STUB = `
set -g fish_greeting
function fish_prompt; printf '<<%s>>' prompt; end
function gobonnie; printf '%s\\0' $argv > ~/arguments; printf '<<%s>>\\n' done; end
gobonnie
`;
const BASH: Shell = {
  command: 'bash --noprofile --rcfile ~/rc -i',
  startFile: 'rc',
  start: `${BASH_START}eval "$(gobonnie completion bash)"\n${POSIX_STUB}`,
};
const ZSH: Shell = {
  command: 'ZDOTDIR=$HOME zsh -i',
  startFile: '.zshrc',
  start: `${ZSH_START}compinit -u -D\nsource <(gobonnie completion zsh)\n${POSIX_STUB}`,
};
/** The directory keeps fish from generating completions from the manual pages. */
const FISH: Shell = {
  command: `mkdir -p ~/.local/share/fish/generated_completions; fish -i --init-command 'source ~/start.fish'`,
  startFile: 'start.fish',
  start: `gobonnie completion fish | source\n${FISH_STUB}`,
};

/** Each shell loads the script as its first lines say. */
describe.each(Object.entries({ bash: BASH, zsh: ZSH, fish: FISH }))('%s', (name, shell) => {
  beforeEach(requireTools(name, 'script'));

  test('completes commands, flags, values and paths, and evaluates no word', async () => {
    const directory = makeAwkwardDirectory();
    const type = await openShell(shell, directory);
    for (const [line, args] of LINES) {
      // Some shells add a slash to a directory.
      const received = (await type(`${line}\t`)).map((word) => word.replace(/\/$/, ''));
      expect(received, line).toEqual(args);
    }
    // In fish, a blank follows even a word of a list.
    if (name !== 'fish') expect(await type('gobonnie --phases rew\t,x')).toEqual(['--phases', 'rewrite,x']);
    for (const line of HOSTILE) await type(`${line}\t${CTRL_U}gobonnie`);
    expect(readdirSync(directory).toSorted()).toEqual([...FILES, ...DIRECTORIES].toSorted());
  });
});

test('bash completes with nounset, and values after a COMP_WORDBREAKS without "=", as npm sets it', async (context) => {
  requireTools('bash', 'script')(context);
  const start = `set -u\nCOMP_WORDBREAKS=\${COMP_WORDBREAKS//=}\n${BASH.start}`;
  const type = await openShell({ ...BASH, start }, makeDirectory());
  expect(await type('gobonnie sh\t')).toEqual(['show']);
  expect(await type('gobonnie --cache=e\t')).toEqual(['--cache=evict']);
  expect(await type('gobonnie --phases=write,rew\t')).toEqual(['--phases=write,rewrite']);
});

test.each(['bash', 'zsh', 'fish'])(
  'gobonnie completion %s prints only the script, which begins with install instructions',
  async (shell) => {
    const { stdout, stderr, exitCode } = await runInProcess(['completion', shell]);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const [head = ''] = stdout.split('\n\n');
    expect(head.split('\n').filter((line) => !line.startsWith('#'))).toEqual([]);
    expect(head).toContain(`gobonnie completion ${shell}`);
  },
);

test.each([
  [[], 'completion needs the name of a shell; pass one of bash, zsh, fish'],
  [['tcsh'], 'unknown shell tcsh; pass one of bash, zsh, fish'],
  [['toString'], 'unknown shell toString; pass one of bash, zsh, fish'],
])('completion %j is rejected', async (args, line) => {
  const { stdout, stderr, exitCode } = await runInProcess(['completion', ...args]);
  expect({ stdout, stderr, exitCode }).toEqual({ stdout: '', stderr: `gobonnie: ${line}\n`, exitCode: 2 });
});
