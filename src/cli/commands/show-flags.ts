import { GobonnieError } from '../../errors.js';
import { commandOf } from '../argv/face.js';
import { lex } from '../argv/lexing.js';
import { ValuedArgument, ValuedOption } from '../argv/option.js';
import { presentationCatalogue } from '../argv/presentation-catalogue.js';
import type { Dialect, Request } from '../request.js';

const NOTES =
  "It reads gobonnie's reports and JSON, gobonniego's JSON, bonnie++'s CSV lines (1.03, 1.93 to 1.97, 1.98) and " +
  'the table rows of Bonnie, whatever stands around them. Nothing is written.';

const DEFAULT_FORMAT = 'text';

/** Results that were measured before, in any form that can hold them. */
export const show: Dialect = {
  name: 'show',
  summary: 'print results that were measured before, in any form',
  group: 'Commands',

  command: () =>
    commandOf({
      name: 'gobonnie show',
      usage: '[options] FILE...',
      description: 'Prints results that were measured before: of gobonnie and of its ancestors.',
      argument: new ValuedArgument('[FILE...]', 'files of results; - is stdin'),
      options: [
        new ValuedOption({
          flags: '-f, --format <NAME>',
          help: 'the form to print them in',
          defaultText: DEFAULT_FORMAT,
          values: presentationCatalogue.format.values,
        }),
      ],
      examples: [
        { command: 'gobonnie show report.json', does: 'a report of --out, as it was printed' },
        {
          command: 'gobonnie show old.csv --format json',
          does: 'for programs, where the results hold enough for it',
        },
        { command: 'bonnie++ -q | gobonnie show -', does: 'what another program prints' },
      ],
      notes: NOTES,
    }),

  read(args): Request {
    const command = this.command();
    const said = lex(command, args, () => 'json');
    if (said !== null) return { type: 'say', text: said };
    const files = command.args;
    if (files.length === 0) {
      throw new GobonnieError(
        'option-invalid',
        'show needs a file of results',
        'name one, or pass - to read stdin',
      );
    }
    const { format = DEFAULT_FORMAT } = command.opts<{ format?: string }>();
    return {
      type: 'act',
      load: async () => {
        const { show } = await import('./show.js');
        return (process, terminal) => show({ files, format }, process, terminal);
      },
    };
  },
};
