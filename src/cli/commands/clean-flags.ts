import { commandOf } from '../argv/face.js';
import { lex } from '../argv/lexing.js';
import { ValuedArgument, ValuedOption } from '../argv/option.js';
import type { Dialect, Request } from '../request.js';

const NOTES =
  'A run removes what it made, whatever ends it: where it is killed, a process beside it does. What is left all the ' +
  'same, after a power cut say, the next run in the same directory removes, and so does this. It touches only ' +
  'directories that belong to you and say, whatever their name, that they were made by a gobonnie that is dead.';

/** What killed runs have left. */
export const clean: Dialect = {
  name: 'clean',
  summary: 'remove what killed runs have left in a directory',
  group: 'Commands',

  command: () =>
    commandOf({
      name: 'gobonnie clean',
      usage: '[options] [DIR]',
      description: 'Removes what killed runs have left in a directory.',
      argument: new ValuedArgument(
        '[DIR]',
        "the directory that was measured (default: the system's temporary one)",
      ),
      options: [
        new ValuedOption({ flags: '-n, --dry-run', help: 'say what would be removed, and remove nothing' }),
      ],
      examples: [
        { command: 'gobonnie clean --dry-run /mnt/disk', does: 'what would be removed' },
        { command: 'gobonnie clean /mnt/disk', does: 'removes it' },
      ],
      notes: NOTES,
    }),

  read(args): Request {
    const command = this.command();
    const said = lex(command, args);
    if (said !== null) return { type: 'say', text: said };
    const [directory] = command.args;
    const { dryRun = false } = command.opts<{ dryRun?: boolean }>();
    return {
      type: 'act',
      load: async () => {
        const { clean } = await import('./clean.js');
        return (_process, terminal) => clean({ directory, dryRun }, terminal);
      },
    };
  },
};
