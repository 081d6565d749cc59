import { GobonnieError } from '../../errors.js';
import { findProvenance, type Results } from '../../report/results.js';
import type { Measurement, Report } from '../../report/schema/report.js';
import { display } from '../../text/escape.js';
import { formatCsvAmount, formatCsvField, formatCsvLine } from './csv.js';

const HEADER = formatCsvLine([
  'label',
  'directory',
  'run',
  'phase',
  'seconds',
  'bytes',
  'operations',
  'latency_p50_seconds',
  'latency_p99_seconds',
  'latency_max_seconds',
]);

/**
 * Renders a header, then a line for each sample of each phase, taken ten times a second: the bytes and operations since
 * the start of the phase, and the latencies since the previous sample.
 */
export function seriesCsv(results: readonly Results[]): string {
  return HEADER + results.map(resultLines).join('');
}

function resultLines(results: Results): string {
  const { runs } = requireReport(results);
  const { label, directory } = findProvenance(results);
  const origin = [formatCsvField(label), formatCsvField(directory ?? '')];
  return runs
    .flatMap(({ measurements }, run) =>
      measurements.flatMap((one) =>
        seriesRows(one).map((row) =>
          formatCsvLine([...origin, String(run + 1), formatCsvField(one.phase), ...row]),
        ),
      ),
    )
    .join('');
}

/** Throws for the results of another program, which have no samples. */
function requireReport({ report, name }: Results): Report {
  if (report) return report;
  throw new GobonnieError(
    'option-invalid',
    `--format csv-series needs a gobonnie report, but ${display(name)} is not one`,
    'pass another format, such as text',
  );
}

function seriesRows({
  series: { seconds, bytes, operations, latencyNs },
}: Measurement): readonly (readonly string[])[] {
  return seconds.map((second, at) => [
    ...[second, bytes[at], operations[at]].map((value) => String(value ?? '')),
    ...(['p50', 'p99', 'max'] as const).map((name) =>
      formatCsvAmount(latencyNs?.[name][at] ?? null, 'nanoseconds'),
    ),
  ]);
}
