import { baseOf } from '../../report/amount.js';
import { type Metric, metrics } from '../../report/metrics.js';
import type { Unit } from '../../report/schema/unit.js';
import { harmless, withoutFormula } from '../../text/escape.js';
import type { Format } from '../format.js';
import {
  type Digest,
  type DigestedRun,
  digestedRun,
  digestOf,
  type Entry,
  type Origin,
  originOf,
} from './digest.js';

/** RFC 4180's. */
const LINE_END = '\r\n';
const QUOTED = /[",\r\n]/;

/** A line for every phase of every run, as each run is complete, below the columns' names. */
export const csv: Format = {
  run: (report, run) => {
    const number = report.runs.indexOf(run) + 1;
    return (number === 1 ? HEADER : '') + linesOfRun(originOf(report), digestedRun(run), number);
  },
  // What is left is the run that was stopped.
  end: (report) =>
    (report.runs[0]?.state === 'completed' ? '' : HEADER) +
    linesOf(digestOf(report), ({ state }) => state === 'incomplete'),
  digests: (digests) => HEADER + digests.map((digest) => linesOf(digest, () => true)).join(''),
};

interface Column {
  readonly name: string;
  readonly cell: (entry: Entry) => string;
}

/** A column for each metric; two where it depends on the phase what it counts. */
const COLUMNS: readonly Column[] = metrics.flatMap((metric) => {
  const units = (['bytes', 'operations'] as const).map((figure) => metric.unit({ figure }));
  return [...new Set(units)].map((unit) => ({
    name: columnName(metric, unit),
    cell: (entry) => (metric.unit(entry) === unit ? amountText(entry.amounts[metric.name], unit) : ''),
  }));
});

const FACTS = 'label,directory,program,version,run,started_at,state,phase,title'.split(',');

const HEADER = lineOf([...FACTS, ...COLUMNS.map(({ name }) => name)]);

function columnName({ name, quantity, quantile }: Metric, unit: Unit): string {
  return [quantity.name, quantile === null ? '' : name, baseOf(unit).name].filter(Boolean).join('_');
}

function linesOf(digest: Digest, isWanted: (run: DigestedRun) => boolean): string {
  return digest.runs.map((run, index) => (isWanted(run) ? linesOfRun(digest, run, index + 1) : '')).join('');
}

function linesOfRun({ label, directory, program }: Origin, run: DigestedRun, number: number): string {
  const { name, version } = program;
  const { startedAt, state } = run;
  const words = [label, directory, name, version].map((word) => fieldOf(word ?? ''));
  return run.entries
    .map((entry) =>
      lineOf([
        ...words,
        ...[String(number), startedAt ?? '', state, fieldOf(entry.phase), fieldOf(entry.title)],
        ...COLUMNS.map(({ cell }) => cell(entry)),
      ]),
    )
    .join('');
}

function lineOf(fields: readonly string[]): string {
  return fields.join(',') + LINE_END;
}

/** A name may hold anything: no spreadsheet is to calculate it, and no terminal to obey it. */
function fieldOf(text: string): string {
  const safe = withoutFormula(harmless(text));
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function amountText(amount: number | undefined, unit: Unit): string {
  return amount === undefined ? '' : String(amount / baseOf(unit).divisor);
}
