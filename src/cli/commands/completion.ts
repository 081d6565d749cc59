import { GobonnieError } from '../../errors.js';
import { display } from '../../text/escape.js';
import { defineCommand } from '../argv/define-command.js';
import { ValuedArgument } from '../argv/option.js';
import { bash } from '../completion/bash.js';
import type { CompletionScript } from '../completion/completion-script.js';
import { fish } from '../completion/fish.js';
import { powershell } from '../completion/powershell.js';
import { zsh } from '../completion/zsh.js';
import { EXIT_CODES } from '../exit-codes.js';

/** Script generators by shell. */
const scripts = new Map<string | undefined, CompletionScript>(
  Object.entries({ bash, zsh, fish, powershell }),
);
const SHELLS = [...scripts.keys()].map(String);

/** Prints a completion script for a shell. */
export const completion = defineCommand({
  name: 'gobonnie completion',
  usage: '[options] SHELL',
  description: 'Prints a script that lets a shell complete gobonnie command lines.',
  argument: new ValuedArgument('[SHELL]', SHELLS.join(', '), { choices: SHELLS }),
  options: [],
  examples: [
    { command: 'eval "$(gobonnie completion bash)"', comment: 'in ~/.bashrc; macOS: ~/.bash_profile' },
    { command: 'source <(gobonnie completion zsh)', comment: 'in ~/.zshrc, after compinit' },
    { command: 'gobonnie completion fish | source', comment: 'in ~/.config/fish/config.fish' },
    { command: 'gobonnie completion powershell | Out-String | iex', comment: 'in $PROFILE' },
  ],
  notes:
    'The first lines of the script list other places for it. It completes commands, flags, their values and profiles, ' +
    'also after npx gobonnie (if npx has no completion of its own). It runs gobonnie at each Tab, so it remains correct ' +
    'after an update.',
  request(_, [shellName]) {
    const script = scripts.get(shellName);
    if (!script) throw unknownShellError(shellName);
    return {
      type: 'command',
      async run({ argv: [node = 'node', entry = 'gobonnie'] }, terminal) {
        terminal.print(script({ node, entry }));
        return EXIT_CODES.success;
      },
    };
  },
});

function unknownShellError(shellName: string | undefined): GobonnieError {
  return new GobonnieError(
    'option-invalid',
    shellName === undefined
      ? 'completion needs the name of a shell'
      : `no completion for ${display(shellName)}`,
    `pass one of ${SHELLS.join(', ')}`,
  );
}
