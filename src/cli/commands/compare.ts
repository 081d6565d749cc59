import { compareSides, findWorstVerdict } from '../../compare/comparison.js';
import type { Comparison } from '../../compare/comparison-schema.js';
import { incomparableError } from '../../compare/differences.js';
import { toComparisonSide } from '../../compare/side.js';
import { optionError } from '../../errors.js';
import { inGroup } from '../../options/option-row.js';
import type { Results } from '../../report/results.js';
import { cliOptionCatalogue, type RawOptions } from '../argv/cli-catalogue.js';
import { validateCliOptions } from '../argv/cli-options.js';
import { defineCommand } from '../argv/define-command.js';
import { toFlagsRows, ValuedArgument } from '../argv/option.js';
import { readResultFile, rejectStdinTwice } from '../files/input-file.js';
import { ReportFiles } from '../files/report-files.js';
import {
  COMPARISON_OPTIONS,
  comparisonFormat,
  comparisonOutFormats,
  comparisonText,
} from '../output/comparison-text.js';
import { githubReportForComparisons, writeGithubReport } from '../output/github-report.js';
import type { Terminal } from '../output/terminal.js';
import { comparisonExitCode } from '../pass-criteria.js';

const { maxRegression, force, strict, allowCached, out, noGithub, color, noColor } = cliOptionCatalogue;

const OPTIONS = inGroup('Options', {
  maxRegression: { ...maxRegression, help: 'how much worse a result may get' },
  force,
  strict,
  allowCached,
  ...COMPARISON_OPTIONS,
  format: { ...COMPARISON_OPTIONS.format, alias: 'f' },
  out: {
    ...out,
    help: 'also write FILE: .html is a page with charts, .json and .md hold the comparison; repeatable',
  },
  noGithub,
  color,
  noColor,
});

export const compare = defineCommand({
  name: 'gobonnie compare',
  usage: '[options] BEFORE AFTER...',
  description: 'Compares results metric by metric, and finds regressions.',
  argument: new ValuedArgument('[FILE...]', 'result files, the baseline first; - is stdin'),
  options: toFlagsRows(OPTIONS),
  examples: [
    { command: 'gobonnie compare before.json after.json', comment: 'files of --out, or output of --json' },
    { command: 'gobonnie compare --max-regression 5% old.json new.json', comment: 'a stricter limit' },
    { command: 'gobonnie compare a.json b.json c.json --format markdown', comment: 'b and c, each with a' },
  ],
  notes:
    'A change is better or worse if chance would cause it in fewer than 1 of 20 comparisons, same if it is probably ' +
    'within --max-regression, and inconclusive if noise, single runs or cached reads could hide a change. The true change ' +
    'is likely within the range. Two single runs never show a regression.\n' +
    'Exit code: 0 no regression; 3 a regression, or all results are cached; 2 the results cannot be compared.',
  request(rawOptions, files) {
    if (files.length < 2)
      throw optionError(
        'compare needs two or more result files',
        'for example, gobonnie compare before.json after.json',
      );
    return { type: 'command', run: (terminal) => compareFiles(files, rawOptions, terminal) };
  },
});

async function compareFiles(
  files: readonly string[],
  rawOptions: RawOptions,
  terminal: Terminal,
): Promise<number> {
  const cliOptions = validateCliOptions(rawOptions, comparisonOutFormats);
  const { maxRegression, force, strict, allowCached } = cliOptions;
  const format = comparisonFormat(cliOptions, 'compare');
  rejectStdinTwice(files);
  const outFiles = await ReportFiles.open(cliOptions.out, undefined, comparisonOutFormats);
  const results: Results[] = [];
  const readSide = async (file: string) => {
    const fileResults = await readResultFile(file, terminal.process);
    results.push(...fileResults);
    return toComparisonSide(fileResults[0]?.name ?? file, fileResults, allowCached);
  };
  const [beforeFile = '', ...afterFiles] = files;
  const before = await readSide(beforeFile);
  const comparisons: Comparison[] = [];
  for (const file of afterFiles) {
    const after = await readSide(file);
    comparisons.push(compareSides(before, after, { maxRegressionPercent: maxRegression, force }));
  }
  const document = { comparisons, all: rawOptions.all === true };
  terminal.print(comparisonText(document, format, terminal.process, cliOptions));
  outFiles.write(({ render }) => render?.(results, document) ?? '');
  await outFiles.flush();
  await writeGithubReport(githubReportForComparisons(document, strict), cliOptions, terminal);
  const incomparable = comparisons.find((one) => findWorstVerdict(one) === null);
  if (incomparable) throw incomparableError(incomparable);
  return comparisonExitCode(comparisons, strict);
}
