import { optionError } from '../../errors.js';
import { display } from '../../text/escape.js';
import { defineCommand } from '../argv/define-command.js';
import { ValuedArgument } from '../argv/option.js';
import { readPackageFile } from '../package-file.js';

const SCRIPTS = new Map<string | undefined, string>([
  ['bash', 'completion/gobonnie.bash'],
  ['zsh', 'completion/gobonnie.zsh'],
  ['fish', 'completion/gobonnie.fish'],
  ['powershell', 'completion/gobonnie.ps1'],
]);
const SHELLS = [...SCRIPTS.keys()].map(String);

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
    'The first lines of the script list other places for it. It completes commands, flags, their values and profiles. ' +
    'It runs the gobonnie on the PATH at each Tab (npm install -g gobonnie), so it remains correct after an update. It ' +
    'does not complete after npx gobonnie.',
  request(_, [shellName]) {
    const script = SCRIPTS.get(shellName);
    if (script === undefined)
      throw optionError(
        shellName === undefined
          ? 'completion needs the name of a shell'
          : `no completion for ${display(shellName)}`,
        `pass one of ${SHELLS.join(', ')}`,
      );
    return { type: 'print', text: readPackageFile(script) };
  },
});
