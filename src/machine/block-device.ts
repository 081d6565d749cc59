import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Attachment, readAttachment, readAttribute, UNKNOWN_ATTACHMENT } from './attachment.js';
import { hasIoAccounting, isMemoryFilesystem } from './filesystem.js';
import type { Disk, LowerCache } from './machine-schema.js';
import { findMount, readMountInfo } from './mount.js';

/** The kernel's unit for sizes, whatever the device's own sectors are. */
const SYSFS_SECTOR_BYTES = 512;
/** Names of RAM disks, uncompressed or compressed. */
const RAM_DISK = /^z?ram\d+$/;
/** The UUID prefix of cryptsetup's mappings. VERITY and INTEGRITY check the data but do not encrypt it. */
const ENCRYPTED_MAPPING = /^CRYPT-(?!VERITY|INTEGRITY)/;
/** The first of these that exists is the model. An SD card has a name instead. */
const MODEL_ATTRIBUTES = ['loop/backing_file', 'dm/name', 'device/model', 'device/name'];

/** Returns the `major:minor` that the C library packs into the `dev` or `rdev` of a stat. */
export function formatDeviceNumber(packed: number): string {
  const bits = BigInt(packed);
  const major = ((bits >> 8n) & 0xfffn) | ((bits >> 32n) & 0xfffff000n);
  return `${major}:${(bits & 0xffn) | ((bits >> 12n) & 0xffffff00n)}`;
}

export type BlockDevice = NonNullable<Awaited<ReturnType<typeof readBlockDevice>>>;

/**
 * Returns the block device with this `major:minor` or, if that belongs to no disk (as on btrfs), with this device file.
 * Null if there is none. Reads only sysfs, so no helper program has to run.
 */
export async function readBlockDevice(deviceNumber: string, file = '', sysfs = '/sys') {
  const device = await findSysfsDevice(deviceNumber, file, sysfs);
  if (device === null) return null;
  const spanned = await listSpannedDisks(device, sysfs);
  /** All devices of its filesystem, and all devices below them. */
  const stack = [...new Set((await Promise.all(spanned.map(listDeviceStack))).flat())];
  const loops = await Promise.all(stack.map(readLoopDevice));
  const numbers = await Promise.all(stack.map((one) => readAttribute(path.join(one, 'dev'))));
  return {
    disk: await readDisk(device, spanned),
    isInMemory: stack.some((one) => RAM_DISK.test(kernelName(one))),
    loops: loops.filter((loop) => loop !== null),
    /** The `major:minor` of each whole device, for which control groups have limits. */
    deviceNumbers: numbers.filter((number) => number !== null),
  };
}

async function readDisk(device: string, spanned: readonly string[]): Promise<Disk> {
  const wholeDisk = await findWholeDisk(device);
  const stack = [...new Set(await listDeviceStack(wholeDisk))];
  const read = (name: string) => readAttribute(path.join(wholeDisk, name));
  const models = await Promise.all(MODEL_ATTRIBUTES.map(read));
  const mappings = await Promise.all(stack.map((one) => readAttribute(path.join(one, 'dm/uuid'))));
  const rotational = await read('queue/rotational');
  const scheduler = await read('queue/scheduler');
  return {
    name: kernelName(device),
    diskstatsName: kernelName(wholeDisk),
    ...(spanned.length > 1 && { spannedNames: spanned.map(kernelName) }),
    model: models.find(Boolean) ?? null,
    rotational: rotational ? rotational === '1' : null,
    scheduler: scheduler?.match(/\[(.+)\]/)?.[1] ?? null,
    writeCache: (await read('queue/write_cache')) || null,
    logicalBlockBytes: parseSysfsNumber(await read('queue/logical_block_size')),
    physicalBlockBytes: parseSysfsNumber(await read('queue/physical_block_size')),
    sizeBytes: parseSysfsNumber(await readAttribute(path.join(device, 'size')), SYSFS_SECTOR_BYTES),
    encryption: mappings.some((id) => ENCRYPTED_MAPPING.test(id ?? '')) ? 'dm-crypt' : null,
    ...(await readLowestAttachment(stack)),
  };
}

async function findSysfsDevice(deviceNumber: string, file: string, sysfs: string): Promise<string | null> {
  const device = await resolveDeviceLink(path.join(sysfs, 'dev/block', deviceNumber));
  if (device !== null || !file.startsWith('/dev/')) return device;
  // Resolve links such as /dev/mapper/home or /dev/disk/by-id/… The name in sysfs has `!` for slashes.
  const real = await realpath(file).catch(() => file);
  const name = path.relative('/dev', real).replaceAll('/', '!');
  return resolveDeviceLink(path.join(sysfs, 'class/block', name));
}

/** Returns the whole disks of the btrfs that uses a device; of another filesystem, only this device's disk. */
async function listSpannedDisks(device: string, sysfs: string): Promise<readonly string[]> {
  const btrfs = path.join(sysfs, 'fs/btrfs');
  for (const filesystem of await readdir(btrfs).catch(() => [])) {
    const devices = await listDevices(path.join(btrfs, filesystem, 'devices'));
    if (devices.includes(device)) return Promise.all(devices.map(findWholeDisk));
  }
  return [await findWholeDisk(device)];
}

