import { readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Disk, DiskLink, Transport } from './machine-schema.js';

export type Attachment = Pick<Disk, 'transport' | 'link'>;

export const UNKNOWN_ATTACHMENT: Attachment = { transport: null, link: null };

/** The directory or name in the path of a disk that shows its transport. NVMe, SATA and USB also have a link. */
const TRANSPORT_PATHS: readonly { readonly transport: Transport; readonly pattern: RegExp }[] = [
  // The sessions of iSCSI, the remote ports of Fibre Channel, the devices of NBD and Ceph.
  { transport: 'network', pattern: /\/session\d+\/|\/rport-[\d:-]+\/|\/[nr]bd\d+$/ },
  { transport: 'mmc', pattern: /\/mmc_host\// },
  { transport: 'virtio', pattern: /\/virtio\d+\// },
  { transport: 'xen', pattern: /\/vbd-\d+\// },
  { transport: 'vmbus', pattern: /\/(VMBUS|MSFT1000):\w+\// },
];
/** The transports of NVMe controllers in this machine. The others are fabrics. */
const NVME_LOCAL = new Set(['pcie', 'apple-nvme']);

/** Returns how a disk is attached, by the real path of its directory in sysfs. */
export async function readAttachment(disk: string): Promise<Attachment> {
  if (/\/nvme\d+n\d+$/.test(disk)) return readNvme(path.dirname(disk));
  const [, port, portNumber] = /^(.*\/ata(\d+))\//.exec(disk) ?? [];
  if (port) return readSata(path.join(port, `link${portNumber}/ata_link/link${portNumber}`));
  if (/\/usb\d+\//.test(disk)) return { transport: 'usb', link: await readUsbLink(disk) };
  const transport = TRANSPORT_PATHS.find(({ pattern }) => pattern.test(disk))?.transport ?? null;
  return { transport, link: null };
}

/** Reads the parent of an NVMe disk: its controller, or a subsystem with links to one or several controllers. */
async function readNvme(parent: string): Promise<Attachment> {
  const names = await readdir(parent).catch(() => []);
  const [name, ...others] = names.filter((entry) => /^nvme\d+$/.test(entry));
  const controller = name === undefined ? parent : await realpath(path.join(parent, name));
  // Kernels without this attribute have only PCIe.
  const transport = (await readAttribute(path.join(controller, 'transport'))) ?? 'pcie';
  if (!NVME_LOCAL.has(transport)) return { transport: 'network', link: null };
  return { transport: 'nvme', link: others.length === 0 ? await readPciLink(controller) : null };
}

async function readPciLink(controller: string): Promise<DiskLink | null> {
  const device = await findAncestor(controller, 'current_link_speed');
  if (device === null) return null;
  const speed = await readAttribute(path.join(device, 'current_link_speed'));
  const width = await readAttribute(path.join(device, 'current_link_width'));
  return toLink(/^([\d.]+) GT\/s/.exec(speed ?? '')?.[1], 1000, Number(width));
}

/** Without a speed, the disk is on parallel ATA, whose ports are the same in sysfs. */
async function readSata(ataLink: string): Promise<Attachment> {
  const speed = await readAttribute(path.join(ataLink, 'sata_spd'));
  const link = toLink(/^([\d.]+) Gbps/.exec(speed ?? '')?.[1], 1000);
  return link === null ? UNKNOWN_ATTACHMENT : { transport: 'sata', link };
}

async function readUsbLink(disk: string): Promise<DiskLink | null> {
  const device = await findAncestor(disk, 'speed');
  return device === null ? null : toLink(await readAttribute(path.join(device, 'speed')), 1);
}

function toLink(speed: string | null | undefined, unitMegabits: number, lanes = 1): DiskLink | null {
  const megabitsPerSecond = Number(speed ?? 0) * unitMegabits;
  return megabitsPerSecond > 0 && lanes > 0 ? { megabitsPerSecond, lanes } : null;
}

/** Returns the nearest directory above that has this attribute. */
async function findAncestor(directory: string, attribute: string): Promise<string | null> {
  const parent = path.dirname(directory);
  if (parent === directory) return null;
  const isFound = (await readAttribute(path.join(parent, attribute))) !== null;
  return isFound ? parent : findAncestor(parent, attribute);
}

/** Returns the text of a small file of the kernel. Null if it does not exist or is not readable. */
export async function readAttribute(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  return text?.trim() ?? null;
}
