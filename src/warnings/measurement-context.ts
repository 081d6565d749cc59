import { getPhase } from '../../workers/phases/phase-catalogue.js';
import { ignoresSync } from '../machine/filesystem.js';
import { listConcurrent } from '../report/listed-steps.js';
import { isDataSynced } from '../report/measure/measurement.js';
import { findMemoryCeiling } from '../report/rate.js';
import type { Measurement, Report, ReportedStep } from '../report/schema/report.js';

/** How and where a phase was measured. */
export type MeasurementContext = ReturnType<typeof measurementContext>;

export function measurementContext(report: Report, measured: Pick<Measurement, 'step' | 'phase' | 'direct'>) {
  const { target, options, machine, memoryCeiling, cache } = report;
  const phase = getPhase(measured.phase);
  const step = options.steps?.find(({ name }) => name === measured.step);
  const { fsync } = step ?? options;
  const twiceRam = 2 * machine.memoryLimitBytes;
  const areWritesSynced = step ? step.syncPerWrite !== null : options.fsyncPerWrite;
  const concurrent = step ? listConcurrent(step, options.steps ?? []) : [];
  return {
    ...target,
    ioUnit: phase.ioUnit,
    access: phase.access,
    isDirect: measured.direct,
    /** The command that chose the phases, such as `quick`, which lacks most flags. */
    command: report.command?.name,
    /** True for a step of a list, which sets direct I/O itself. */
    isListed: step !== undefined,
    /** True for a step beside another, which repeats its work until the other ends. */
    isBeside: step?.beside !== undefined,
    /** True if each write is synced, or each write of a step at the same time. */
    areWritesSynced: areWritesSynced || concurrent.some(syncsWrites),
    /** True if the clock stops only after the written data is synced. */
    isSynced: !ignoresSync(target) && isDataSynced(phase.ioUnit, fsync, areWritesSynced),
    platform: machine.platform,
    /** Number of CPUs that gobonnie may use. */
    cores: machine.cores,
    requestedCache: cache.requested,
    /** True if the directory has room for data of twice the RAM. */
    fitsTwiceRam: target.availableBytes >= twiceRam,
    /** True if the data is written for a limited time. */
    isLayoutLimited: step !== undefined && options.stonewallSeconds !== null,
    /** True if the run had that much data. */
    isTwiceRam: options.sizeBytes >= twiceRam,
    /** The rate of this phase if the page cache serves it. Null if unknown. */
    ceilingPerSecond: findMemoryCeiling(measured.step, memoryCeiling),
  };
}

function syncsWrites({ syncPerWrite, phase }: ReportedStep): boolean {
  return syncPerWrite !== null || getPhase(phase).ioUnit === 'tool-calls';
}
