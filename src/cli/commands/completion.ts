import { optionError } from '../../errors.js';
import { display } from '../../text/escape.js';
import { validateChoice } from '../../text/suggest.js';
import { defineCommand } from '../argv/define-command.js';
import { ValuedArgument } from '../argv/option.js';
import { readPackageFile } from '../package-file.js';

const SCRIPTS = { bash: 'gobonnie.bash', zsh: 'gobonnie.zsh', fish: 'gobonnie.fish' };
const SHELLS = Object.keys(SCRIPTS);

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
  ],
  notes:
    'The first lines of the script list other places for it. It completes commands, flags, their values and profiles. ' +
    'It runs the gobonnie on the PATH at each Tab (npm install -g gobonnie), so it remains correct after an update. It ' +
    'does not complete after npx gobonnie.',
  request(_, [shellName]) {
    if (shellName === undefined)
      throw optionError('completion needs the name of a shell', `pass one of ${SHELLS.join(', ')}`);
    const shell = validateChoice(SCRIPTS, shellName, `shell ${display(shellName)}`);
    return { type: 'print', text: readPackageFile(`completion/${SCRIPTS[shell]}`) };
  },
});
