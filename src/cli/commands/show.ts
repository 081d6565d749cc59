import { GobonnieError } from '../../errors.js';
import type { Format } from '../../format/format.js';
import { type FormatName, formatNamed, formats, renderReport } from '../../format/index.js';
import { digestsOf } from '../../format/programs/digest.js';
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
  const { digests, oneByOne }: Format = formats[name];
  if (digests) {
    refuseEmpty(found.filter(({ report }) => report === null));
    return digests(found.flatMap(digestsOf));
  }
  if (!oneByOne) return sheetsText(found, name);
  const isHeaded = oneByOne === 'headed' && found.length > 1;
  return found
    .map((one) => {
      const text = one.report ? reportText(one.report, one.file, name) : sheetsText([one], name);
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

function sheetsText(found: readonly Found[], name: FormatName): string {
  const { sheets, holds }: Format = formats[name];
  const [first] = found;
  if (!sheets) throw unfit(name, `needs a report of gobonnie, and ${shown(first?.file)} is none`);
  refuseEmpty(found);
  const strange = found.find(
    (one) => holds && !one.sheets.some(({ scores }) => holds.some((phase) => scores[phase])),
  );
  if (strange) throw unfit(name, `has no place for what ${shown(strange.file)} holds`);
  return sheets(found.flatMap((one) => one.sheets));
}

function refuseEmpty(found: readonly Found[]): void {
  const empty = found.find(({ sheets }) => sheets.length === 0);
  if (empty)
    throw new GobonnieError('unreadable', `${shown(empty.file)} holds no complete run`, 'leave it out');
}

function unfit(name: FormatName, reason: string): GobonnieError {
  return new GobonnieError('option-invalid', `--format ${name} ${reason}`, 'pass another, such as text');
}
