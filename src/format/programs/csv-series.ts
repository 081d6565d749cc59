import { findProvenance, type Results } from '../../report/results.js';
import type { Measurement } from '../../report/schema/report.js';
import { amountText, fieldOf, lineOf } from './csv.js';

const HEADER = lineOf([
  ...['label', 'directory', 'run', 'phase', 'seconds', 'bytes', 'operations'],
  ...['latency_p50_seconds', 'latency_p99_seconds', 'latency_max_seconds'],
]);

/** A header, then a line for every tenth of a second of every phase: what was done so far, and the latencies since the line before. */
export function csvOverTime(results: readonly Results[]): string {
  return HEADER + results.map(linesOf).join('');
}

function linesOf(results: Results): string {
  const { label, directory } = findProvenance(results);
  const words = [fieldOf(label), fieldOf(directory ?? '')];
  const runs = results.report?.runs ?? [];
  return runs
    .flatMap(({ measurements }, run) =>
      measurements.flatMap((one) =>
        rowsOf(one).map((row) => lineOf([...words, String(run + 1), fieldOf(one.phase), ...row])),
      ),
    )
    .join('');
}

function rowsOf({
  series: { seconds, bytes, operations, latencyNs },
}: Measurement): readonly (readonly string[])[] {
  return seconds.map((second, at) => [
    ...[second, bytes[at], operations[at]].map((value) => String(value ?? '')),
    ...(['p50', 'p99', 'max'] as const).map((name) =>
      amountText(latencyNs?.[name][at] ?? null, 'nanoseconds'),
    ),
  ]);
}
