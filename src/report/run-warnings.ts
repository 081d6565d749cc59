import { getPhase } from '../../workers/phases/catalogue.js';
import { supportsDirect, type Phase } from '../../workers/phases/phase.js';
import { ignoresSync, whyIoIsUnaccounted } from '../machine/filesystem.js';
import { ceilingOf } from './ceiling.js';
import { type Circumstances, isDataSynced } from './measure/circumstances.js';
import { measurementWarnings, warningsOf } from './measure/warnings.js';
import type { Measurement, Report, Warning } from './schema/report.js';

type Setting = Pick<Report, 'target' | 'options' | 'machine' | 'memoryCeiling' | 'job' | 'runs' | 'cache'>;

/** How and where a phase of the report was measured. */
export function circumstancesOf(report: Setting, phaseName: string): Circumstances {
  const { target, options, machine, memoryCeiling, cache } = report;
  const phase = getPhase(phaseName);
  return {
    ...target,
    ioUnit: phase.ioUnit,
    access: phase.access,
    isDirect: options.direct && supportsDirect(phase),
    isSynced: !ignoresSync(target) && isDataSynced(phase.ioUnit, options.fsync, options.fsyncPerWrite),
    dataBytes: dataBytesOf(report, phase),
    // A container's limit is not for what a server, a program or a loop device keeps in memory.
    memoryBytes: whyIoIsUnaccounted(target) === null ? machine.memoryLimitBytes : machine.memoryBytes,
    platform: machine.platform,
    requestedCache: cache.requested,
    ceilingPerSecond: ceilingOf(phaseName, memoryCeiling),
  };
}

/**
 * How much of the data that a phase uses a host has written: the one with the most ranks, and in the run that wrote the
 * least of it, as --stonewall and --byte-size may leave less than --size.
 */
function dataBytesOf({ options, job, runs }: Setting, phase: Phase): number {
  const ofRanks = Math.max(1, ...(job?.hosts ?? []).map(({ ranks }) => ranks));
  const madeBytes = runs.flatMap(({ measurements }) => madeBefore(phase, measurements) ?? []);
  const eachBytes = madeBytes.map((bytes) => bytes / (job?.ranks ?? 1));
  return ofRanks * Math.min(phase.dataset === 'data' ? options.sizeBytes : Number.MAX_VALUE, ...eachBytes);
}

/** What the last phase wrote that made the data. Null if it was not measured. */
function madeBefore({ name, dataset }: Phase, measurements: readonly Measurement[]): number | null {
  const at = measurements.findIndex(({ phase }) => phase === name);
  const until = at < 0 ? measurements : measurements.slice(0, at + 1);
  const made = until.findLast(({ phase }) => {
    const other = getPhase(phase);
    return other.dataset === dataset && other.access === 'creates';
  });
  return made?.writtenBytes ?? null;
}

/** The report's warnings, with those about a phase told of all runs so far. */
export function overAllRuns(report: Pick<Report, 'warnings'> & Setting): Warning[] {
  const measured = report.runs.flatMap(({ measurements }) => measurements);
  return report.warnings.map((warning) => {
    const { code, phase } = warning;
    // Of some hosts only one run's figures are known.
    if (phase === null || warning.hosts || !Object.hasOwn(measurementWarnings, code)) return warning;
    const ofPhase = measured.filter((one) => one.phase === phase);
    return warningsOf(ofPhase, circumstancesOf(report, phase)).find((one) => one.code === code) ?? warning;
  });
}
