import type { Measurement, Report, Run } from '../report/report.js';
import { MB } from '../units.js';
import type { Format } from './format.js';

/** gobonniego's document: exactly its keys, in its order, on one line, with the complete runs. */
export const json: Format = {
  end: (report) => `${JSON.stringify(documentOf(report))}\n`,
};

function documentOf({ version, startedAt, target, options, machine, runs }: Report) {
  return {
    version,
    start_time: wholeSeconds(startedAt),
    gobonniego_directory: target.scratchDirectory,
    disk_space_used_gib: options.sizeGib,
    num_readers_and_writers: options.threads,
    physical_memory_bytes: machine.memoryBytes,
    iops_duration_seconds: options.iopsDurationSeconds,
    results: runs.filter(({ state }) => state === 'completed').map(resultOf),
  };
}

function resultOf(run: Run) {
  const write = measurementOf(run, 'write');
  const read = measurementOf(run, 'read');
  const iops = measurementOf(run, 'iops');
  return {
    write_megabytes_per_second: write.bytesPerSecond / MB,
    read_megabytes_per_second: read.bytesPerSecond / MB,
    iops: iops.operationsPerSecond,
    write_seconds: write.seconds,
    read_seconds: read.seconds,
    io_seconds: iops.seconds,
    start_time: wholeSeconds(run.startedAt),
    write_bytes: write.bytes,
    read_bytes: read.bytes,
    io_operations: iops.operations,
  };
}

/** jq's fromdate refuses fractions. */
function wholeSeconds(time: string): string {
  return time.replace(/\.\d+Z$/, 'Z');
}

function measurementOf({ measurements }: Run, phase: string): Measurement {
  const found = measurements.find((measurement) => measurement.phase === phase);
  if (!found) throw new Error(`a complete run holds no ${phase} measurement`);
  return found;
}
