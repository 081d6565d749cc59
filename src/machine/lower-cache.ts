import { realpath, stat } from 'node:fs/promises';
import { formatDeviceNumber, type LoopDevice, readStack } from './block-device.js';
import { hasIoAccounting, isMemoryFilesystem } from './filesystem.js';
import type { LowerCache } from './machine-schema.js';
import { findMount, readMountInfo } from './mount.js';

/** Whether a device is in RAM; otherwise, why its reads may be served from RAM. */
export interface BackingStore {
  readonly isMemory: boolean;
  readonly lowerCache: LowerCache | null;
}

const IN_MEMORY: BackingStore = { isMemory: true, lowerCache: null };

export async function findLowerCache(deviceNumber: string, device = ''): Promise<BackingStore> {
  if (process.platform !== 'linux') return { isMemory: false, lowerCache: null };
  const stack = await readStack(deviceNumber, device);
  if (stack === null) return withLowerCache('its device is unknown');
  const backingStores = await Promise.all(stack.loops.map(inspectLoopFile));
  if (stack.isInMemory || backingStores.some(({ isMemory }) => isMemory)) return IN_MEMORY;
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

async function inspectLoopFile({ device, file, isDirect }: LoopDevice): Promise<BackingStore> {
  // A container cannot see a path of its host.
  const stats = file === null ? null : await stat(file).catch(() => null);
  if (file === null || stats === null)
    return withLowerCache(`the backing file of ${device} is not accessible`);
  if (stats.isBlockDevice()) return findLowerCache(formatDeviceNumber(stats.rdev));
  const deviceNumber = formatDeviceNumber(stats.dev);
  const mounts = (await readMountInfo()) ?? [];
  const filesystem = findMount(await realpath(file), mounts, deviceNumber)?.filesystem ?? null;
  if (isMemoryFilesystem({ filesystem })) return IN_MEMORY;
  const below = await findLowerCache(deviceNumber);
  if (below.isMemory) return below;
  if (!hasIoAccounting({ filesystem }))
    return withLowerCache(`the backing file of ${device} is on ${filesystem}, which may cache it`);
  if (below.lowerCache?.loopDevice === null) return below;
  return isDirect ? below : withLowerCache(`${device} may cache its backing file`, device);
}
