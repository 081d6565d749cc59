import { GobonnieError } from '../../errors.js';
import { optionCatalogue } from '../../options/catalogue.js';
import { configCatalogue, presentationCatalogue } from '../argv/cli-catalogue.js';
import { defineCommand } from '../argv/command.js';
import { exampleOf, optionOf, ValuedArgument } from '../argv/option.js';
import { type OptionRows, splitOptions } from '../argv/option-rows.js';

const NOTES =
  'Every directory is measured once, then every one again in the opposite order, and so on, so that a noisy host ' +
  "affects all of them alike. A winner is named only if Student's paired t-test is 95 % sure of it, for all figures " +
  'together.';

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
    help: 'output format: text, json or markdown',
    defaultText: 'text',
    values: {
      choices: async () => Object.keys((await import('./loaded-together.js')).standingsFormats),
    },
  },
  out: {
    ...out,
    help: 'also write the full reports, one per directory in a list, to a .json file',
  },
};

/** Several directories, measured in turn and compared. */
export const ab = defineCommand({
  name: 'gobonnie ab',
  usage: '[options] DIR_A DIR_B...',
  description: 'Measures several directories in turn, run by run, and finds which is faster at what.',
  argument: new ValuedArgument('[DIR...]', 'the directories'),
  options: Object.entries({ ...ALIKE, ...OWN, ...configCatalogue }).map(([name, row]) => optionOf(name, row)),
  spelling: 'go',
  lastGroup: 'Other',
  examples: [
    { command: 'gobonnie ab /mnt/volume /var/tmp --size 1', does: 'a volume against the overlay' },
    { command: 'gobonnie ab /mnt/ssd /mnt/hdd /dev/shm --runs 10', does: 'any number of directories' },
    { command: 'gobonnie ab . . --size 1', does: 'how much two identical ones differ' },
  ],
  notes: NOTES,
  exampleOf,
  request(given, directories) {
    if (directories.length < 2)
      throw new GobonnieError(
        'option-invalid',
        'ab needs two or more directories',
        'pass for example gobonnie ab /mnt/volume /var/tmp',
      );
    const asked = { ...splitOptions(given), takes: Object.keys({ ...ALIKE, ...configCatalogue }) };
    return {
      type: 'act',
      async act(process, terminal) {
        const { ab, withSettings } = await import('./loaded-together.js');
        return withSettings(asked, process, terminal, ({ input, presentation }) =>
          ab({ directories, input, presentation }, process, terminal),
        );
      },
    };
  },
});
