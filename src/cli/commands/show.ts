import { GobonnieError } from '../../errors.js';
import type { Format } from '../../format/format.js';
import { type FormatName, parseFormatName, formatForScreen, reportFormats, renderReport } from '../../format/index.js';
import { warningLine } from '../../format/people/sentences.js';
import type { Screen } from '../../format/writing/screen.js';
import { completeRuns, isComplete } from '../../report/results.js';
import type { Report } from '../../report/schema/report.js';
import { toGobonnieError } from '../../system-error.js';
import { sanitize, display } from '../../text/escape.js';
import { defineCommand } from '../argv/command.js';
import { ValuedArgument } from '../argv/option.js';
import { EXIT_CODES } from '../exit-codes.js';
import { type ReadingProcess, type ReadResults, refuseStdinTwice, resultsOf } from '../files/result-files.js';
import type { Terminal } from '../output/terminal.js';
import { detectScreen } from '../output/terminal-style.js';

const NOTES =
  "It reads gobonnie's reports and JSON, gobonniego's JSON, bonnie++'s CSV lines (1.03, 1.93 to 1.97, 1.98) and the " +
  'table rows of Bonnie; other text around them is skipped. No file is written.';

const DEFAULT_FORMAT = 'text';

/** Prints earlier results, in any format that can hold them. */
export const show = defineCommand({
  name: 'gobonnie show',
  usage: '[options] FILE...',
  description: 'Prints earlier results of gobonnie and of its ancestors.',
  argument: new ValuedArgument('[FILE...]', 'result files; - is stdin'),
  options: [
    {
      flags: '-f, --format <NAME>',
      help: 'output format, any that gobonnie --format takes',
      defaultText: DEFAULT_FORMAT,
      values: { choices: Object.keys(reportFormats) },
      example: 'json',
    },
  ],
  examples: [
    { command: 'gobonnie show report.json', does: 'a report of --out, as it was printed' },
    { command: 'gobonnie show --format chart report.json', does: 'rates over time and latencies, drawn' },
    {
      command: 'gobonnie show old.csv --format json',
      does: 'for programs, if the results hold enough for it',
    },
    { command: 'bonnie++ -q | gobonnie show -', does: 'the output of another program' },
  ],
  notes: NOTES,
  request({ format = DEFAULT_FORMAT }: { format?: string }, files) {
    if (files.length === 0)
      throw new GobonnieError(
        'option-invalid',
        'show needs a result file',
        'name one, or pass - to read stdin',
      );
    return { type: 'act', act: (process, terminal) => showFiles(files, format, process, terminal) };
  },
});

/** Prints what can be read of the files, and says what cannot; gives the exit code. */
async function showFiles(
  files: readonly string[],
  format: string,
  process: ReadingProcess,
  terminal: Terminal,
): Promise<number> {
  const name = parseFormatName(format);
  refuseStdinTwice(files);
  const found: ReadResults[] = [];
  const unread: GobonnieError[] = [];
  for (const file of files) {
    const read = await resultsOf(file, process).catch((error: Error) => {
      const known = toGobonnieError(error);
      if (!known) throw error;
      unread.push(known);
      return [];
    });
    for (const one of read) found.push(one);
  }
  const [first, ...more] = unread;
  if (first && found.length === 0 && more.length === 0) throw first;
  for (const { line } of unread) terminal.log(`gobonnie: ${line}`);
  if (found.length > 0) terminal.print(textOf(found, name, detectScreen(process.stdout, process)));
  for (const line of found.flatMap(warningsIn)) terminal.log(line);
  return first ? EXIT_CODES.failure : EXIT_CODES.done;
}

/** Those that the run printed on stderr, too. */
function warningsIn({ report, file }: ReadResults): readonly string[] {
  return (report?.warnings ?? []).map((warning) => `${display(file)}: ${sanitize(warningLine(warning))}`);
}

function textOf(found: readonly ReadResults[], name: FormatName, screen: Screen | null): string {
  const format = formatForScreen(name, screen);
  const { perFile } = format;
  if (!perFile) return renderedText(found, name, format);
  const isHeaded = perFile === 'headed' && found.length > 1;
  return found
    .map((one) => {
      const text = one.report
        ? reportText(one.report, one.file, name, format)
        : renderedText([one], name, format);
      if (text === '')
        throw new GobonnieError('input-unreadable', `${display(one.file)} holds no results`, 'leave it out');
      return isHeaded ? `${display(one.file)}:\n${text}` : text;
    })
    .join('');
}

/** As it was printed when it was measured. */
function reportText(report: Report, file: string, name: FormatName, format: Format): string {
  for (const { measurements } of report.runs.filter(isComplete)) {
    const lacking = format.requiredPhases?.find((needed) => !measurements.some(({ phase }) => phase === needed));
    if (lacking) throw unfit(name, `needs the phase ${lacking}, which ${display(file)} does not hold`);
  }
  return renderReport(format, report);
}

function renderedText(
  found: readonly ReadResults[],
  name: FormatName,
  { render, supportedPhases, isForReportsOnly }: Format,
): string {
  const foreign = found.find(({ report }) => report === null);
  if (!render || (isForReportsOnly && foreign))
    throw unfit(name, `needs a report of gobonnie, which ${display(foreign?.file)} is not`);
  for (const one of found) {
    const runs = completeRuns([one]);
    // A format with a place for every phase shows incomplete reports, too.
    if (runs.length === 0 && (supportedPhases || one.report === null))
      throw new GobonnieError('input-unreadable', `${display(one.file)} holds no complete run`, 'leave it out');
    const phases = runs.flatMap((run) => run.phases);
    if (supportedPhases && !phases.some(({ phase }) => supportedPhases.includes(phase)))
      throw unfit(name, `cannot hold the results in ${display(one.file)}`);
  }
  return render(found.map((one) => ({ ...one, name: one.file })));
}

function unfit(name: FormatName, reason: string): GobonnieError {
  return new GobonnieError('option-invalid', `--format ${name} ${reason}`, 'pass another, such as text');
}
