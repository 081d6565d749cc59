import { type RemoteKind, remoteKind } from '../machine/filesystem.js';
import type { Disk } from '../machine/machine-schema.js';
import { findListedSteps, type ListedStep } from '../report/listed-steps.js';
import { averageMetric } from '../report/metrics.js';
import { isAtLimit } from '../report/rate.js';
import { knownMeasurements } from '../report/results.js';
import type { Report } from '../report/schema/report.js';
import { formatNs, KIB } from '../text/units.js';
import {
  type DiskKind,
  findLinkLimit,
  findPossibleKinds,
  HARD_DISK_NS,
  isPhysicalTransport,
} from './disk-kinds.js';

/** What makes results slower than the disk. */
const CAUSES = {
  'cgroup-limit': "the cgroup's limit",
  encryption: 'encryption',
  'device-contention': 'I/O of other programs',
  'cpu-saturated': 'busy CPUs',
  'cpu-steal': 'CPU time stolen by the hypervisor',
};
type Cause = keyof typeof CAUSES;

/** The results of reading that the device served, and the facts that explain them. */
export interface SpeedFacts {
  /** The fastest sequential read. */
  readonly sequential: { readonly bytesPerSecond: number; readonly causes: readonly Cause[] } | null;
  /** The median time of a random read of 4 KiB while no other is in flight. */
  readonly random: { readonly p50Ns: number; readonly causes: readonly Cause[] } | null;
  readonly disk: Pick<Disk, 'rotational' | 'transport' | 'link' | 'model'> | null;
  readonly remote: RemoteKind | null;
}

/** The fastest disks reach at least this share of what their interface carries. */
const LIMIT_SHARE = 0.85;
/** With a higher rate, a cache below served the reads, or /sys shows the link of an emulated controller. */
const MAX_SHARE = 1.1;
/** Models of network volumes that clouds attach as NVMe or SCSI disks. */
const CLOUD_VOLUMES =
  /^(Amazon Elastic Block Store|PersistentDisk|nvme_card-pd|MSFT NVMe Accelerator\b.*|BlockVolume)$/;

const RANDOM_BYTES = 4 * KIB;
/** The warnings that name a cause. */
const CAUSE_CODES = ['device-contention', 'cpu-saturated', 'cpu-steal'] as const;

/**
 * Returns the facts of steps such as those of `quick`: the sequential reads with the largest block, and the random
 * reads of 4 KiB while no other is in flight. Omits results that a cache served.
 */
export function speedFactsOf(report: Report): SpeedFacts {
  const { target, job } = report;
  const facts = { sequential: null, random: null, disk: target.disk, remote: remoteKind(target) };
  // The ranks of a job may be on different disks.
  if (target.isMemory || job !== undefined) return facts;
  const results = findListedSteps(report);
  const reads = results.filter(({ step }) => step.phase === 'read');
  const blockBytes = Math.max(...reads.map(({ step }) => step.ioBytes));
  const [sequential = null] = reads
    .filter(({ step }) => step.ioBytes === blockBytes)
    .map((result) => describeReads(result, report))
    .filter((reads) => reads !== null)
    .toSorted((one, other) => other.bytesPerSecond - one.bytesPerSecond);
  const random = results.find(
    ({ step: { phase, mixPercent, threads, depth = 1, ioBytes } }) =>
      phase === 'random' && mixPercent === 100 && threads * depth === 1 && ioBytes === RANDOM_BYTES,
  );
  return { ...facts, sequential, random: random ? describeReads(random, report) : null };
}

/** Returns the means of all runs. Null if the device did not serve one of them. */
function describeReads(result: ListedStep, report: Report) {
  const { step, rows } = result;
  const { target, warnings } = report;
  const measurements = knownMeasurements(rows);
  const bytesPerSecond = averageMetric(rows, 'throughput');
  const operationsPerSecond = averageMetric(rows, 'ops');
  if (bytesPerSecond === null || rows.some((one) => !one.isServedByDevice)) return null;
  if (measurements.some((one) => one.suspendedSeconds)) return null;
  const rates = [{ operationsPerSecond, bytesPerSecond }];
  const load = { readShare: 1, minSeconds: Math.min(...measurements.map(({ seconds }) => seconds)) };
  const causes: Cause[] = CAUSE_CODES.filter((code) =>
    warnings.some((one) => one.code === code && (one.step === step.name || one.step === null)),
  );
  if (target.ioLimits?.some((limit) => isAtLimit(rates, limit, load))) causes.unshift('cgroup-limit');
  if (target.encryption !== null) causes.unshift('encryption');
  return { bytesPerSecond, p50Ns: averageMetric(rows, 'p50') ?? Number.NaN, causes };
}

