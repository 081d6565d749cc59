import { phaseNamed } from '../../workers/phases/catalogue.js';
import { canBeDirect } from '../../workers/phases/phase.js';
import { ceilingOf } from './ceiling.js';
import type { Circumstances } from './measure/circumstances.js';
import { measurementWarnings, warningsOf } from './measure/warnings.js';
import type { Report, Warning } from './schema/report.js';

type Setting = Pick<Report, 'target' | 'options' | 'machine' | 'memoryCeiling' | 'job' | 'runs' | 'cache'>;

/** How and where a phase of the report was measured. */
export function circumstancesOf(report: Setting, phaseName: string): Circumstances {
  const { target, options, machine, memoryCeiling, cache } = report;
  const phase = phaseNamed(phaseName);
  return {
    ...target,
    moves: phase.moves,
    isDirect: options.direct && canBeDirect(phase),
    dataBytes: dataBytesOf(report),
    memoryBytes: machine.memoryLimitBytes,
    platform: machine.platform,
    cacheAsked: cache.asked,
    ceilingPerSecond: ceilingOf(phaseName, memoryCeiling),
  };
}

/** What a host has written: the one with the most members, and in the run in which --stonewall left the least of it. */
function dataBytesOf({ options, job, runs }: Setting): number {
  const ofMembers = Math.max(1, ...(job?.hosts ?? []).map(({ members }) => members));
  const cutBytes = runs.flatMap(({ measurements }) =>
    measurements.flatMap(({ stonewall, writtenBytes, phase }) => {
      const { dataset, access } = phaseNamed(phase);
      return stonewall && dataset === 'data' && access === 'creates'
        ? writtenBytes / (job?.members ?? 1)
        : [];
    }),
  );
  return ofMembers * Math.min(options.sizeBytes, ...cutBytes);
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
