import { optionError } from '../../errors.js';
import type { Format } from '../../format/format.js';
import {
  type ComparisonDocument,
  comparisonFormats,
  createComparisonFormats,
} from '../../format/human/commands/comparison-format.js';
import { reportFormats } from '../../format/index.js';
import { inGroup, switchRow } from '../../options/option-row.js';
import { flag, msg } from '../../text/message-template.js';
import { validateChoice } from '../../text/suggest.js';
import { wrapLine } from '../../text/wrap.js';
import { cliOptionCatalogue } from '../argv/cli-catalogue.js';
import type { CliOptions } from '../argv/cli-options.js';
import { type CliProcess, detectPaint, detectScreen } from './terminal.js';

/** The options of `compare` and `ab` for the printed comparison. */
export const COMPARISON_OPTIONS = inGroup('Output', {
  all: switchRow('also show latencies, device share and CPU time'),
  json: { ...cliOptionCatalogue.json, help: 'the same as --format json' },
  format: {
    ...cliOptionCatalogue.format,
    help: 'output format: text, json or markdown',
    defaultText: 'text',
    values: { choices: Object.keys(comparisonFormats) },
  },
});

/** Returns the requested format. Throws if the command does not support it. */
export function comparisonFormat({ format = 'text' }: CliOptions, command: string) {
  if (format === 'html')
    throw optionError(
      msg`${command} does not support ${flag('format', format)}`,
      'pass --out comparison.html',
    );
  return validateChoice(comparisonFormats, format, flag('format', format), command);
}

/** The formats of --out for comparisons. A page also has charts of the results. */
export const comparisonOutFormats = {
  '.html': reportFormats.html,
  '.json': {
    render: (_, document) => createComparisonFormats({}, document).json(document?.comparisons ?? []),
  },
  '.md': {
    render: (_, document) => createComparisonFormats({}, document).markdown(document?.comparisons ?? []),
  },
} satisfies Readonly<Record<string, Format>>;

/** Returns the comparison of `compare` or, with winners, of `ab`. Text is wrapped to the window of a terminal. */
export function comparisonText(
  document: ComparisonDocument,
  format: keyof typeof comparisonFormats,
  process: CliProcess,
  { color }: Pick<CliOptions, 'color'>,
): string {
  const paint = detectPaint(process.stdout, process, color);
  const screen = format === 'text' ? detectScreen(process.stdout, process, color) : null;
  const style = { paint, columns: screen?.columns ?? Infinity };
  const text = createComparisonFormats(style, document)[format](document.comparisons);
  if (!screen) return text;
  return text
    .split('\n')
    .flatMap((line) => wrapLine(line, screen.columns))
    .join('\n');
}
