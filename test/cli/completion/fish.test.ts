import { expect, test } from 'vitest';
import { ShellSession } from './shell-session.js';
import { testCompletion } from './test-completion.js';

/** The directory keeps fish from generating completions from the manual pages. */
const COMMAND =
  "mkdir -p ~/.local/share/fish/generated_completions; fish -i --init-command 'source ~/start.fish'";
const STUBS = `
set -g fish_greeting
function fish_prompt; printf '<<%s>>' prompt; end
function gobonnie; printf '%s\\0' $argv > ~/arguments; printf '<<%s>>\\n' done; end
function npx; gobonnie $argv; end
`;
/** Loads the script as in docs/options.md. Tab also writes the offers to a file. */
const START = `
function gobonnie; $NODE $ENTRY $argv; end
gobonnie completion fish | source
${STUBS}
function note; complete -C (commandline -c) | string replace -r '\\t.*' '' > ~/offers; commandline -f complete; end
function fish_user_key_bindings; bind \\t note; end
`;

const directory = testCompletion('fish', { command: COMMAND, startFile: 'start.fish', start: START });

test("works from a file in fish's completions directory", async () => {
  const start = `
mkdir -p ~/.config/fish/completions
$NODE $ENTRY completion fish > ~/.config/fish/completions/gobonnie.fish
${STUBS}
`;
  const session = await ShellSession.start({ command: COMMAND, startFile: 'start.fish', start, directory });
  expect(await session.argumentsAt('gobonnie --cache e')).toEqual(['--cache', 'evict']);
  expect(await session.argumentsAt('gobonnie show m')).toEqual(['show', 'my * report.json']);
  await session.end();
});
