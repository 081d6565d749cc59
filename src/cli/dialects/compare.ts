import { GobonnieError } from '../../errors.js';
import { lex, quietCommand } from '../lexing.js';
import { presentationCatalogue } from '../presentation-catalogue.js';
import type { Dialect, Request } from '../request.js';
import { exampleOf, optionOf } from './option.js';

const NOTES = `
Examples:
  gobonnie compare before.json after.json                    of --out, or what --json of either program printed
  gobonnie compare before.json after.json --max-regression 5%
  gobonnie compare before.json monday.json tuesday.json --format markdown

With several runs in each file (--runs 5) a change is told from noise by Welch's t-test on the logarithms:
it is one only where chance would bring as much in less than one comparison of twenty, all figures
together, and in brackets stands where it truly is. Of single runs the bare change is judged.
Exit code: 0 no regression, 3 a regression, 2 where the two were not measured alike.`;

/** Two measurements or more, figure by figure. */
export const compare: Dialect = {
  name: 'compare',

  read(args): Request {
    const { json, maxRegression, force, noGithub, color, noColor } = presentationCatalogue;
    const command = quietCommand('gobonnie compare')
      .usage('[options] BEFORE AFTER...')
      .description('Compares what was measured, figure by figure, and finds out what got worse.')
      .argument('[FILE...]', 'files of results, the one to compare with first; - is stdin')
      .addOption(optionOf('maxRegression', { ...maxRegression, help: 'how much worse a figure may get' }))
      .addOption(optionOf('force', force))
      .addOption(optionOf('json', { ...json, help: 'the same as --format json' }))
      .option('-f, --format <NAME>', 'the form to print it in: text, json or markdown (default: text)')
      .addOption(optionOf('noGithub', noGithub))
      .addOption(optionOf('color', color))
      .addOption(optionOf('noColor', noColor))
      .addHelpText('after', NOTES);
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
    const { format, json: isJson = false, ...standards } = command.opts<Given>();
    if (isJson && format !== undefined && format !== 'json')
      throw new GobonnieError(
        'option-invalid',
        `--json and --format ${format} contradict each other`,
        'pass one of them',
      );
    return {
      type: 'act',
      load: async () => {
        const { compare } = await import('../commands/compare.js');
        return (process, terminal) =>
          compare({ files, format: isJson ? 'json' : (format ?? 'text'), standards }, process, terminal);
      },
    };
  },
};

interface Given {
  readonly format?: string;
  readonly json?: boolean;
}
