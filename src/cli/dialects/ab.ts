import { GobonnieError } from '../../errors.js';
import { optionCatalogue } from '../../options/catalogue.js';
import { askedFor } from '../asked.js';
import { lex, quietCommand } from '../lexing.js';
import { presentationCatalogue } from '../presentation-catalogue.js';
import type { Dialect, Request } from '../request.js';
import { exampleOf, optionOf } from './option.js';

const NOTES = `
Examples:
  gobonnie ab /mnt/volume /var/tmp --size 1              a volume against the overlay
  gobonnie ab /mnt/ssd /mnt/hdd /dev/shm --runs 10       any number of directories
  gobonnie ab . . --size 1                               how alike two of the same are

Every directory is measured once, then every one again in the other order, and so on, so that a noisy host
hits all of them alike. A winner is named only where Student's t-test of the pairs is 95 % sure of it, for all
figures together.`;

/** Several directories, measured in turn and compared. */
export const ab: Dialect = {
  name: 'ab',

  read(args): Request {
    const { dir, runs, ...others } = optionCatalogue;
    const { json, format, verbose, quiet, out, dryRun, noGithub, color, noColor } = presentationCatalogue;
    const command = quietCommand('gobonnie ab')
      .usage('[options] DIR_A DIR_B...')
      .description('Measures several directories in turn, run by run, and finds out which is faster at what.')
      .argument('[DIR...]', 'the directories');
    const rows = {
      runs: { ...runs, defaultText: '5' },
      ...others,
      json: { ...json, help: 'the same as --format json' },
      format: {
        ...format,
        help: 'the form to print the result in: text, json or markdown',
        defaultText: 'text',
      },
      verbose,
      quiet,
      out: {
        ...out,
        help: 'write the full reports, a list of one for each directory, to a .json file as well, after every round',
      },
      dryRun,
      color,
      noGithub,
      noColor,
    };
    for (const [name, row] of Object.entries(rows)) command.addOption(optionOf(name, row));
    const said = lex(command.addHelpText('after', NOTES), args, exampleOf);
    if (said !== null) return { type: 'say', text: said };
    const directories = command.args;
    if (directories.length < 2)
      throw new GobonnieError(
        'option-invalid',
        'ab needs two directories or more',
        'pass for example gobonnie ab /mnt/volume /var/tmp',
      );
    const { input, presentation } = askedFor(command.opts());
    return {
      type: 'act',
      load: async () => {
        const { ab } = await import('../commands/ab.js');
        return (process, terminal) => ab({ directories, input, presentation }, process, terminal);
      },
    };
  },
};
