import { readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';

/** The block device that a filesystem lies on. */
export interface Disk {
  /** The kernel's: `vda1`, `dm-0`, `loop3`. */
  readonly name: string;
  /** Whose line of /proc/diskstats is to be watched: a partition's whole disk, which the other partitions keep busy too. */
  readonly statName: string;
  /** For a mapped device the name it was given, for a loop device the file behind it. */
  readonly model: string | null;
  readonly rotational: boolean | null;
  readonly scheduler: string | null;
  readonly logicalBlockBytes: number | null;
  readonly physicalBlockBytes: number | null;
  readonly sizeBytes: number | null;
  readonly encryption: string | null;
}

/** The kernel counts sizes in sectors of 512 bytes, however large the device's own are. */
const SECTOR_BYTES = 512;
/** cryptsetup marks what it maps. Its VERITY and INTEGRITY do check the data, but anyone can read them. */
const ENCRYPTED = /^CRYPT-(?!VERITY|INTEGRITY)/;
const QUEUE = ['rotational', 'scheduler', 'logical_block_size', 'physical_block_size'].map(
  (name) => `queue/${name}`,
);
/** An SD card has no model but a name. */
const MODELS = ['loop/backing_file', 'dm/name', 'device/model', 'device/name'];

/**
 * The disk with this `major:minor` or, where that belongs to no disk (as for btrfs), with this device file.
 * All of it stands in sysfs, so that no program has to be run.
 */
export async function readDisk(deviceNumber: string, file: string, sysfs = '/sys'): Promise<Disk | null> {
  const device =
    (await deviceAt(path.join(sysfs, 'dev/block', deviceNumber))) ??
    (file.startsWith('/dev/') ? await deviceAt(path.join(sysfs, 'class/block', await nameOf(file))) : null);
  if (device === null) return null;
  const whole = await wholeOf(device);
  const [rotational, scheduler, logical, physical, ...models] = await Promise.all(
    [...QUEUE, ...MODELS].map((name) => read(path.join(whole, name))),
  );
  return {
    name: kernelName(device),
    statName: kernelName(whole),
    model: models.find(Boolean) ?? null,
    rotational: rotational ? rotational === '1' : null,
    scheduler: scheduler?.match(/\[(.+)\]/)?.[1] ?? null,
    logicalBlockBytes: count(logical),
    physicalBlockBytes: count(physical),
    sizeBytes: count(await read(path.join(device, 'size')), SECTOR_BYTES),
    encryption: (await isEncrypted(whole)) ? 'dm-crypt' : null,
  };
}

/** Links such as /dev/mapper/home or /dev/disk/by-id/… lead to the kernel's name, with `!` for its slashes in sysfs. */
async function nameOf(file: string): Promise<string> {
  const real = await realpath(file).catch(() => file);
  return path.relative('/dev', real).replaceAll('/', '!');
}

function kernelName(device: string): string {
  return path.basename(device).replaceAll('!', '/');
}

/** The directory of a device, null where there is none. */
async function deviceAt(link: string): Promise<string | null> {
  const device = await realpath(link).catch(() => null);
  return device !== null && (await read(path.join(device, 'dev'))) !== null ? device : null;
}

/** A partition lies in the directory of its disk. */
async function wholeOf(device: string): Promise<string> {
  return (await read(path.join(device, 'partition'))) === null ? device : path.dirname(device);
}

/** Whether it is a mapping that encrypts, or lies on one, as LVM does on LUKS. */
async function isEncrypted(whole: string): Promise<boolean> {
  if (ENCRYPTED.test((await read(path.join(whole, 'dm/uuid'))) ?? '')) return true;
  const slaves = path.join(whole, 'slaves');
  for (const name of await readdir(slaves).catch(() => [])) {
    const slave = await deviceAt(path.join(slaves, name));
    if (slave !== null && (await isEncrypted(await wholeOf(slave)))) return true;
  }
  return false;
}

async function read(file: string): Promise<string | null> {
  return readFile(file, 'utf8').then(
    (text) => text.trim(),
    () => null,
  );
}

function count(digits: string | null | undefined, unit = 1): number | null {
  return digits ? Number(digits) * unit : null;
}

/** A volume and a drive as systeminformation tells of them. Windows gives the size as text. */
interface Volume {
  readonly name: string;
  readonly size: number | string;
  readonly model: string;
  /** The drive that it lies on: `/dev/disk0`, `\\.\PHYSICALDRIVE0`. */
  readonly device?: string | undefined;
}
interface Drive {
  readonly device: string;
  readonly type: string;
  readonly name: string;
  readonly bytesPerSector: number | null;
}

const ROTATES: Readonly<Record<string, boolean>> = { HD: true, SSD: false, NVMe: false, SCM: false };

/** The disk of a mounted `/dev/disk3s5` or `C:` where there is no sysfs. */
export function diskAmong(
  mounted: string,
  volumes: readonly Volume[],
  drives: readonly Drive[],
): Disk | null {
  const name = path.posix.basename(mounted);
  const volume = volumes.find((row) => path.posix.basename(row.name) === name);
  if (volume === undefined) return null;
  const whole = path.posix.basename(volume.device || name);
  const drive = drives.find((row) => path.posix.basename(row.device) === whole);
  return {
    name,
    statName: whole,
    model: drive?.name || volume.model || null,
    rotational: ROTATES[drive?.type ?? ''] ?? null,
    scheduler: null,
    logicalBlockBytes: drive?.bytesPerSector || null,
    physicalBlockBytes: null,
    sizeBytes: Number(volume.size) || null,
    encryption: null,
  };
}
