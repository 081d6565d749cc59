import { countProjectFiles } from '../../workers/files/project-tree.js';
import { getPhase, phases } from '../../workers/phases/phase-catalogue.js';
import { MICROSECONDS_PER_SECOND } from '../text/units.js';
import { allMeasurements } from './runs.js';
import type { Measurement, Report } from './schema/report.js';

/** The number of files of an installation of a thousand packages. */
export const FILES_OF_THOUSAND_PACKAGES = countProjectFiles(1000);

/** True for the models of developers' tools. A report of a later version may have unknown phases. */
export function isOfTool({ phase }: Pick<Measurement, 'phase'>): boolean {
  return phases.some(({ name, ioUnit }) => name === phase && ioUnit === 'tool-calls');
}

/** Returns the mean time of a system call in µs. Null if several threads make calls, or if their number is unknown. */
export function microsecondsPerCall({
  phase,
  seconds,
  operations,
}: Pick<Measurement, 'phase' | 'seconds' | 'operations'>): number | null {
  const calls = operations * (phases.find(({ name }) => name === phase)?.callsPerFile ?? 0);
  return calls === 0 ? null : (seconds * MICROSECONDS_PER_SECOND) / calls;
}

/** Returns how many files a phase processes unless it is stopped. Null for commits. A stopped installation leaves fewer. */
export function goalFiles({ phase }: Pick<Measurement, 'phase'>, report: Report): number | null {
  const { access, duration } = getPhase(phase);
  if (duration) return null;
  const installed = allMeasurements(report).find(({ step }) => step === 'install')?.operations;
  const all = countProjectFiles(report.options.packages);
  return access === 'creates' ? all : (installed ?? all);
}
