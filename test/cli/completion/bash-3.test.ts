import { expect, test } from 'vitest';
import { bash } from '../../../src/cli/completion/bash.js';
import { isUntouched } from './awkward-names.js';
import { ShellSession } from './shell-session.js';
import { testCompletion } from './test-completion.js';

const COMMAND = 'bash --noprofile --rcfile ~/rc -i';
/**
 * Today's bash with what bash 3.2 lacks taken away. Its words are split only at blanks, not at "=", but the word that
 * readline replaces begins after the "=".
 */
const START = `
PS1=$(printf '<<%s>>' prompt)
bind 'set bell-style none'
bind 'set enable-bracketed-paste off'
enable -n compopt mapfile readarray
set -u
eval "$("$NODE" "$ENTRY" completion bash)"
gobonnie() { printf '%s\\0' "$@" > ~/arguments; printf '<<%s>>\\n' done; }
npx() { gobonnie "$@"; }
split_like_3() {
  read -r -a COMP_WORDS <<< "$COMP_LINE"
  [[ $COMP_LINE != *' ' ]] || COMP_WORDS+=('')
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
}
note() { printf '%s\\n' "\${COMPREPLY[@]% }" > ~/offers; }
watched() { split_like_3; _gobonnie "$@"; note; }
watched_npx() { split_like_3; _gobonnie_npx "$@"; note; }
complete -o nospace -F watched gobonnie
complete -o nospace -F watched_npx npx
`;

const directory = testCompletion('bash', { command: COMMAND, startFile: 'rc', start: START });

test('a word is followed by a blank, the word of a list and a directory are not', async () => {
  const session = await ShellSession.start({ command: COMMAND, startFile: 'rc', start: START, directory });
  expect(await session.argumentsAt('gobonnie --ca\tev\tx')).toEqual(['--cache', 'evict', 'x']);
  expect(await session.argumentsAt('gobonnie --cache=ev\tx')).toEqual(['--cache=evict', 'x']);
  expect(await session.argumentsAt('gobonnie --phases rew\t,x')).toEqual(['--phases', 'rewrite,x']);
  expect(await session.argumentsAt('gobonnie --dir s\tx')).toEqual(['--dir', 'sub/x']);
  expect(await session.argumentsAt("gobonnie show 'it\t x")).toEqual([
    'show',
    "it's $(touch obeyed).json",
    'x',
  ]);
  expect(await session.argumentsAt('npx prettier pl\tx')).toEqual(['prettier', 'plain.json', 'x']);
  expect(isUntouched(directory)).toBe(true);
  await session.end();
});

/** What bash 3.2 does not parse, or does not know when it runs, each with an example. */
const NEWER: readonly [example: string, newer: RegExp][] = [
  ['mapfile -t lines', /\b(mapfile|readarray|coproc|_init_completion|BASHPID|EPOCH\w+)\b/],
  ['local -A known', /\b(declare|local|typeset) -\w*[Aglnu]/],
  [`\${word,,}`, /\$\{\w+(\[[^\]]*\])?(\^|,|@[a-zA-Z])/],
  [`\${words[-1]}`, /\$\{\w+\[-/],
  ['[[ -v word ]]', /\[\[ -[vR] /],
  ['gobonnie |& cat', /\|&|&>>|;;?&/],
  ['exec {out}>file', /\{\w+\}[<>]/],
  ['complete -o nosort', /-o nosort/],
  // It reads nothing from a pipe with that name.
  ['source <(gobonnie)', /(source|\.) <\(/],
];

test.each(NEWER)('the script has nothing like %s, which bash 3.2 lacks', (example, newer) => {
  const code = bash({ node: 'node', entry: 'gobonnie' }).replaceAll(/^ *#.*$/gm, '');
  expect(example).toMatch(newer);
  expect(code).not.toMatch(newer);
});
