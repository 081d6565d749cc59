import { GobonnieError } from '../../errors.js';
import { isComplete } from '../../report/schema/complete.js';
import type { Measurement, Report, Run } from '../../report/schema/report.js';
import type { Score, Sheet } from '../../report/sheet.js';
import { harmlessJson, shown } from '../../text/escape.js';
import { GIB, MB } from '../../text/units.js';
import type { Format } from '../format.js';

/** gobonniego's document: exactly its keys, in its order, on one line, with the complete runs. */
export const json: Format = {
  isJson: true,
  oneByOne: 'plain',
  needs: ['write', 'read', 'iops'],
  end: (report) => harmlessJson(documentOf(report)),
  sheets: (sheets) => harmlessJson(documentOfSheets(sheets)),
};

/** A time that was not told, as a Go program reads it. */
const GO_ZERO_TIME = '0001-01-01T00:00:00Z';

function documentOf({ version, startedAt, target, options, machine, runs }: Report) {
  return {
    version,
    start_time: wholeSeconds(startedAt),
    gobonniego_directory: target.scratchDirectory,
    disk_space_used_gib: options.sizeGib,
    num_readers_and_writers: options.threads,
    physical_memory_bytes: machine.memoryBytes,
    iops_duration_seconds: options.iopsDurationSeconds,
    results: runs.filter(isComplete).map(resultOf),
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

/** Of the sheets of one document. What no sheet holds is as empty as a Go program leaves what it was not told. */
function documentOfSheets(sheets: readonly Sheet[]) {
  const [first] = sheets;
  return {
    version: first?.program.version ?? '',
    start_time: timeOf(first),
    gobonniego_directory: '',
    disk_space_used_gib: (first?.sizeBytes ?? 0) / GIB,
    num_readers_and_writers: first?.concurrency ?? 0,
    physical_memory_bytes: 0,
    iops_duration_seconds: 0,
    results: sheets.map(resultOfSheet),
  };
}

function resultOfSheet(sheet: Sheet) {
  const write = wholeScore(sheet, 'write');
  const read = wholeScore(sheet, 'read');
  const iops = wholeScore(sheet, 'iops');
  return {
    write_megabytes_per_second: write.perSecond / MB,
    read_megabytes_per_second: read.perSecond / MB,
    iops: iops.perSecond,
    write_seconds: write.seconds,
    read_seconds: read.seconds,
    io_seconds: iops.seconds,
    start_time: timeOf(sheet),
    write_bytes: write.amount,
    read_bytes: read.amount,
    io_operations: iops.amount,
  };
}

function wholeScore({ label, program, scores }: Sheet, phase: string) {
  const { perSecond = null, amount = null, seconds = null }: Partial<Score> = scores[phase] ?? {};
  if (perSecond !== null && amount !== null && seconds !== null) return { perSecond, amount, seconds };
  const missing = [
    perSecond === null && 'rate',
    amount === null && 'amount',
    seconds === null && 'time',
  ].filter(Boolean);
  throw new GobonnieError(
    'option-invalid',
    `gobonniego's document needs the ${missing.join(', the ')} of ${phase}, which ` +
      `${shown(label || program.name)} does not have`,
    'choose another format, such as text',
  );
}

function timeOf(sheet: Sheet | undefined): string {
  return wholeSeconds(sheet?.startedAt ?? GO_ZERO_TIME);
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
