import { expect, test } from 'vitest';
import { ShellSession } from './shell-session.js';
import { testCompletion } from './test-completion.js';

const COMMAND = 'ZDOTDIR=$HOME zsh -i';
const STUBS = `
gobonnie() { printf '%s\\0' "$@" > ~/arguments; printf '<<%s>>\\n' done; }
npx() { gobonnie "$@"; }
`;
/** Loads the script as in docs/options.md, and records its offers. By default, Tab would also run $() in the line. */
const START = `
PS1=$(printf '<<%s>>' prompt)
unset zle_bracketed_paste
bindkey '^I' complete-word
LISTMAX=9999
autoload -Uz compinit && compinit -u -D
gobonnie() { "$NODE" "$ENTRY" "$@" }
source <(gobonnie completion zsh)
${STUBS}
compadd() {
  if [[ \${@[1,(i)(-|--)]} != *-(O|A|D)\\ * ]]; then
    local -a hits
    builtin compadd -A hits "$@"
    print -rl -- $hits >> ~/offers
  fi
  builtin compadd "$@"
}
`;

const directory = testCompletion('zsh', { command: COMMAND, startFile: '.zshrc', start: START });

test('works from a file in the fpath, through compinit', async () => {
  const start = `
PS1=$(printf '<<%s>>' prompt)
mkdir ~/functions
"$NODE" "$ENTRY" completion zsh > ~/functions/_gobonnie
fpath=(~/functions $fpath)
autoload -Uz compinit && compinit -u -D
${STUBS}
`;
  const session = await ShellSession.start({ command: COMMAND, startFile: '.zshrc', start, directory });
  expect(await session.argumentsAt('gobonnie --cache e')).toEqual(['--cache', 'evict']);
  expect(await session.argumentsAt('npx gobonnie show m')).toEqual(['gobonnie', 'show', 'my * report.json']);
  await session.end();
});
