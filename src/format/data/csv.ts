import { optionError } from '../../errors.js';
import { type MetricUnit, unitDefinitions } from '../../report/amount.js';
import { metrics, rateMetric } from '../../report/metrics.js';
import { findProvenance, type Results, type StepValues, splitByMachine } from '../../report/results.js';
import { runsToShow } from '../../report/runs.js';
import { display, escapeFormula, sanitize } from '../../text/escape.js';

/** Line end of RFC 4180. */
const LINE_END = '\r\n';
const QUOTED_CHARACTERS = /[",\r\n]/;

/** Renders a header, then a line for every phase of every complete run. */
export function csvTable(results: readonly Results[]): string {
  const lines = splitByMachine(results).flatMap((one) =>
    runsToShow(one.runs).flatMap(({ label, directory, program, startedAt, state, steps }, index) => {
      const origin = [label, directory, program.name, program.version].map((word) => formatField(word ?? ''));
      const run = [...origin, String(index + 1), startedAt ?? '', state];
      return steps.map((row) => {
        const names = [row.step, row.title].map(formatField);
        return formatLine([...run, ...names, ...METRIC_COLUMNS.map(({ cell }) => cell(row))]);
      });
    }),
  );
  return HEADER + lines.join('');
}

/** A column for each metric, or two if its unit depends on the phase. */
const METRIC_COLUMNS = metrics.flatMap((metric) => {
  const units = (['bytes', 'operations'] as const).map((primaryRate) => metric.unit({ primaryRate }));
  const { name, quantity, quantile } = metric;
  return [...new Set(units)].map((unit) => ({
    name: [quantity, quantile === null ? '' : (name.split('.').at(-1) ?? ''), unitDefinitions[unit].base.name]
      .filter(Boolean)
      .join('_'),
    cell: (row: StepValues) => {
      const isUnknown = metric === rateMetric && !row.isServedByDevice;
      return metric.unit(row) !== unit || isUnknown ? '' : formatMetric(metric.getValue(row), unit);
    },
  }));
});

const RUN_COLUMNS = 'label,directory,program,version,run,started_at,state,step,title'.split(',');

const HEADER = formatLine([...RUN_COLUMNS, ...METRIC_COLUMNS.map(({ name }) => name)]);

const SERIES_HEADER = formatLine([
  'label,directory,run,step,seconds,bytes,operations',
  'latency_p50_seconds,latency_p99_seconds,latency_max_seconds',
]);

/**
 * Renders a header, then a line for each sample of each phase, taken ten times a second: the bytes and operations since
 * the start of the phase, and the latencies since the previous sample.
 */
export function seriesCsv(results: readonly Results[]): string {
  return SERIES_HEADER + results.map(seriesLines).join('');
}

/** Throws for the results of another program, which have no samples. */
function seriesLines(results: Results): string {
  const { report, name } = results;
  if (!report)
    throw optionError(
      `--format csv-series needs a gobonnie report, but ${display(name)} is not one`,
      'pass another format, such as text',
    );
  const { label, directory } = findProvenance(results);
  const lines = report.runs.flatMap(({ measurements }, run) =>
    measurements.flatMap(({ step, series: { seconds, bytes, operations, latencyNs } }) =>
      seconds.map((second, at) =>
        formatLine([
          ...[label, directory ?? '', String(run + 1), step].map(formatField),
          ...[second, bytes[at], operations[at]].map((value) => String(value ?? '')),
          ...(['p50', 'p99', 'max'] as const).map((quantile) =>
            formatMetric(latencyNs?.[quantile][at] ?? null, 'nanoseconds'),
          ),
        ]),
      ),
    ),
  );
  return lines.join('');
}

function formatLine(fields: readonly string[]): string {
  return fields.join(',') + LINE_END;
}

/** Quotes a field. Makes names harmless that a spreadsheet would run as a formula, or that control a terminal. */
function formatField(text: string): string {
  const safe = escapeFormula(sanitize(text));
  return QUOTED_CHARACTERS.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function formatMetric(amount: number | null, unit: MetricUnit): string {
  return amount === null ? '' : String(amount / unitDefinitions[unit].base.divisor);
}
