import { type RemoteKind, remoteKind } from '../machine/filesystem.js';
import type { Disk, Transport } from '../machine/machine-schema.js';
import { findListedSteps, type ListedStep, listConcurrent } from '../report/listed-steps.js';
import { metricOfRuns } from '../report/metrics.js';
import { isAtLimit } from '../report/rate.js';
import { knownMeasurements } from '../report/results.js';
import type { Report } from '../report/schema/report.js';
import { formatNs, KIB, MB, NS_PER_MS, NS_PER_US } from '../text/units.js';

/** The reasons why results are slower than the disk. */
export const CAUSES = {
  'cgroup-limit': "the control group's limit",
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

/** The fastest disks reach at least this share of the limit of their interface. */
const LIMIT_SHARE = 0.85;
/** With a higher rate, a cache below served the reads, or /sys shows the link of an emulated controller. */
const MAX_SHARE = 1.1;
/** Models of network volumes that clouds attach as NVMe or SCSI disks. */
const CLOUD_VOLUMES =
  /^(Amazon Elastic Block Store|PersistentDisk|nvme_card-pd|MSFT NVMe Accelerator\b.*|BlockVolume)$/;

const RANDOM_BYTES = 4 * KIB;
const CAUSE_CODES = ['device-contention', 'cpu-saturated', 'cpu-steal'] as const;

/** Returns the codes of the warnings about a step that name a cause of slow results. */
export function findCauseCodes({ warnings }: Report, step: string) {
  return CAUSE_CODES.filter((code) =>
    warnings.some((one) => one.code === code && (one.step === step || one.step === null)),
  );
}

/**
 * Returns the facts of steps such as those of `quick`: the sequential reads with the largest block, and the random
 * reads of 4 KiB while no other is in flight. Omits results that a cache served.
 */
export function speedFactsOf(report: Report): SpeedFacts {
  const { target, job, options } = report;
  const facts = { sequential: null, random: null, disk: target.disk, remote: remoteKind(target) };
  // The ranks of a job may be on different disks.
  if (target.isMemory || job !== undefined) return facts;
  // The results beside another load say nothing about the kind of a disk.
  const isAlone = ({ step }: ListedStep) => listConcurrent(step, options.steps ?? []).length === 1;
  const results = findListedSteps(report).filter(isAlone);
  const reads = results.filter(({ step }) => step.phase === 'read');
  const blockBytes = Math.max(...reads.map(({ step }) => step.ioBytes));
  const [sequential = null] = reads
    .filter(({ step }) => step.ioBytes === blockBytes)
    .map((result) => describeReads(result, report))
    .filter((reads) => reads !== null)
    .toSorted((one, other) => other.bytesPerSecond - one.bytesPerSecond);
  const random = results.find(
    // After a pause, the CPU and the disk need longer.
    ({ step: { phase, mixPercent, threads, depth, ioBytes, intervalSeconds } }) =>
      intervalSeconds === undefined &&
      phase === 'random' &&
      mixPercent === 100 &&
      threads * depth === 1 &&
      ioBytes === RANDOM_BYTES,
  );
  return { ...facts, sequential, random: random ? describeReads(random, report) : null };
}

/** Returns the means of all runs. Null if the device did not serve one of them. */
function describeReads(result: ListedStep, report: Report) {
  const { step, rows } = result;
  const { target } = report;
  const measurements = knownMeasurements(rows);
  const bytesPerSecond = metricOfRuns(rows, 'throughput');
  const operationsPerSecond = metricOfRuns(rows, 'ops');
  if (bytesPerSecond === null || rows.some((one) => !one.isServedByDevice)) return null;
  if (measurements.some((one) => one.suspendedSeconds)) return null;
  const rates = [{ operationsPerSecond, bytesPerSecond }];
  const load = { readShare: 1, minSeconds: Math.min(...measurements.map(({ seconds }) => seconds)) };
  const causes: Cause[] = [...findCauseCodes(report, step.name)];
  if (target.ioLimits?.some((limit) => isAtLimit(rates, limit, load))) causes.unshift('cgroup-limit');
  if (target.encryption !== null) causes.unshift('encryption');
  return { bytesPerSecond, p50Ns: metricOfRuns(rows, 'p50') ?? Number.NaN, causes };
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
    return { text: "sequential reads at the control group's limit", causes: [] };
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
    return { text: `random reads as fast as on ${name}${compareWithHardDisk(similar, p50Ns)}`, causes: [] };
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
    return isLimited ? { text: "random reads at the control group's limit", causes: [] } : null;
  return {
    text: `slower ${usually(slowest)}: ${time} instead of up to ${formatNs(slowest.belowNs)}`,
    causes,
  };
}

/** Formats `, 70 times as fast as on a hard disk`. Empty for a disk that is hardly faster. */
function compareWithHardDisk({ rotational }: DiskKind, p50Ns: number): string {
  const times = Number((HARD_DISK_NS / p50Ns).toPrecision(1));
  return rotational !== true && times >= 2 ? `, ${times} times as fast as on a hard disk` : '';
}

/** One kind of disk, and the time of one random read of 4 KiB while no other is in flight. */
interface DiskKind {
  readonly name: string;
  /** Null if it can be either. */
  readonly rotational: boolean | null;
  /** The transports in /sys that this kind of disk can have. */
  readonly transports: readonly Transport[];
  /** True if a disk with an unknown or virtual transport can be of this kind. */
  readonly isCommon: boolean;
  /** The usual median: at least `fromNs`, less than `belowNs`. */
  readonly fromNs: number;
  readonly belowNs: number;
  readonly source: string;
}

/** In ascending order of time. Kinds with the same transport and `rotational` do not overlap. */
// biome-ignore format: a row per kind
export const DISK_KINDS: readonly DiskKind[] = [
  { name: 'an NVMe SSD', rotational: false, transports: ['nvme'], isCommon: true, fromNs: 8 * NS_PER_US, belowNs: 120 * NS_PER_US, source: 'anandtech.com/show/11209, medians: Intel Optane P4800X 9 µs, Intel P3700 76 µs, Micron 9100 104 µs' },
  { name: 'a SATA SSD', rotational: false, transports: ['sata'], isCommon: true, fromNs: 35 * NS_PER_US, belowNs: 250 * NS_PER_US, source: 'fio-plot, medians: Samsung 860 PRO 44 µs, Crucial MX200 134 µs, Kingston DC500M 159 µs' },
  { name: 'a USB SSD', rotational: false, transports: ['usb'], isCommon: false, fromNs: 40 * NS_PER_US, belowNs: 400 * NS_PER_US, source: 'fio-plot, median: Crucial 240 GB with a USB bridge 206 µs' },
  { name: 'an SD card or eMMC', rotational: false, transports: ['mmc'], isCommon: false, fromNs: 100 * NS_PER_US, belowNs: 2 * NS_PER_MS, source: 'SD Association: class A1 reads at least 1,500 times a second (0.67 ms), class A2 4,000 times (0.25 ms)' },
  { name: 'a network volume', rotational: null, transports: ['network'], isCommon: true, fromNs: 250 * NS_PER_US, belowNs: 2 * NS_PER_MS, source: 'AWS: io2 Block Express below 1 ms; fio-plot, median: Ceph on SSDs 0.83 ms' },
  { name: 'a USB stick', rotational: false, transports: ['usb'], isCommon: false, fromNs: 400 * NS_PER_US, belowNs: 5 * NS_PER_MS, source: 'acex.com.au: Lexar JumpDrive S75 1,010 times a second (0.99 ms)' },
  { name: 'a hard disk', rotational: true, transports: ['sata', 'usb'], isCommon: true, fromNs: 2 * NS_PER_MS, belowNs: 20 * NS_PER_MS, source: 'half a turn and a seek: Hitachi 15K450 2 + 3.3 ms, 5K320 5.5 + 12 ms, less within a small file; fio-plot, medians: 8.0 to 16.6 ms' },
];

/** The hard disk of comparisons does 100 random reads a second. */
const HARD_DISK_NS = 10 * NS_PER_MS;

/** A virtual machine's transports. They say nothing about the disk, and `rotational` is 1 by default. */
const VIRTUAL_TRANSPORTS: ReadonlySet<unknown> = new Set<Transport>(['virtio', 'xen', 'vmbus']);

function isPhysicalTransport(transport: Disk['transport']): transport is Transport {
  return transport != null && !VIRTUAL_TRANSPORTS.has(transport);
}

/** Returns the kinds of disk that do not contradict /sys. */
function findPossibleKinds(disk: Pick<Disk, 'rotational' | 'transport'>): readonly DiskKind[] {
  const { rotational, transport } = disk;
  const known = VIRTUAL_TRANSPORTS.has(transport) && rotational ? null : rotational;
  return DISK_KINDS.filter(
    (kind) =>
      (isPhysicalTransport(transport) ? kind.transports.includes(transport) : kind.isCommon) &&
      (known === null || kind.rotational === null || kind.rotational === known),
  );
}

interface Interface {
  readonly transport: Transport;
  readonly name: string;
  /** The link's speed in /sys: of one lane, for PCIe. */
  readonly megabitsPerSecond: number;
  /** The most that disks read through it: through one lane, for PCIe. */
  readonly megabytesPerSecond: number;
  readonly source: string;
}

const SATA = 'SATA-IO: 10 bits on the wire for each byte';
const USB = 'everythingusb.com/speed.html';
const PCIE = 'PCI-SIG: 10 bits on the wire for each byte, less 15 % for packets';

// biome-ignore format: a row per interface
export const INTERFACES: readonly Interface[] = [
  { transport: 'sata', name: 'SATA (1.5 Gbit/s)', megabitsPerSecond: 1500, megabytesPerSecond: 150, source: SATA },
  { transport: 'sata', name: 'SATA (3 Gbit/s)', megabitsPerSecond: 3000, megabytesPerSecond: 300, source: SATA },
  { transport: 'sata', name: 'SATA (6 Gbit/s)', megabitsPerSecond: 6000, megabytesPerSecond: 600, source: SATA },
  { transport: 'usb', name: 'USB 2 (480 Mbit/s)', megabitsPerSecond: 480, megabytesPerSecond: 43, source: 'USB 2.0: at most 13 blocks of 512 bytes in 125 µs is 53 MB/s, less 20 % for commands' },
  { transport: 'usb', name: 'USB 3 (5 Gbit/s)', megabitsPerSecond: 5000, megabytesPerSecond: 460, source: `${USB}: near 450 MB/s` },
  { transport: 'usb', name: 'USB 3 (10 Gbit/s)', megabitsPerSecond: 10_000, megabytesPerSecond: 1080, source: `${USB}: at best 1.1 GB/s. Crucial X8: 1,050 MB/s` },
  { transport: 'usb', name: 'USB 3 (20 Gbit/s)', megabitsPerSecond: 20_000, megabytesPerSecond: 2100, source: 'twice USB 3 (10 Gbit/s)' },
  { transport: 'nvme', name: 'PCIe 1', megabitsPerSecond: 2500, megabytesPerSecond: 212, source: PCIE },
  { transport: 'nvme', name: 'PCIe 2', megabitsPerSecond: 5000, megabytesPerSecond: 425, source: PCIE },
  { transport: 'nvme', name: 'PCIe 3', megabitsPerSecond: 8000, megabytesPerSecond: 890, source: 'Samsung 970 EVO, x4: 3,500 MB/s' },
  { transport: 'nvme', name: 'PCIe 4', megabitsPerSecond: 16_000, megabytesPerSecond: 1865, source: 'Samsung 990 PRO, x4: 7,450 MB/s' },
  { transport: 'nvme', name: 'PCIe 5', megabitsPerSecond: 32_000, megabytesPerSecond: 3700, source: 'Samsung 9100 PRO, x4: 14,800 MB/s' },
];

/** Returns null if the link is unknown. */
function findLinkLimit({ transport, link }: Pick<Disk, 'transport' | 'link'>) {
  const row = INTERFACES.find(
    (one) => one.transport === transport && one.megabitsPerSecond === link?.megabitsPerSecond,
  );
  if (!row || !link) return null;
  return {
    name: row.transport === 'nvme' ? `${row.name} x${link.lanes}` : row.name,
    bytesPerSecond: row.megabytesPerSecond * link.lanes * MB,
  };
}
