import { GobonnieError } from '../../errors.js';
import type { Format } from '../../format/format.js';
import { type FormatName, formatNamed, formats, renderReport } from '../../format/index.js';
import { completeRuns } from '../../report/results.js';
import { isComplete } from '../../report/schema/complete.js';
import type { Report } from '../../report/schema/report.js';
import { knownError } from '../../system-error.js';
import { shown } from '../../text/escape.js';
import { type Found, type ReadingProcess, refuseStdinTwice, resultsOf } from '../files/result-files.js';
import type { Terminal } from '../output/terminal.js';

interface Showing {
  readonly files: readonly string[];
  readonly format: string;
}

/** Prints what can be read of the files, and says what cannot; gives the exit code. */
export async function show(
  { files, format }: Showing,
  process: ReadingProcess,
  terminal: Terminal,
): Promise<number> {
  const name = formatNamed(format);
  refuseStdinTwice(files);
  const found: Found[] = [];
  const unread: GobonnieError[] = [];
  for (const file of files) {
    const read = await resultsOf(file, process).catch((error: Error) => {
      const known = knownError(error);
      if (!known) throw error;
      unread.push(known);
      return [];
    });
    for (const one of read) found.push(one);
  }
  const [first, ...more] = unread;
  if (first && found.length === 0 && more.length === 0) throw first;
  for (const { line } of unread) terminal.narrate(`gobonnie: ${line}`);
  if (found.length > 0) terminal.answer(textOf(found, name));
  return first ? 1 : 0;
}

function textOf(found: readonly Found[], name: FormatName): string {
  const { oneByOne }: Format = formats[name];
  if (!oneByOne) return renderedText(found, name);
  const isHeaded = oneByOne === 'headed' && found.length > 1;
  return found
    .map((one) => {
      const text = one.report ? reportText(one.report, one.file, name) : renderedText([one], name);
      if (text === '')
        throw new GobonnieError(
          'unreadable',
          `${shown(one.file)} holds nothing that was measured`,
          'leave it out',
        );
      return isHeaded ? `${shown(one.file)}:\n${text}` : text;
    })
    .join('');
}

/** As it was printed when it was measured. */
function reportText(report: Report, file: string, name: FormatName): string {
  const { needs = [] }: Format = formats[name];
  const complete = report.runs.filter(isComplete);
  for (const needed of needs) {
    const holds = complete.every(({ measurements }) => measurements.some((one) => one.phase === needed));
    if (!holds) throw unfit(name, `needs the phase ${needed}, which ${shown(file)} does not hold`);
  }
  return renderReport(formats[name], report);
}

function renderedText(found: readonly Found[], name: FormatName): string {
  const { render, holds }: Format = formats[name];
  if (!render) throw unfit(name, `needs a report of gobonnie, and ${shown(found[0]?.file)} is none`);
  for (const one of found) {
    const runs = completeRuns([one]);
    // A format with a place for every phase shows incomplete reports, too.
    if (runs.length === 0 && (holds || one.report === null))
      throw new GobonnieError('unreadable', `${shown(one.file)} holds no complete run`, 'leave it out');
  }
  const strange = found.find(
    (one) =>
      holds && !completeRuns([one]).some(({ phases }) => phases.some(({ phase }) => holds.includes(phase))),
  );
  if (strange) throw unfit(name, `has no place for what ${shown(strange.file)} holds`);
  return render(found);
}

function unfit(name: FormatName, reason: string): GobonnieError {
  return new GobonnieError('option-invalid', `--format ${name} ${reason}`, 'pass another, such as text');
}
