import * as z from 'zod';
import { phases } from '../../../workers/phases/phase-catalogue.js';
import type { RunResult, StepValues } from '../../report/results.js';
import { GIB, MB, MIB, NS_PER_SECOND } from '../../text/units.js';
import { validateDocument } from '../guard.js';
import { foreignPhase, foreignRun, parseForeignPhase } from './row-parsing.js';

const nonNegative = z.number().nonnegative();
/** Small enough to be a finite number of bytes. */
const gibibytes = nonNegative.max(Number.MAX_VALUE / GIB);
const megabytes = nonNegative.max(Number.MAX_VALUE / MB);
const time = z.iso.datetime({ offset: true });

/** gobonniego's versions differ in their keys. */
const documentSchema = z.object({
  version: z.string().nullish(),
  start_time: time.nullish(),
  disk_space_used_gib: gibibytes.nullish(),
  num_readers_and_writers: z.int().positive().nullish(),
  results: z.array(
    z.object({
      write_megabytes_per_second: megabytes,
      read_megabytes_per_second: megabytes,
      iops: nonNegative,
      start_time: time.nullish(),
      write_bytes: nonNegative.nullish(),
      read_bytes: nonNegative.nullish(),
      io_operations: nonNegative.nullish(),
      write_seconds: nonNegative.nullish(),
      read_seconds: nonNegative.nullish(),
      io_seconds: nonNegative.nullish(),
      write_nanoseconds: nonNegative.nullish(),
      read_nanoseconds: nonNegative.nullish(),
      io_nanoseconds: nonNegative.nullish(),
    }),
  ),
});

/** The document that `--json` of gobonniego and gobonnie prints. */
export interface GobonniegoJson extends z.infer<typeof documentSchema> {}

type Result = GobonniegoJson['results'][number];

export function toGobonniegoRuns(document: object): readonly RunResult[] {
  const { version, start_time, disk_space_used_gib, num_readers_and_writers, results } = validateDocument(
    documentSchema,
    document,
  );
  return results.map((result) => {
    const startedAt = result.start_time ?? start_time;
    return foreignRun({
      program: { name: 'gobonniego', version: version ?? null },
      label: '',
      startedAt: startedAt == null ? null : new Date(startedAt).toISOString(),
      sizeBytes: disk_space_used_gib == null ? null : disk_space_used_gib * GIB,
      // Each thread has its own file.
      dataFiles: num_readers_and_writers ?? 1,
      threads: num_readers_and_writers ?? null,
      steps: toPhases(result),
    });
  });
}

function toPhases(result: Result): readonly StepValues[] {
  const rows = [
    ['write', result.write_megabytes_per_second * MB, result.write_bytes, durationSeconds('write', result)],
    ['read', result.read_megabytes_per_second * MB, result.read_bytes, durationSeconds('read', result)],
    ['iops', result.iops, result.io_operations, durationSeconds('io', result)],
  ] as const;
  return rows.map(([phase, rate, amount = null, seconds]) => foreignPhase(phase, { rate, amount, seconds }));
}

/** Versions up to 1.0.7 print nanoseconds instead of seconds. */
function durationSeconds(test: 'write' | 'read' | 'io', result: Result): number | null {
  const nanoseconds = result[`${test}_nanoseconds`];
  return result[`${test}_seconds`] ?? (nanoseconds == null ? null : nanoseconds / NS_PER_SECOND);
}

/** `Sequential Write MB/s: 1229.10` of gobonniego and gobonnie, `MiB/s` of bonniego, and `IOPS: 12345` of all three; gobonnie also has `ops/s`. */
const LINE = /^(?<title>.+?)(?: (?:(?<unit>MB|MiB)|ops)\/s)?: (?<rate>\d+(?:\.\d+)?)\r?$/;

/** Reads the lines that gobonniego, bonniego and gobonnie print in a pipe. A run ends before a repeated title. */
export function readTextLines(text: string): readonly RunResult[] {
  const runs: StepValues[][] = [];
  let program = 'gobonniego';
  for (const line of text.split('\n')) {
    const { title, unit, rate = '' } = LINE.exec(line)?.groups ?? {};
    const phase = phases.find(
      (one) => one.title === title && (one.primaryRate === 'bytes') === (unit !== undefined),
    );
    if (!phase) continue;
    if (unit === 'MiB') program = 'bonniego';
    const step = parseForeignPhase(phase.name, [rate, ''], unit === 'MiB' ? MIB : MB);
    const run = runs.at(-1);
    if (!run || run.some((one) => one.step === step.step)) runs.push([step]);
    else run.push(step);
  }
  return runs.map((steps) =>
    foreignRun({ program: { name: program, version: null }, label: '', threads: null, steps }),
  );
}
