import { type Phase, supportsDirect } from '../../workers/phases/phase.js';
import { getPhase } from '../../workers/phases/phase-catalogue.js';
import { ignoresSync, whyIoIsUnaccounted } from '../machine/filesystem.js';
import { findMemoryCeiling } from './ceiling.js';
import { isDataSynced, type MeasurementContext } from './measure/measurement-context.js';
import { findMeasurementWarnings, measurementWarnings } from './measure/measurement-warnings.js';
import type { Measurement, Report, Warning } from './schema/report.js';

type ContextReport = Pick<
  Report,
  'target' | 'options' | 'machine' | 'memoryCeiling' | 'job' | 'runs' | 'cache'
>;

/** How and where a phase of the report was measured. */
export function measurementContext(report: ContextReport, phaseName: string): MeasurementContext {
  const { target, options, machine, memoryCeiling, cache } = report;
  const phase = getPhase(phaseName);
  return {
    ...target,
    ioUnit: phase.ioUnit,
    access: phase.access,
    isDirect: options.direct && supportsDirect(phase),
    isSynced: !ignoresSync(target) && isDataSynced(phase.ioUnit, options.fsync, options.fsyncPerWrite),
    dataBytes: computeDataBytes(report, phase),
    // A container's limit is not for what a server, a program or a loop device keeps in memory.
    memoryBytes: whyIoIsUnaccounted(target) === null ? machine.memoryLimitBytes : machine.memoryBytes,
    platform: machine.platform,
    requestedCache: cache.requested,
    ceilingPerSecond: findMemoryCeiling(phaseName, memoryCeiling),
  };
}

/**
 * How much of the data that a phase uses a host has written: the one with the most ranks, and in the run that wrote the
 * least of it, as --stonewall and --byte-size may leave less than --size.
 */
function computeDataBytes({ options, job, runs }: ContextReport, phase: Phase): number {
  const mostRanks = Math.max(1, ...(job?.hosts ?? []).map(({ ranks }) => ranks));
  const createdBytes = runs.flatMap(({ measurements }) => findCreatedBytes(phase, measurements) ?? []);
  const bytesPerRank = createdBytes.map((bytes) => bytes / (job?.ranks ?? 1));
  return (
    mostRanks * Math.min(phase.dataset === 'data' ? options.sizeBytes : Number.MAX_VALUE, ...bytesPerRank)
  );
}

/** What the last phase wrote that made the data. Null if it was not measured. */
function findCreatedBytes({ name, dataset }: Phase, measurements: readonly Measurement[]): number | null {
  const at = measurements.findIndex(({ phase }) => phase === name);
  const precedingMeasurements = at < 0 ? measurements : measurements.slice(0, at + 1);
  const creation = precedingMeasurements.findLast(({ phase }) => {
    const other = getPhase(phase);
    return other.dataset === dataset && other.access === 'creates';
  });
  return creation?.writtenBytes ?? null;
}

/** The report's warnings, with those about a phase told of all runs so far. */
export function mergeRunWarnings(report: Pick<Report, 'warnings'> & ContextReport): Warning[] {
  const measurements = report.runs.flatMap(({ measurements }) => measurements);
  return report.warnings.map((warning) => {
    const { code, phase } = warning;
    // Of some hosts only one run's figures are known.
    if (phase === null || warning.hosts || !Object.hasOwn(measurementWarnings, code)) return warning;
    const phaseMeasurements = measurements.filter((one) => one.phase === phase);
    return (
      findMeasurementWarnings(phaseMeasurements, measurementContext(report, phase)).find(
        (one) => one.code === code,
      ) ?? warning
    );
  });
}