/** Returns one sentence on how fast a disk is for its kind. Null if the facts do not suffice. */
export function describeSpeed(facts: SpeedFacts): string | null {
  // A shared directory of another system on this machine can be on any disk.
  if (facts.remote !== null && facts.remote !== 'network') return null;
  const findings = [describeSequential(facts), describeRandom(facts)].filter((finding) => finding !== null);
  if (findings.length === 0) return null;
  const causes = [...new Set(findings.flatMap((finding) => finding.causes))].map((cause) => CAUSES[cause]);
  const texts = findings.map(({ text }) => text);
  if (causes.length > 0) texts.push(`likely ${causes.length > 1 ? 'causes' : 'cause'}: ${causes.join(', ')}`);
  const sentence = texts.join('; ');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

function isNetworkVolume({ disk, remote }: SpeedFacts): boolean {
  return remote === 'network' || disk?.transport === 'network' || CLOUD_VOLUMES.test(disk?.model ?? '');
}

function describeSequential(facts: SpeedFacts) {
  const { sequential, disk } = facts;
  if (sequential === null) return null;
  if (sequential.causes.includes('cgroup-limit'))
    return { text: "sequential reads at the cgroup's limit", causes: [] };
  const limit = disk === null || isNetworkVolume(facts) ? null : findLinkLimit(disk);
  if (limit === null) return null;
  const share = sequential.bytesPerSecond / limit.bytesPerSecond;
  if (share > MAX_SHARE) return null;
  if (share >= LIMIT_SHARE) return { text: `sequential reads at the limit of ${limit.name}`, causes: [] };
  // The link does not limit a hard disk.
  if (disk?.rotational !== false) return null;
  const percent = Math.max(1, Math.round(share * 100));
  return {
    text: `sequential reads at ${percent} % of the limit of ${limit.name}`,
    causes: sequential.causes,
  };
}

function describeRandom(facts: SpeedFacts) {
  if (facts.random === null) return null;
  const { p50Ns, causes } = facts.random;
  const isLimited = causes.includes('cgroup-limit');
  const rotational = facts.disk?.rotational ?? null;
  const transport = isNetworkVolume(facts) ? 'network' : (facts.disk?.transport ?? null);
  const kinds = findPossibleKinds({ rotational, transport });
  const [similar, ...others] = kinds.filter(({ fromNs, belowNs }) => p50Ns >= fromNs && p50Ns < belowNs);
  if (similar && !isLimited) {
    const isAnySsd = similar.rotational === false && (transport === null || others.length > 0);
    const name = isAnySsd ? 'an SSD' : similar.name;
    return { text: `random reads like ${name}${compareWithHardDisk(similar, p50Ns)}`, causes: [] };
  }
  // A transport that does not show the kind leaves `rotational`.
  const reported = isPhysicalTransport(transport)
    ? kinds
    : kinds.filter((kind) => kind.rotational === rotational);
  const isAnySsd = !isPhysicalTransport(transport) && rotational === false;
  const bySys = facts.remote === null ? ' (by /sys)' : '';
  const usually = ({ name }: DiskKind) => `than ${isAnySsd ? 'an SSD' : name}${bySys} usually is`;
  const time = `random reads take ${formatNs(p50Ns)}`;
  const [fastest] = reported;
  if (fastest && !isLimited && p50Ns < fastest.fromNs)
    return { text: `${time}, faster ${usually(fastest)}`, causes: [] };
  const slowest = reported.at(-1);
  // The kernel grants several operations at once, so most may be fast in spite of the limit.
  if (!slowest || p50Ns < slowest.belowNs)
    return isLimited ? { text: "random reads at the cgroup's limit", causes: [] } : null;
  return {
    text: `slower ${usually(slowest)}: ${time} instead of up to ${formatNs(slowest.belowNs)}`,
    causes,
  };
}

/** Formats `, 70 times a hard disk`. Empty for a disk that is hardly faster. */
function compareWithHardDisk({ rotational }: DiskKind, p50Ns: number): string {
  const times = Number((HARD_DISK_NS / p50Ns).toPrecision(1));
  return rotational !== true && times >= 2 ? `, ${times} times a hard disk` : '';
}
