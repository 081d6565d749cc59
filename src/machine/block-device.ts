import { readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';

/** The block device under a filesystem. */
export interface Disk {
  /** The kernel's name: `vda1`, `dm-0`, `loop3`. */
  readonly name: string;
  /** The name in /proc/diskstats to watch: for a partition the whole disk, because other partitions also use it. */
  readonly diskstatsName: string;
  /** For a mapped device its name, for a loop device the file behind it. */
  readonly model: string | null;
  readonly rotational: boolean | null;
  readonly scheduler: string | null;
  readonly logicalBlockBytes: number | null;
  readonly physicalBlockBytes: number | null;
  readonly sizeBytes: number | null;
  readonly encryption: string | null;
}

/** A file as a block device. */
export interface LoopDevice {
  readonly device: string;
  readonly file: string;
  /** True if it bypasses the page cache of its file. */
  readonly isDirect: boolean;
}

/** The kernel's unit for sizes, whatever the device's own sectors are. */
const SYSFS_SECTOR_BYTES = 512;
/** A disk of memory, as it is or compressed. */
const RAM_DISK = /^z?ram\d+$/;
/** The mark of cryptsetup's mappings. VERITY and INTEGRITY check the data but do not encrypt it. */
const ENCRYPTED_MAPPING = /^CRYPT-(?!VERITY|INTEGRITY)/;
const QUEUE_ATTRIBUTES = ['rotational', 'scheduler', 'logical_block_size', 'physical_block_size'].map(
  (name) => `queue/${name}`,
);
/** The first of these that exists is the model. An SD card has a name instead. */
const MODEL_ATTRIBUTES = ['loop/backing_file', 'dm/name', 'device/model', 'device/name'];

/** What a device is made of. */
export interface DeviceStack {
  readonly isInMemory: boolean;
  readonly loops: readonly LoopDevice[];
}

/** The `major:minor` in the `dev` or `rdev` of a stat, as the C library packs them. */
export function formatDeviceNumber(packed: number): string {
  const bits = BigInt(packed);
  const major = ((bits >> 8n) & 0xfffn) | ((bits >> 32n) & 0xfffff000n);
  return `${major}:${(bits & 0xffn) | ((bits >> 12n) & 0xffffff00n)}`;
}

/**
 * The disk with this `major:minor` or, if that belongs to no disk (as on btrfs), with this device file.
 * Everything is read from sysfs, so that no program has to run.
 */
export async function readDisk(deviceNumber: string, file: string, sysfs = '/sys'): Promise<Disk | null> {
  const device = await findSysfsDevice(deviceNumber, file, sysfs);
  if (device === null) return null;
  const wholeDisk = await findWholeDisk(device);
  const [rotational, scheduler, logical, physical, ...models] = await Promise.all(
    [...QUEUE_ATTRIBUTES, ...MODEL_ATTRIBUTES].map((name) => readTrimmed(path.join(wholeDisk, name))),
  );
  return {
    name: kernelName(device),
    diskstatsName: kernelName(wholeDisk),
    model: models.find(Boolean) ?? null,
    rotational: rotational ? rotational === '1' : null,
    scheduler: scheduler?.match(/\[(.+)\]/)?.[1] ?? null,
    logicalBlockBytes: parseSysfsNumber(logical),
    physicalBlockBytes: parseSysfsNumber(physical),
    sizeBytes: parseSysfsNumber(await readTrimmed(path.join(device, 'size')), SYSFS_SECTOR_BYTES),
    encryption: (await isEncrypted(wholeDisk)) ? 'dm-crypt' : null,
  };
}

/** What the same device is made of, down to the lowest. Null if there is no such device. */
export async function readStack(
  deviceNumber: string,
  file: string,
  sysfs = '/sys',
): Promise<DeviceStack | null> {
  const device = await findSysfsDevice(deviceNumber, file, sysfs);
  if (device === null) return null;
  const wholeDisks = await listDeviceStack(await findWholeDisk(device));
  const loops = await Promise.all(wholeDisks.map(readLoopDevice));
  return {
    isInMemory: wholeDisks.some((wholeDisk) => RAM_DISK.test(kernelName(wholeDisk))),
    loops: loops.filter((loop) => loop !== null),
  };
}

/** The directory in sysfs. */
async function findSysfsDevice(deviceNumber: string, file: string, sysfs: string): Promise<string | null> {
  return (
    (await resolveDeviceLink(path.join(sysfs, 'dev/block', deviceNumber))) ??
    (file.startsWith('/dev/')
      ? await resolveDeviceLink(path.join(sysfs, 'class/block', await sysfsName(file)))
      : null)
  );
}

/** The kernel's name behind links such as /dev/mapper/home or /dev/disk/by-id/…; sysfs writes `!` for its slashes. */
async function sysfsName(file: string): Promise<string> {
  const real = await realpath(file).catch(() => file);
  return path.relative('/dev', real).replaceAll('/', '!');
}

function kernelName(device: string): string {
  return path.basename(device).replaceAll('!', '/');
}

/** The directory of a device in sysfs, or null. */
async function resolveDeviceLink(link: string): Promise<string | null> {
  const device = await realpath(link).catch(() => null);
  return device !== null && (await readTrimmed(path.join(device, 'dev'))) !== null ? device : null;
}

/** The whole disk of a partition, whose directory is inside the disk's. */
async function findWholeDisk(device: string): Promise<string> {
  return (await readTrimmed(path.join(device, 'partition'))) === null ? device : path.dirname(device);
}

/** A whole device and all devices below it, for example LVM on LUKS on a loop device. */
async function listDeviceStack(wholeDisk: string): Promise<readonly string[]> {
  const slaves = path.join(wholeDisk, 'slaves');
  const names = await readdir(slaves).catch(() => []);
  const below = await Promise.all(
    names.map(async (name) => {
      const slave = await resolveDeviceLink(path.join(slaves, name));
      return slave === null ? [] : listDeviceStack(await findWholeDisk(slave));
    }),
  );
  return [wholeDisk, ...below.flat()];
}

async function isEncrypted(wholeDisk: string): Promise<boolean> {
  const ids = (await listDeviceStack(wholeDisk)).map((one) => readTrimmed(path.join(one, 'dm/uuid')));
  return (await Promise.all(ids)).some((id) => ENCRYPTED_MAPPING.test(id ?? ''));
}

async function readLoopDevice(wholeDisk: string): Promise<LoopDevice | null> {
  const file = await readTrimmed(path.join(wholeDisk, 'loop/backing_file'));
  if (file === null) return null;
  return {
    device: `/dev/${kernelName(wholeDisk)}`,
    file,
    isDirect: (await readTrimmed(path.join(wholeDisk, 'loop/dio'))) === '1',
  };
}

async function readTrimmed(file: string): Promise<string | null> {
  return readFile(file, 'utf8').then(
    (text) => text.trim(),
    () => null,
  );
}

function parseSysfsNumber(digits: string | null | undefined, unit = 1): number | null {
  return digits ? Number(digits) * unit : null;
}

/** A volume and a drive, as systeminformation reports them. On Windows the size is a string. */
interface Volume {
  readonly name: string;
  readonly size: number | string;
  readonly model: string;
  /** Its drive: `/dev/disk0`, `\\.\PHYSICALDRIVE0`. */
  readonly device?: string | undefined;
  /** What it is: on Windows also `Network` and `RAM`. */
  readonly physical?: string | undefined;
}
interface Drive {
  readonly device: string;
  readonly type: string;
  readonly name: string;
  readonly bytesPerSector: number | null;
}

const ROTATIONAL_TYPES: Readonly<Record<string, boolean>> = { HD: true, SSD: false, NVMe: false, SCM: false };

/** What a mounted `/dev/disk3s5` or `C:` is on systems without sysfs. */
export interface AttachedDevice {
  readonly disk: Disk | null;
  /** Whether it is a disk of memory. */
  readonly isMemory: boolean;
  /** True if another machine has it. */
  readonly isRemote: boolean;
}

export function findAttachedDevice(
  mounted: string,
  volumes: readonly Volume[],
  drives: readonly Drive[],
): AttachedDevice {
  const name = path.posix.basename(mounted);
  const volume = volumes.find((row) => path.posix.basename(row.name) === name);
  const isMemory = volume?.physical === 'RAM';
  const isRemote = volume?.physical === 'Network';
  const disk = volume && !isMemory && !isRemote ? toDisk(volume, name, drives) : null;
  return { disk, isMemory, isRemote };
}

function toDisk(volume: Volume, name: string, drives: readonly Drive[]): Disk {
  const wholeDisk = path.posix.basename(volume.device || name);
  const drive = drives.find((row) => path.posix.basename(row.device) === wholeDisk);
  return {
    name,
    diskstatsName: wholeDisk,
    model: drive?.name || volume.model || null,
    rotational: ROTATIONAL_TYPES[drive?.type ?? ''] ?? null,
    scheduler: null,
    logicalBlockBytes: drive?.bytesPerSector || null,
    physicalBlockBytes: null,
    sizeBytes: Number(volume.size) || null,
    encryption: null,
  };
}
