import { optionError } from '../../errors.js';
import { primaryRateOf } from '../../report/rate.js';
import { completeRuns, type Results, type RunResult } from '../../report/results.js';
import { display, stringifySafely } from '../../text/escape.js';
import { GIB, MB } from '../../text/units.js';

/** Go's zero value, for an unknown time. */
const GO_ZERO_TIME = '0001-01-01T00:00:00Z';

/**
 * Renders gobonniego's document: its keys, in its order, on one line. Values that another program does not report are
 * Go's zero values.
 */
export function gobonniegoJson(results: readonly Results[]): string {
  const runs = completeRuns(results);
  const [first] = runs;
  const report = results[0]?.report;
  const ranks = report?.job?.ranks ?? 1;
  return stringifySafely({
    version: report?.version ?? first?.program.version ?? '',
    start_time: formatGoTime(report ?? first),
    gobonniego_directory: report?.target.scratchDirectory ?? '',
    disk_space_used_gib: report ? ranks * report.options.sizeGib : (first?.sizeBytes ?? 0) / GIB,
    num_readers_and_writers: report ? ranks * report.options.threads : (first?.threads ?? 0),
    physical_memory_bytes: report?.machine.memoryBytes ?? 0,
    iops_duration_seconds: report?.options.iopsDurationSeconds ?? 0,
    results: runs.map((run) => toGobonniegoResult(run, results[0]?.name)),
  });
}

function toGobonniegoResult(run: RunResult, name = run.label || run.program.name) {
  const write = requirePhase(run, 'write', name);
  const read = requirePhase(run, 'read', name);
  const iops = requirePhase(run, 'iops', name);
  return {
    write_megabytes_per_second: write.rate / MB,
    read_megabytes_per_second: read.rate / MB,
    iops: iops.rate,
    write_seconds: write.seconds,
    read_seconds: read.seconds,
    io_seconds: iops.seconds,
    start_time: formatGoTime(run),
    write_bytes: write.amount,
    read_bytes: read.amount,
    io_operations: iops.amount,
  };
}

function requirePhase({ steps }: RunResult, phase: string, name: string) {
  const result = steps.find(({ step }) => step === phase);
  const rate = result ? primaryRateOf(result) : null;
  const amount = result ? result[result.primaryRate] : null;
  const seconds = result?.seconds ?? null;
  if (rate !== null && amount !== null && seconds !== null) return { rate, amount, seconds };
  throw optionError(
    `--format json needs the rate, the amount and the duration of ${phase}, which ${display(name)} lacks`,
    'pass another format, such as text',
  );
}

/** Omits fractions of a second: jq's fromdate rejects them. */
function formatGoTime(started: Pick<RunResult, 'startedAt'> | undefined): string {
  return (started?.startedAt ?? GO_ZERO_TIME).replace(/\.\d+Z$/, 'Z');
}
