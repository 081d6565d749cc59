import { expect, test } from 'vitest';
import { ShellSession } from './shell-session.js';
import { testCompletion } from './test-completion.js';

/** With this directory fish does not start to collect completions from the manual pages. */
const COMMAND =
  "mkdir -p ~/.local/share/fish/generated_completions; fish -i --init-command 'source ~/start.fish'";
const CALLED = `
set -g fish_greeting
function fish_prompt; printf '<<%s>>' prompt; end
function gobonnie; printf '%s\\0' $argv > ~/arguments; printf '<<%s>>\\n' done; end
function npx; gobonnie $argv; end
`;
/** Loaded as docs/options.md says. Tab also writes the offers to a file. */
const START = `
function gobonnie; $NODE $ENTRY $argv; end
gobonnie completion fish | source
${CALLED}
function note; complete -C (commandline -c) | string replace -r '\\t.*' '' > ~/offers; commandline -f complete; end
function fish_user_key_bindings; bind \\t note; end
`;

const directory = testCompletion('fish', { command: COMMAND, startFile: 'start.fish', start: START });

test('works from a file that fish finds', async () => {
  const start = `
mkdir -p ~/.config/fish/completions
$NODE $ENTRY completion fish > ~/.config/fish/completions/gobonnie.fish
${CALLED}
`;
  const session = await ShellSession.start({ command: COMMAND, startFile: 'start.fish', start, directory });
  expect(await session.argumentsAt('gobonnie --cache e')).toEqual(['--cache', 'evict']);
  expect(await session.argumentsAt('gobonnie show m')).toEqual(['show', 'my * report.json']);
  await session.end();
});
