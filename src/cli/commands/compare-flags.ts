import { GobonnieError } from '../../errors.js';
import { commandOf } from '../argv/face.js';
import { lex } from '../argv/lexing.js';
import { exampleOf, optionOf, ValuedArgument, ValuedOption } from '../argv/option.js';
import { presentationCatalogue } from '../argv/presentation-catalogue.js';
import type { Dialect, Request } from '../request.js';

const NOTES =
  "With several runs in each file (--runs 5) a change is told from noise by Welch's t-test on the logarithms: " +
  'it is one only where chance would bring as much in less than one comparison of twenty, all figures ' +
  'together, and in brackets stands where it truly is. Of single runs the bare change is judged.\n' +
  'Exit code: 0 no regression, 3 a regression, 2 where the two were not measured alike.';

const { json, maxRegression, force, noGithub, color, noColor } = presentationCatalogue;

/** Two measurements or more, figure by figure. */
export const compare: Dialect = {
  name: 'compare',
  summary: 'compare two measurements or more, and find what got worse',
  group: 'Commands',

  command: () =>
    commandOf({
      name: 'gobonnie compare',
      usage: '[options] BEFORE AFTER...',
      description: 'Compares what was measured, figure by figure, and finds out what got worse.',
      argument: new ValuedArgument(
        '[FILE...]',
        'files of results, the one to compare with first; - is stdin',
      ),
      options: [
        optionOf('maxRegression', {
          ...maxRegression,
          group: 'Options',
          help: 'how much worse a figure may get',
        }),
        optionOf('force', { ...force, group: 'Options' }),
        optionOf('json', { ...json, group: 'Options', help: 'the same as --format json' }),
        new ValuedOption({
          flags: '-f, --format <NAME>',
          help: 'the form to print it in: text, json or markdown',
          defaultText: 'text',
          values: {
            choices: async () =>
              Object.keys((await import('../../format/people/comparison.js')).comparisonFormats),
          },
        }),
        optionOf('noGithub', { ...noGithub, group: 'Options' }),
        optionOf('color', { ...color, group: 'Options' }),
        optionOf('noColor', { ...noColor, group: 'Options' }),
      ],
      examples: [
        { command: 'gobonnie compare before.json after.json', does: 'of --out, or what --json printed' },
        { command: 'gobonnie compare --max-regression 5% old.json new.json', does: 'stricter' },
        { command: 'gobonnie compare a.json b.json c.json --format markdown', does: 'each with the first' },
      ],
      notes: NOTES,
    }),

  read(args): Request {
    const command = this.command();
    const said = lex(command, args, exampleOf);
    if (said !== null) return { type: 'say', text: said };
    const files = command.args;
    if (files.length < 2) {
      throw new GobonnieError(
        'option-invalid',
        'compare needs two files of results or more',
        'pass for example gobonnie compare before.json after.json',
      );
    }
    return {
      type: 'act',
      load: async () => {
        const { compare } = await import('./compare.js');
        return (process, terminal) => compare({ files, presentation: command.opts() }, process, terminal);
      },
    };
  },
};
