import { remoteKind } from '../machine/filesystem.js';
import { isAtLimit } from '../report/io-limit.js';
import type { Report } from '../report/schema/report.js';
import { averageRuns } from '../report/statistics/statistics.js';
import { knownOperations, listStepResults, meanLatency, type StepResult } from '../report/step-results.js';
import { KIB } from '../text/units.js';
import type { Cause, SpeedFacts } from './verdict.js';

const RANDOM_BYTES = 4 * KIB;
/** The warnings that name a cause. */
const CAUSE_CODES = ['device-contention', 'cpu-saturated', 'cpu-steal'] as const;

/**
 * Returns the facts of steps such as those of `quick`: the sequential reads with the largest block, and the random
 * reads of 4 KiB by one thread. Omits results that a cache served.
 */
export function speedFactsOf(report: Report): SpeedFacts {
  const { target, job } = report;
  const facts = { sequential: null, random: null, disk: target.disk, remote: remoteKind(target) };
  // The ranks of a job may be on different disks.
  if (target.isMemory || job !== undefined) return facts;
  const results = listStepResults(report);
  const reads = results.filter(({ step }) => step.phase === 'read');
  const blockBytes = Math.max(...reads.map(({ step }) => step.ioBytes));
  const [sequential = null] = reads
    .filter(({ step }) => step.ioBytes === blockBytes)
    .map((result) => describeReads(result, report))
    .filter((reads) => reads !== null)
    .toSorted((one, other) => other.bytesPerSecond - one.bytesPerSecond);
  const random = results.find(
    ({ step: { phase, mixPercent, threads, ioBytes } }) =>
      phase === 'random' && mixPercent === 100 && threads === 1 && ioBytes === RANDOM_BYTES,
  );
  return { ...facts, sequential, random: random ? describeReads(random, report) : null };
}

/** Returns the means of all runs. Null if the device did not serve one of them. */
function describeReads(result: StepResult, report: Report) {
  const { step, measurements } = result;
  const { target, warnings } = report;
  const diskRates = knownOperations(result, target);
  if (diskRates === null || measurements.some((one) => one.suspendedSeconds)) return null;
  const operationsPerSecond = averageRuns(diskRates);
  const bytesPerSecond = operationsPerSecond * step.ioBytes;
  const rates = [{ operationsPerSecond, bytesPerSecond }];
  const load = { readShare: 1, minSeconds: Math.min(...measurements.map(({ seconds }) => seconds)) };
  const causes: Cause[] = CAUSE_CODES.filter((code) =>
    warnings.some((one) => one.code === code && (one.step === step.name || one.step === null)),
  );
  if (target.ioLimits?.some((limit) => isAtLimit(rates, limit, load))) causes.unshift('cgroup-limit');
  if (target.encryption !== null) causes.unshift('encryption');
  return { bytesPerSecond, p50Ns: meanLatency(measurements, 'p50') ?? Number.NaN, causes };
}
