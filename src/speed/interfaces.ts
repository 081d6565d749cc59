import type { Disk, Transport } from '../machine/machine-schema.js';
import { MB } from '../text/units.js';

export interface Interface {
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
