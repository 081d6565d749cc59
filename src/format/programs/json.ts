import { GobonnieError } from '../../errors.js';
import { completeRuns, type PhaseFigures, type RunResult, rateOf } from '../../report/results.js';
import { resultsOfReport } from '../../report/results-of-report.js';
import type { Report } from '../../report/schema/report.js';
import { harmlessJson, shown } from '../../text/escape.js';
import { GIB, MB } from '../../text/units.js';
import type { Format } from '../format.js';

/** gobonniego's document: exactly its keys in its order, on one line. */
export const json: Format = {
  isJson: true,
  oneByOne: 'plain',
  needs: ['write', 'read', 'iops'],
  end: (report) => harmlessJson(documentOf(report)),
  render: (results) => harmlessJson(documentOfRuns(completeRuns(results))),
};

/** An unknown time, as a Go program writes it. */
const GO_ZERO_TIME = '0001-01-01T00:00:00Z';

function documentOf(report: Report) {
  const { version, startedAt, target, options, machine } = report;
  return {
    version,
    start_time: wholeSeconds(startedAt),
    gobonniego_directory: target.scratchDirectory,
    disk_space_used_gib: options.sizeGib,
    num_readers_and_writers: options.threads,
    physical_memory_bytes: machine.memoryBytes,
    iops_duration_seconds: options.iopsDurationSeconds,
    results: completeRuns([resultsOfReport(report)]).map(resultOf),
  };
}

/** For another program's runs. Unknown fields have Go's zero values. */
function documentOfRuns(runs: readonly RunResult[]) {
  const [first] = runs;
  return {
    version: first?.program.version ?? '',
    start_time: timeOf(first),
    gobonniego_directory: '',
    disk_space_used_gib: (first?.sizeBytes ?? 0) / GIB,
    num_readers_and_writers: first?.threads ?? 0,
    physical_memory_bytes: 0,
    iops_duration_seconds: 0,
    results: runs.map(resultOf),
  };
}

function resultOf(run: RunResult) {
  const [write, read, iops] = [figuresOf(run, 'write'), figuresOf(run, 'read'), figuresOf(run, 'iops')];
  return {
    write_megabytes_per_second: write.rate / MB,
    read_megabytes_per_second: read.rate / MB,
    iops: iops.rate,
    write_seconds: write.seconds,
    read_seconds: read.seconds,
    io_seconds: iops.seconds,
    start_time: timeOf(run),
    write_bytes: write.amount,
    read_bytes: read.amount,
    io_operations: iops.amount,
  };
}

function figuresOf({ label, program, phases }: RunResult, phase: string) {
  const found = phases.find((one) => one.phase === phase);
  const [rate, amount, seconds] = found
    ? [rateOf(found), amountOf(found), found.seconds]
    : [null, null, null];
  if (rate !== null && amount !== null && seconds !== null) return { rate, amount, seconds };
  const missing = [rate === null && 'rate', amount === null && 'amount', seconds === null && 'time'];
  throw new GobonnieError(
    'option-invalid',
    `gobonniego's document needs the ${missing.filter(Boolean).join(', the ')} of ${phase}, which ` +
      `${shown(label || program.name)} does not have`,
    'choose another format, such as text',
  );
}

function amountOf({ figure, bytes, operations }: PhaseFigures): number | null {
  return figure === 'bytes' ? bytes : operations;
}

function timeOf(run: RunResult | undefined): string {
  return wholeSeconds(run?.startedAt ?? GO_ZERO_TIME);
}

/** jq's fromdate refuses fractions. */
function wholeSeconds(time: string): string {
  return time.replace(/\.\d+Z$/, 'Z');
}
