import { GobonnieError } from '../../errors.js';
import { display } from '../../text/escape.js';
import { defineCommand } from '../argv/command.js';
import { ValuedArgument } from '../argv/option.js';
import { bash } from '../completion/bash.js';
import { fish } from '../completion/fish.js';
import { powershell } from '../completion/powershell.js';
import type { CompletionScript } from '../completion/script.js';
import { zsh } from '../completion/zsh.js';
import { EXIT_CODES } from '../exit-codes.js';

/** Every shell, one row each. */
const scripts = new Map<string | undefined, CompletionScript>(Object.entries({ bash, zsh, fish, powershell }));
const SHELLS = [...scripts.keys()].map(String);

/** Prints a script with which a shell completes command lines. */
export const completion = defineCommand({
  name: 'gobonnie completion',
  usage: '[options] SHELL',
  description: 'Prints a script with which a shell completes gobonnie command lines.',
  argument: new ValuedArgument('[SHELL]', SHELLS.join(', '), { choices: SHELLS }),
  options: [],
  examples: [
    { command: 'eval "$(gobonnie completion bash)"', does: 'in ~/.bashrc; macOS: ~/.bash_profile' },
    { command: 'source <(gobonnie completion zsh)', does: 'in ~/.zshrc, after compinit' },
    { command: 'gobonnie completion fish | source', does: 'in ~/.config/fish/config.fish' },
    { command: 'gobonnie completion powershell | Out-String | iex', does: 'in $PROFILE' },
  ],
  notes:
    'The first lines of the script say where else it can go. It completes commands, flags, their values and profiles, ' +
    'also after npx gobonnie unless npx has a completion of its own. It asks gobonnie at each Tab, so it stays ' +
    'correct after an update.',
  request(_, [given]) {
    const script = scripts.get(given);
    if (!script) throw unknownShell(given);
    return {
      type: 'act',
      async act({ argv: [node = 'node', entry = 'gobonnie'] }, terminal) {
        terminal.print(script({ node, entry }));
        return EXIT_CODES.done;
      },
    };
  },
});

function unknownShell(given: string | undefined): GobonnieError {
  return new GobonnieError(
    'option-invalid',
    given === undefined
      ? 'completion needs the name of a shell'
      : `there is no completion for ${display(given)}`,
    `pass one of ${SHELLS.join(', ')}`,
  );
}
