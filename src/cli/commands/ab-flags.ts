import { GobonnieError } from '../../errors.js';
import { optionCatalogue } from '../../options/catalogue.js';
import { askedFor } from '../argv/asked.js';
import { commandOf } from '../argv/face.js';
import { lexGo } from '../argv/lexing.js';
import { exampleOf, optionOf, ValuedArgument } from '../argv/option.js';
import type { OptionRows } from '../argv/option-rows.js';
import { presentationCatalogue } from '../argv/presentation-catalogue.js';
import { configCatalogue } from '../config/catalogue.js';
import type { Dialect, Request } from '../request.js';

const NOTES =
  'Every directory is measured once, then every one again in the other order, and so on, so that a noisy host hits all ' +
  "of them alike. A winner is named only where Student's t-test of the pairs is 95 % sure of it, for all figures together.";

const { dir, runs, ...others } = optionCatalogue;
const { json, format, verbose, quiet, out, dryRun, noGithub, color, noColor } = presentationCatalogue;

/** They mean what they mean to a benchmark, and may come from where its options come from. */
const ALIKE: OptionRows = {
  runs: { ...runs, defaultText: '5' },
  ...others,
  ...{ verbose, quiet, dryRun, color, noGithub, noColor },
};

/** What several directories have of their own. */
const OWN: OptionRows = {
  json: { ...json, help: 'the same as --format json' },
  format: {
    ...format,
    help: 'the form to print the result in: text, json or markdown',
    defaultText: 'text',
    values: {
      choices: async () => Object.keys((await import('../../format/people/standings.js')).standingsFormats),
    },
  },
  out: {
    ...out,
    help: 'write the full reports, a list of one for each directory, to a .json file as well',
  },
};

/** Several directories, measured in turn and compared. */
export const ab: Dialect = {
  name: 'ab',
  summary: 'measure several directories in turn, and find which is faster',
  group: 'Commands',

  command: () =>
    commandOf({
      name: 'gobonnie ab',
      usage: '[options] DIR_A DIR_B...',
      description: 'Measures several directories in turn, run by run, and finds out which is faster at what.',
      argument: new ValuedArgument('[DIR...]', 'the directories'),
      options: Object.entries({ ...ALIKE, ...OWN, ...configCatalogue }).map(([name, row]) =>
        optionOf(name, row),
      ),
      lastGroup: 'Other',
      examples: [
        { command: 'gobonnie ab /mnt/volume /var/tmp --size 1', does: 'a volume against the overlay' },
        { command: 'gobonnie ab /mnt/ssd /mnt/hdd /dev/shm --runs 10', does: 'any number of directories' },
        { command: 'gobonnie ab . . --size 1', does: 'how alike two of the same are' },
      ],
      notes: NOTES,
    }),

  read(args): Request {
    const command = this.command();
    const lexed = lexGo(command, args, exampleOf);
    if (typeof lexed === 'string') return { type: 'say', text: lexed };
    const directories = command.args;
    if (directories.length < 2)
      throw new GobonnieError(
        'option-invalid',
        'ab needs two directories or more',
        'pass for example gobonnie ab /mnt/volume /var/tmp',
      );
    const asked = { ...askedFor(lexed), takes: Object.keys(ALIKE) };
    return {
      type: 'act',
      load: async () => {
        const { ab } = await import('./ab.js');
        const { withSettings } = await import('../config/settings.js');
        return (process, terminal) =>
          withSettings(asked, process, terminal, ({ input, presentation }) =>
            ab({ directories, input, presentation }, process, terminal),
          );
      },
    };
  },
};
