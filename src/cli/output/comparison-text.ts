import type { ComparisonStyle } from '../../format/human/comparison-format.js';
import { transliterate } from '../../format/human/screen.js';
import { type OptionRow, switchRow } from '../../options/option-row.js';
import { wrapLine } from '../../text/wrap.js';
import { type CliOptions, colorSetting } from '../argv/cli-options.js';
import type { CliProcess } from './terminal.js';
import { detectScreen, detectTerminalStyle } from './terminal-style.js';

/** The option of `compare` and `ab` to show more metrics. */
export const ALL_METRICS_OPTION: OptionRow = switchRow(
  'Output',
  'also show latencies, device share and CPU time',
);

/** Returns the text of `render`, wrapped to the window if stdout is a terminal. */
export function comparisonText(
  format: string,
  render: (style: Partial<ComparisonStyle>) => string,
  process: Pick<CliProcess, 'stdout' | 'platform' | 'env'>,
  presentation: CliOptions,
  all: boolean,
): string {
  const requestedColor = colorSetting(presentation);
  const { paint } = detectTerminalStyle(process.stdout, process, requestedColor);
  const screen = format === 'text' ? detectScreen(process.stdout, process, requestedColor) : null;
  const text = render({ paint, columns: screen?.columns ?? Infinity, all });
  if (!screen) return text;
  return text
    .split('\n')
    .flatMap((line) => wrapLine(transliterate(line, screen), screen.columns))
    .join('\n');
}
