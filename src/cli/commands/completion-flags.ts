import { GobonnieError } from '../../errors.js';
import { shown } from '../../text/escape.js';
import { commandOf } from '../argv/face.js';
import { lex } from '../argv/lexing.js';
import { ValuedArgument } from '../argv/option.js';
import { type Shell, shells } from '../completion/shells.js';
import type { Program } from '../completion/vocabulary.js';
import type { Dialect, Request } from '../request.js';

const SHELLS = Object.keys(shells) as readonly Shell[];

const NOTES =
  'The script begins with what it needs and where else it may be put. It completes commands, flags and their ' +
  'values, and the same behind npx gobonnie where npx has no completion of its own. It is made of what this ' +
  'version takes: make it anew after an update, or load it as above, so that it always is.';

/** A script for a shell, made of what the program itself takes. */
export function completionOf(program: () => Program): Dialect {
  return {
    name: 'completion',
    summary: `print a script that completes command lines, for ${SHELLS.join(', ')}`,
    group: 'Commands',

    command: () =>
      commandOf({
        name: 'gobonnie completion',
        usage: '[options] SHELL',
        description: 'Prints a script with which a shell completes the command lines of gobonnie.',
        argument: new ValuedArgument('[SHELL]', SHELLS.join(', '), { choices: SHELLS }),
        options: [],
        examples: [
          { command: 'source <(gobonnie completion bash)', does: 'in ~/.bashrc' },
          { command: 'source <(gobonnie completion zsh)', does: 'in ~/.zshrc, after compinit' },
          { command: 'gobonnie completion fish | source', does: 'in ~/.config/fish/config.fish' },
        ],
        notes: NOTES,
      }),

    read(args): Request {
      const command = this.command();
      const said = lex(command, args);
      if (said !== null) return { type: 'say', text: said };
      const [given] = command.args;
      const shell = SHELLS.find((known) => known === given);
      if (!shell) throw noShell(given);
      return {
        type: 'act',
        load: async () => {
          const { completion } = await import('./completion.js');
          return (_process, terminal) => completion(shell, program(), terminal);
        },
      };
    },
  };
}

function noShell(given: string | undefined): GobonnieError {
  return new GobonnieError(
    'option-invalid',
    given === undefined
      ? 'completion needs the name of a shell'
      : `there is no completion for ${shown(given)}`,
    `pass one of ${SHELLS.join(', ')}`,
  );
}
