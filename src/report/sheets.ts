import { isComplete } from './schema/complete.js';
import type { Measurement, Report, Run } from './schema/report.js';
import type { Score, Sheet } from './sheet.js';

/** A sheet of each complete run, for the family's tables. */
export function sheetsOf(report: Report): readonly Sheet[] {
  return report.runs.filter(isComplete).map((run) => sheetOf(report, run));
}

export function sheetOf({ version, label, options }: Report, run: Run): Sheet {
  const { phases } = options;
  const { blockBytes, ...files } = options.files;
  const scores = Object.fromEntries(run.measurements.map((measured) => [measured.phase, scoreOf(measured)]));
  const hasData = options.sizeBytes > 0;
  return {
    program: { name: 'gobonnie', version },
    label,
    startedAt: run.startedAt,
    sizeBytes: hasData ? options.sizeBytes : null,
    volumes: options.volumes,
    chunkBytes: hasData ? options.blockSizeBytes : null,
    concurrency: options.threads,
    seed: String(options.seed),
    seeks: phases.includes('seeks') ? options.seeks : null,
    seekers: phases.includes('seeks') ? (options.seekers ?? options.threads) : null,
    synced: options.fsync,
    unlocked: options.byteMode === 'unlocked',
    files: FILE_PHASES.some((phase) => phases.includes(phase)) ? { ...files, chunkBytes: blockBytes } : null,
    scores,
  };
}

const FILE_PHASES = ['create', 'create-random'];

function scoreOf(measured: Measurement): Score {
  const { figure, bytes, operations, bytesPerSecond, operationsPerSecond, seconds, cpu, latencyNs } =
    measured;
  const isBytes = figure === 'bytes';
  return {
    figure,
    perSecond: isBytes ? bytesPerSecond : operationsPerSecond,
    cpuPercent: cpu.percent,
    latencyNs: latencyNs?.max ?? null,
    amount: isBytes ? bytes : operations,
    seconds,
  };
}
