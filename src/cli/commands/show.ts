import { compareReportsOfAb } from '../../compare/winners.js';
import { GobonnieError, optionError } from '../../errors.js';
import type { Format } from '../../format/format.js';
import type { ComparisonDocument } from '../../format/human/commands/comparison-format.js';
import { isDevReport } from '../../format/human/commands/dev-text.js';
import type { Screen } from '../../format/human/screen.js';
import { describeIncomplete, expectationLine, warningLine } from '../../format/human/sentences.js';
import {
  type FormatName,
  formatForScreen,
  parseFormatName,
  renderReport,
  reportFormats,
  shownSteps,
} from '../../format/index.js';
import { completeRuns, findProvenance, programName, splitByMachine } from '../../report/results.js';
import { toGobonnieError } from '../../system-error.js';
import { display, sanitize } from '../../text/escape.js';
import { summarizeWarnings } from '../../warnings/summary.js';
import { validateCliOptions } from '../argv/cli-options.js';
import { defineCommand } from '../argv/define-command.js';
import { toFlagsRow, ValuedArgument } from '../argv/option.js';
import { EXIT_CODES } from '../exit-codes.js';
import { readComparison } from '../files/comparison-file.js';
import { type NamedResults, nameResults, readNamedText, rejectStdinTwice } from '../files/input-file.js';
import { COMPARISON_OPTIONS, comparisonText } from '../output/comparison-text.js';
import { detectScreen, type Terminal } from '../output/terminal.js';

export const show = defineCommand({
  name: 'gobonnie show',
  usage: '[options] FILE...',
  description: 'Prints earlier results of gobonnie and its ancestors.',
  argument: new ValuedArgument('[FILE...]', 'result files; - is stdin'),
  options: [
    toFlagsRow('json', COMPARISON_OPTIONS.json),
    {
      flags: '-f, --format <NAME>',
      help: 'output format: any format of gobonnie --format',
      defaultText: 'table for lists of steps and at a terminal, otherwise text',
      values: { choices: Object.keys(reportFormats) },
      example: 'json',
    },
  ],
  examples: [
    { command: 'gobonnie show report.json', comment: 'the results of the run that wrote the report' },
    { command: 'gobonnie show --format chart report.json', comment: 'rates over time and latencies, drawn' },
    { command: 'gobonnie show old.csv --format markdown', comment: "bonnie++'s CSV as a Markdown table" },
    { command: 'bonnie++ -q | gobonnie show -', comment: 'the output of another program' },
  ],
  notes:
    "Reads gobonnie's reports (--out) and comparisons (ab, compare), the JSON and the lines of gobonniego (also from gobonnie in a pipe), bonniego's lines, the tables and CSV lines of bonnie++ " +
    "(1.0x, 1.9x, 2.00), and Bonnie's table rows; skips other text around them. Writes no files.",
  request(flags, files) {
    if (files.length === 0) throw optionError('show needs a result file', 'pass a file, or - to read stdin');
    const { format } = validateCliOptions(flags);
    return { type: 'command', run: (terminal) => showFiles(files, format, terminal) };
  },
});

