import { remoteKind } from '../machine/filesystem.js';
import { deviceRate } from '../report/rate.js';
import type { Measurement, Report } from '../report/schema/report.js';
import { computeMean } from '../report/statistics/statistics.js';
import { KIB } from '../text/units.js';
import type { Cause, SpeedFacts } from './verdict.js';

const RANDOM_BYTES = 4 * KIB;
/** The warnings that name a cause. */
const CAUSE_CODES = ['device-contention', 'cpu-saturated', 'cpu-steal'] as const;
/** A rate that reaches this share of a limit is at the limit. */
const LIMIT_SHARE = 0.9;

/**
 * Returns the facts of steps such as those of `quick`: the sequential reads with the largest block, and the random
 * reads of 4 KiB by one thread. Omits results that a cache served.
 */
export function speedFactsOf(report: Report): SpeedFacts {
  const { target, job, options } = report;
  const facts = { sequential: null, random: null, disk: target.disk, remote: remoteKind(target) };
  // The ranks of a job may be on different disks.
  if (target.isMemory || job !== undefined) return facts;
  const steps = options.steps ?? [];
  const reads = steps.filter(({ phase }) => phase === 'read');
  const blockBytes = Math.max(...reads.map(({ ioBytes }) => ioBytes));
  const [sequential = null] = reads
    .filter(({ ioBytes }) => ioBytes === blockBytes)
    .map(({ name }) => readResult(report, name))
    .filter((result) => result !== null)
    .toSorted((one, other) => other.bytesPerSecond - one.bytesPerSecond);
  const randomStep = steps.find(
    ({ phase, mixPercent, threads, ioBytes }) =>
      phase === 'random' && mixPercent === 100 && threads === 1 && ioBytes === RANDOM_BYTES,
  );
  const random = randomStep ? readResult(report, randomStep.name) : null;
  const encryption: readonly Cause[] = target.encryption === null ? [] : ['encryption'];
  return { ...facts, sequential, random: random && { ...random, causes: [...encryption, ...random.causes] } };
}

/** Returns the means of all runs. Null if the device did not serve one of them. */
function readResult({ runs, target, warnings }: Report, step: string) {
  const measurements = runs.flatMap((run) => run.measurements.filter((one) => one.step === step));
  const isFromDisk = (one: Measurement) => deviceRate(one, target) !== null && !one.suspendedSeconds;
  if (measurements.length === 0 || !measurements.every(isFromDisk)) return null;
  const bytesPerSecond = computeMean(measurements.map((one) => one.bytesPerSecond));
  const operationsPerSecond = computeMean(measurements.map((one) => one.operationsPerSecond));
  const p50Ns = computeMean(measurements.map(({ latencyNs }) => latencyNs?.p50 ?? Number.NaN));
  const causes: Cause[] = CAUSE_CODES.filter((code) =>
    warnings.some((warning) => warning.code === code && (warning.step === step || warning.step === null)),
  );
  const isLimited = (target.ioLimits ?? []).some(({ direction, unit, perSecond }) => {
    const rate = unit === 'bytes' ? bytesPerSecond : operationsPerSecond;
    return direction === 'read' && rate >= perSecond * LIMIT_SHARE;
  });
  if (isLimited) causes.unshift('cgroup-limit');
  return { bytesPerSecond, p50Ns, causes };
}
