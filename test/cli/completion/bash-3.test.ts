import { expect, test } from 'vitest';
import { bash } from '../../../src/cli/completion/bash.js';
import { isUntouched } from './awkward-names.js';
import { ShellSession } from './shell-session.js';
import { testCompletion } from './test-completion.js';

const COMMAND = 'bash --noprofile --rcfile ~/rc -i';
/**
 * Today's bash without the features that bash 3.2 lacks. Bash 3.2 splits words only at blanks, not at "=", but readline
 * replaces only the text after the "=".
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

test('a blank follows a completed word, but not a word of a list or a directory', async () => {
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

/** Syntax and features that bash 3.2 lacks, each with an example. */
const NEWER_FEATURES: readonly [example: string, pattern: RegExp][] = [
  ['mapfile -t lines', /\b(mapfile|readarray|coproc|_init_completion|BASHPID|EPOCH\w+)\b/],
  ['local -A known', /\b(declare|local|typeset) -\w*[Aglnu]/],
  [`\${word,,}`, /\$\{\w+(\[[^\]]*\])?(\^|,|@[a-zA-Z])/],
  [`\${words[-1]}`, /\$\{\w+\[-/],
  ['[[ -v word ]]', /\[\[ -[vR] /],
  ['gobonnie |& cat', /\|&|&>>|;;?&/],
  ['exec {out}>file', /\{\w+\}[<>]/],
  ['complete -o nosort', /-o nosort/],
  // In bash 3.2, source reads nothing from a process substitution.
  ['source <(gobonnie)', /(source|\.) <\(/],
];

test.each(NEWER_FEATURES)(
  'the script does not use a feature like %s, which bash 3.2 lacks',
  (example, pattern) => {
    const code = bash({ node: 'node', entry: 'gobonnie' }).replaceAll(/^ *#.*$/gm, '');
    expect(example).toMatch(pattern);
    expect(code).not.toMatch(pattern);
  },
);