/** Prints the readable results, and an error per unreadable file. Returns the exit code. */
async function showFiles(files: readonly string[], format: string | undefined, terminal: Terminal) {
  const { process } = terminal;
  const screen = detectScreen(process.stdout, process);
  const chosen = format === undefined ? undefined : parseFormatName(format);
  rejectStdinTwice(files);
  const results: NamedResults[] = [];
  const documents: ComparisonDocument[] = [];
  const failures: GobonnieError[] = [];
  for (const file of files) {
    try {
      const content = await readNamedText(file, process);
      const document = readComparison(content.text, content.name);
      if (document) documents.push(document);
      else results.push(...nameMachines(nameResults(content)));
    } catch (error) {
      const known = toGobonnieError(error);
      if (!known) throw error;
      failures.push(known);
    }
  }
  const [firstFailure] = failures;
  if (firstFailure && files.length === 1) throw firstFailure;
  for (const { line } of failures) terminal.log(`gobonnie: ${line}`);
  const needsTable = results.some(({ report }) => report && (report.options.steps || isDevReport(report)));
  const name = chosen ?? (screen || needsTable ? 'table' : 'text');
  const comparison = compareReportsOfAb(results) ?? undefined;
  // The reports of `ab` have one file, so their directories tell them apart.
  const named = results.map((one) =>
    comparison && one.report ? { ...one, name: one.report.target.directory } : one,
  );
  if (results.length > 0) terminal.print(renderAll(named, name, screen, comparison));
  const isText = name === 'text' || name === 'table';
  if (comparison && isText) terminal.print(`\n${comparisonText(comparison, 'text', process, {})}`);
  for (const document of documents) {
    if (!isText && name !== 'json' && name !== 'markdown')
      throw unsuitableFormatError(name, 'cannot show a comparison');
    terminal.print(comparisonText(document, isText ? 'text' : name, process, {}));
  }
  // The run printed its outcome, warnings and verdicts on stderr.
  for (const { name: file, report } of results) {
    if (!report) continue;
    const isOnlyOne = results.filter(({ name }) => name === file).length === 1;
    const source = isOnlyOne ? display(file) : `${display(file)}: ${display(report.target.directory)}`;
    const incomplete = describeIncomplete(report.outcome);
    const lines = incomplete ? [`incomplete: ${incomplete}`] : [];
    lines.push(...summarizeWarnings(report).map(warningLine));
    lines.push(...(report.expectations ?? []).map(expectationLine));
    for (const line of lines) terminal.log(`${source}: ${sanitize(line)}`);
  }
  return firstFailure ? EXIT_CODES.failure : EXIT_CODES.success;
}

/** Another program's file may hold the results of several machines, which are results of their own. */
function nameMachines(results: readonly NamedResults[]): readonly NamedResults[] {
  const machines = splitByMachine(results);
  if (machines.length <= results.length) return results;
  return machines.map((one) => {
    const { label, program } = findProvenance(one);
    const machine = [label, programName(program)].filter(Boolean).join(', ');
    return { ...one, name: `${one.name}: ${machine}` };
  });
}

function renderAll(
  results: readonly NamedResults[],
  name: FormatName,
  screen: Screen | null,
  comparison: ComparisonDocument | undefined,
): string {
  const format = formatForScreen(name, screen);
  const { perFile, isJson, step, end, event } = format;
  if (!perFile) return renderResults(results, name, format, comparison);
  const printsReports = step || end || event;
  return results
    .map((result) => {
      // A report is printed as the run printed it.
      const text =
        result.report && printsReports
          ? renderReport(format, result.report)
          : renderResults([result], name, format);
      if (text === '') throw emptyFileError(result, 'results');
      if (isJson) return text;
      const heading = results.length > 1 ? [display(result.name)] : [];
      // The run printed them on stderr. A result of `ab` has the directory as its name.
      if (screen && result.report)
        heading.push(display(result.report.target.directory), result.report.startedAt);
      return heading.length > 0 ? `${[...new Set(heading)].join(', ')}:\n${text}` : text;
    })
    .join('');
}

function renderResults(
  results: readonly NamedResults[],
  name: FormatName,
  format: Format,
  comparison?: ComparisonDocument,
): string {
  const { render, supportedPhases } = format;
  if (!render) {
    const foreign = results.find(({ report }) => report === null);
    throw unsuitableFormatError(name, `needs a gobonnie report, but ${display(foreign?.name)} is not one`);
  }
  for (const result of results) {
    const runs = completeRuns([result]);
    // A format that supports all phases also shows incomplete reports.
    if (runs.length === 0 && (supportedPhases || result.report === null))
      throw emptyFileError(result, 'complete run');
    const phases = runs.flatMap((run) => run.steps.map(({ step }) => step));
    if (supportedPhases && shownSteps(format, { phases, steps: result.report?.options.steps }).length === 0)
      throw unsuitableFormatError(name, `cannot show the results in ${display(result.name)}`);
  }
  return render(results, comparison);
}

function emptyFileError({ name }: NamedResults, missing: string): GobonnieError {
  return new GobonnieError('input-unreadable', `${display(name)} holds no ${missing}`, 'leave it out');
}

function unsuitableFormatError(name: FormatName, reason: string): GobonnieError {
  return optionError(`--format ${name} ${reason}`, 'pass another format, such as text');
}
