import { expect, test } from 'vitest';
import { isUntouched } from './awkward-names.js';
import { ShellSession } from './shell-session.js';
import { testCompletion } from './test-completion.js';

const COMMAND = 'bash --noprofile --rcfile ~/rc -i';
/** Loads the script as in docs/options.md, and records its offers. */
const START = `
PS1=$(printf '<<%s>>' prompt)
bind 'set bell-style none'
bind 'set enable-bracketed-paste off'
gobonnie() { "$NODE" "$ENTRY" "$@"; }
eval "$(gobonnie completion bash)"
gobonnie() { printf '%s\\0' "$@" > ~/arguments; printf '<<%s>>\\n' done; }
npx() { gobonnie "$@"; }
watched() { _gobonnie "$@"; printf '%s\\n' "\${COMPREPLY[@]}" > ~/offers; }
watched_npx() { _gobonnie_npx "$@"; printf '%s\\n' "\${COMPREPLY[@]}" > ~/offers; }
complete -F watched gobonnie
complete -F watched_npx npx
`;

const directory = testCompletion('bash', { command: COMMAND, startFile: 'rc', start: START });

test('a word with wildcards matches no offer', async () => {
  const session = await ShellSession.start({ command: COMMAND, startFile: 'rc', start: START, directory });
  for (const line of ['gobonnie --cache ?*', 'gobonnie [cs]*', 'gobonnie --phases write,?*'])
    expect(await session.offersAt(line)).toEqual(['']);
  await session.end();
});

test('works with nounset, and with a COMP_WORDBREAKS without "=", as npm sets it', async () => {
  const start = `${START}\nset -u\nCOMP_WORDBREAKS=\${COMP_WORDBREAKS//=}`;
  const strict = await ShellSession.start({ command: COMMAND, startFile: 'rc', start, directory });
  expect(await strict.argumentsAt('gobonnie --cache=e')).toEqual(['--cache=evict']);
  expect(await strict.argumentsAt('gobonnie --phases=write,rew')).toEqual(['--phases=write,rewrite']);
  expect(await strict.argumentsAt('gobonnie --out=m')).toEqual(['--out=my * report.json']);
  expect(await strict.argumentsAt('gobonnie --dir=d')).toEqual(['--dir=deep $(touch obeyed)/']);
  expect(await strict.argumentsAt('npx -y gobonnie --dir=s')).toEqual(['-y', 'gobonnie', '--dir=sub/']);
  expect(isUntouched(directory)).toBe(true);
  await strict.end();
});

test('keeps an existing completion of npx, and completes files for other programs after npx', async () => {
  const start = `
PS1=$(printf '<<%s>>' prompt)
bind 'set bell-style none'
complete -W mine npx
eval "$("$NODE" "$ENTRY" completion bash)"
gobonnie() { printf '%s\\0' "$@" > ~/arguments; printf '<<%s>>\\n' done; }
npx() { gobonnie "$@"; }
`;
  const other = await ShellSession.start({ command: COMMAND, startFile: 'rc', start, directory });
  expect(await other.argumentsAt('npx gobonnie m')).toEqual(['gobonnie', 'mine']);
  await other.end();
  const own = start.replace('complete -W mine npx\n', '');
  const plain = await ShellSession.start({ command: COMMAND, startFile: 'rc', start: own, directory });
  expect(await plain.argumentsAt('npx prettier pl')).toEqual(['prettier', 'plain.json']);
  await plain.end();
});