function kernelName(device: string): string {
  return path.basename(device).replaceAll('!', '/');
}

/** Resolves a link in sysfs to a device's directory, or null. */
async function resolveDeviceLink(link: string): Promise<string | null> {
  const device = await realpath(link).catch(() => null);
  return device !== null && (await readAttribute(path.join(device, 'dev'))) !== null ? device : null;
}

/** Returns the whole disk of a partition, whose directory is inside the disk's directory. */
async function findWholeDisk(device: string): Promise<string> {
  return (await readAttribute(path.join(device, 'partition'))) === null ? device : path.dirname(device);
}

/** Returns a whole device and all devices below it, for example LVM on LUKS on a loop device. */
async function listDeviceStack(wholeDisk: string): Promise<readonly string[]> {
  const below = await Promise.all((await listSlaves(wholeDisk)).map(listDeviceStack));
  return [wholeDisk, ...below.flat()];
}

/** Returns the whole devices directly below. */
async function listSlaves(wholeDisk: string): Promise<readonly string[]> {
  return Promise.all((await listDevices(path.join(wholeDisk, 'slaves'))).map(findWholeDisk));
}

/** Returns the devices to which the links in a directory lead. */
async function listDevices(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory).catch(() => []);
  const devices = await Promise.all(names.map((name) => resolveDeviceLink(path.join(directory, name))));
  return devices.filter((device) => device !== null);
}

/** Returns how the lowest device of a stack is attached. Unknown if there are several. */
async function readLowestAttachment(stack: readonly string[]): Promise<Attachment> {
  const counts = await Promise.all(stack.map(async (device) => (await listSlaves(device)).length));
  const [lowest, ...others] = stack.filter((_, at) => counts[at] === 0);
  return lowest !== undefined && others.length === 0 ? readAttachment(lowest) : UNKNOWN_ATTACHMENT;
}

async function readLoopDevice(wholeDisk: string) {
  const file = await readAttribute(path.join(wholeDisk, 'loop/backing_file'));
  if (file === null) return null;
  return {
    device: `/dev/${kernelName(wholeDisk)}`,
    file,
    /** True if it bypasses the page cache of its file. */
    isDirect: (await readAttribute(path.join(wholeDisk, 'loop/dio'))) === '1',
  };
}

function parseSysfsNumber(digits: string | null, unit = 1): number | null {
  return digits ? Number(digits) * unit : null;
}

/** Whether a device is in RAM; otherwise, why its reads may be served from RAM. */
interface BackingStore {
  readonly isMemory: boolean;
  readonly lowerCache: LowerCache | null;
}

const IN_MEMORY: BackingStore = { isMemory: true, lowerCache: null };

/** `device`: null if unknown. */
export async function findLowerCache(device: BlockDevice | null): Promise<BackingStore> {
  if (process.platform !== 'linux') return { isMemory: false, lowerCache: null };
  if (device === null) return withLowerCache('its device is unknown');
  const backingStores = await Promise.all(device.loops.map(inspectLoopFile));
  if (device.isInMemory || backingStores.some(({ isMemory }) => isMemory)) return IN_MEMORY;
  const lowerCaches = backingStores.map(({ lowerCache }) => lowerCache).filter((cache) => cache !== null);
  // Report causes that the user cannot fix first.
  return {
    isMemory: false,
    lowerCache: lowerCaches.find(({ loopDevice }) => loopDevice === null) ?? lowerCaches[0] ?? null,
  };
}

function withLowerCache(reason: string, loopDevice: string | null = null): BackingStore {
  return { isMemory: false, lowerCache: { reason, loopDevice } };
}

async function inspectLoopFile({
  device,
  file,
  isDirect,
}: BlockDevice['loops'][number]): Promise<BackingStore> {
  // A container cannot see a path of its host, and the kernel appends ` (deleted)` to the path of a deleted file.
  const stats = await stat(file).catch(() => null);
  if (stats === null) return withLowerCache(`the backing file of ${device} is not accessible`);
  if (stats.isBlockDevice()) return findLowerCache(await readBlockDevice(formatDeviceNumber(stats.rdev)));
  const deviceNumber = formatDeviceNumber(stats.dev);
  const mounts = (await readMountInfo()) ?? [];
  const mount = findMount(await realpath(file), mounts, deviceNumber);
  const filesystem = mount?.filesystem ?? null;
  if (isMemoryFilesystem({ filesystem })) return IN_MEMORY;
  const below = await findLowerCache(await readBlockDevice(deviceNumber, mount?.device));
  if (below.isMemory) return below;
  if (!hasIoAccounting({ filesystem }))
    return withLowerCache(`the backing file of ${device} is on ${filesystem}, which may cache it`);
  if (below.lowerCache?.loopDevice === null) return below;
  return isDirect ? below : withLowerCache(`${device} may cache its backing file`, device);
}
