import { GobonnieError } from '../../errors.js';
import { lex, quietCommand } from '../lexing.js';
import type { Dialect, Request } from '../request.js';

const EXAMPLES = `
Examples:
  gobonnie show report.json                 a report of --out, as it was printed
  gobonnie show old.csv --format json       for programs, where the results hold enough for it
  bonnie++ -q | gobonnie show -             what another program prints

It reads gobonnie's reports and JSON, gobonniego's JSON, bonnie++'s CSV lines (1.03, 1.93 to 1.97, 1.98) and
the table rows of Bonnie, whatever stands around them. Nothing is written.`;

/** Results that were measured before, in any form that can hold them. */
export const show: Dialect = {
  name: 'show',

  read(args): Request {
    const command = quietCommand('gobonnie show')
      .usage('[options] FILE...')
      .description('Prints results that were measured before: of gobonnie and of its ancestors.')
      .argument('[FILE...]', 'files of results; - is stdin')
      .option('-f, --format <NAME>', 'the form to print them in', 'text')
      .addHelpText('after', EXAMPLES);
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
    const { format } = command.opts<{ format: string }>();
    return {
      type: 'act',
      load: async () => {
        const { show } = await import('../commands/show.js');
        return (process, terminal) => show({ files, format }, process, terminal);
      },
    };
  },
};
