import type { Disk, Transport } from '../machine/machine-schema.js';
import { MB, NS_PER_MS, NS_PER_US } from '../text/units.js';

/** One kind of disk, and the time of one random read of 4 KiB while no other is in flight. */
export interface DiskKind {
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
export const HARD_DISK_NS = 10 * NS_PER_MS;

/** A virtual machine's transports. They say nothing about the disk, and `rotational` is 1 by default. */
const VIRTUAL_TRANSPORTS: ReadonlySet<unknown> = new Set<Transport>(['virtio', 'xen', 'vmbus']);

export function isPhysicalTransport(transport: Disk['transport']): transport is Transport {
  return transport != null && !VIRTUAL_TRANSPORTS.has(transport);
}

/** Returns the kinds of disk that do not contradict /sys. */
export function findPossibleKinds(disk: Pick<Disk, 'rotational' | 'transport'>): readonly DiskKind[] {
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
export function findLinkLimit({ transport, link }: Pick<Disk, 'transport' | 'link'>) {
  const row = INTERFACES.find(
    (one) => one.transport === transport && one.megabitsPerSecond === link?.megabitsPerSecond,
  );
  if (!row || !link) return null;
  return {
    name: row.transport === 'nvme' ? `${row.name} x${link.lanes}` : row.name,
    bytesPerSecond: row.megabytesPerSecond * link.lanes * MB,
  };
}
