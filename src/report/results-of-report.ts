import { ceilingOf } from './ceiling.js';
import { diskRateOf, isServed } from './disk-figure.js';
import { slowestPerSecond } from './hosts.js';
import { rateOf } from './rate.js';
import { type PhaseFigures, provenanceOf, type Results, type RunResult } from './results.js';
import type { Measurement, Report, Run } from './schema/report.js';

export function resultsOfReport(report: Report): Results {
  return { report, runs: report.runs.map((run) => resultOfRun(report, run)) };
}

export function resultOfRun(report: Report, run: Run): RunResult {
  const { options } = report;
  const { blockBytes, ...files } = options.files;
  const hasData = options.sizeBytes > 0;
  const hasSeeks = options.phases.includes('seeks');
  const makesFiles = ['create', 'create-random'].some((phase) => options.phases.includes(phase));
  return {
    ...provenanceOf({ report, runs: [] }),
    startedAt: run.startedAt,
    state: run.state,
    sizeBytes: hasData ? options.sizeBytes : null,
    dataFiles: options.dataFilesPerThread,
    chunkBytes: hasData ? options.blockSizeBytes : null,
    threads: options.threads,
    seed: String(options.seed),
    seeks: hasSeeks ? options.seeks : null,
    seekThreads: hasSeeks ? (options.seekThreads ?? options.threads) : null,
    synced: options.fsync,
    unlocked: options.byteMode === 'unlocked',
    files: makesFiles ? { ...files, chunkBytes: blockBytes } : null,
    phases: run.measurements.map((one) => figuresOfPhase(one, report)),
  };
}

interface FiguresReport extends Pick<Report, 'memoryCeiling'> {
  readonly target: Pick<Report['target'], 'isMemory'>;
}

export function figuresOfPhase(
  measured: Measurement,
  { target, memoryCeiling }: FiguresReport,
): PhaseFigures {
  return {
    phase: measured.phase,
    title: measured.title,
    primaryRate: measured.primaryRate,
    bytesPerSecond: measured.bytesPerSecond,
    operationsPerSecond: measured.operationsPerSecond,
    durableBytesPerSecond: measured.durable?.bytesPerSecond ?? null,
    timedPerSecond: rateOf(measured),
    diskPerSecond: diskRateOf(measured, target),
    slowestPerSecond: slowestPerSecond(measured, target),
    isServed: isServed(measured.device.share),
    bytes: measured.bytes,
    operations: measured.operations,
    seconds: measured.seconds,
    latencyNs: measured.latencyNs ?? {},
    deviceShare: measured.device.share,
    ceilingPerSecond: ceilingOf(measured.phase, memoryCeiling),
    cpuPercent: measured.cpu.percent,
  };
}

/** Whether there may be several runs; known before the first one ends. */
export function hasSeveralRuns({ options }: Pick<Report, 'options'>): boolean {
  return options.runs > 1 || options.minimumSeconds > 0 || options.untilStablePercent !== null;
}
