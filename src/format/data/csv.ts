import { type MetricUnit, unitDefinitions } from '../../report/amount.js';
import { type Metric, metrics } from '../../report/metrics.js';
import { type PhaseValues, type Results, type RunResult, splitByMachine } from '../../report/results.js';
import { escapeFormula, sanitize } from '../../text/escape.js';

/** Line end of RFC 4180. */
const LINE_END = '\r\n';
const QUOTED_CHARACTERS = /[",\r\n]/;

/** Renders a header, then a line for every phase of every run. */
export function csvTable(results: readonly Results[]): string {
  const lines = splitByMachine(results).flatMap(({ runs }) =>
    runs.map((run, index) => runLines(run, index + 1)),
  );
  return HEADER + lines.join('');
}

interface Column {
  readonly name: string;
  readonly cell: (row: PhaseValues) => string;
}

/** A column for each metric, or two if its unit depends on the phase. */
const METRIC_COLUMNS: readonly Column[] = metrics.flatMap((metric) => {
  const units = (['bytes', 'operations'] as const).map((primaryRate) => metric.unit({ primaryRate }));
  return [...new Set(units)].map((unit) => ({
    name: formatColumnName(metric, unit),
    cell: (row) => (metric.unit(row) === unit ? formatCsvAmount(metric.getValue(row), unit) : ''),
  }));
});

const RUN_COLUMNS = 'label,directory,program,version,run,started_at,state,phase,title'.split(',');

const HEADER = formatCsvLine([...RUN_COLUMNS, ...METRIC_COLUMNS.map(({ name }) => name)]);

function formatColumnName({ name, quantity, quantile }: Metric, unit: MetricUnit): string {
  return [quantity.name, quantile === null ? '' : name, unitDefinitions[unit].base.name]
    .filter(Boolean)
    .join('_');
}

function runLines(
  { label, directory, program, startedAt, state, phases }: RunResult,
  number: number,
): string {
  const origin = [label, directory, program.name, program.version].map((word) => formatCsvField(word ?? ''));
  const run = [...origin, String(number), startedAt ?? '', state];
  return phases
    .map((row) => {
      const names = [formatCsvField(row.phase), formatCsvField(row.title)];
      return formatCsvLine([...run, ...names, ...METRIC_COLUMNS.map(({ cell }) => cell(row))]);
    })
    .join('');
}

export function formatCsvLine(fields: readonly string[]): string {
  return fields.join(',') + LINE_END;
}

/** Quotes a field. Makes names harmless that a spreadsheet would run as a formula, or that control a terminal. */
export function formatCsvField(text: string): string {
  const safe = escapeFormula(sanitize(text));
  return QUOTED_CHARACTERS.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function formatCsvAmount(amount: number | null, unit: MetricUnit): string {
  return amount === null ? '' : String(amount / unitDefinitions[unit].base.divisor);
}
