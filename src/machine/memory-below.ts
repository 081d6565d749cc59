import { stat, statfs } from 'node:fs/promises';
import { deviceNumberOf, type Loop, readStack } from './block-device.js';
import { type Doubt, isCounted } from './filesystem.js';
import { filesystemOfType } from './filesystem-type.js';
import { isInMemory } from './mount.js';

/** Whether a device is a part of memory, and else why it may answer from it. */
export interface Memory {
  readonly isMemory: boolean;
  readonly lowerCache: Doubt | null;
}

const IN_MEMORY: Memory = { isMemory: true, lowerCache: null };

export async function memoryBelow(deviceNumber: string, device = ''): Promise<Memory> {
  if (process.platform !== 'linux') return { isMemory: false, lowerCache: null };
  const stack = await readStack(deviceNumber, device);
  if (stack === null) return doubted('which device it is on is unknown');
  const found = await Promise.all(stack.loops.map(memoryOf));
  if (stack.isInMemory || found.some(({ isMemory }) => isMemory)) return IN_MEMORY;
  const doubts = found.flatMap(({ lowerCache }) => lowerCache ?? []);
  // What cannot be ended is said first.
  return {
    isMemory: false,
    lowerCache: doubts.find(({ loopDevice }) => loopDevice === null) ?? doubts[0] ?? null,
  };
}

function doubted(reason: string, loopDevice: string | null = null): Memory {
  return { isMemory: false, lowerCache: { reason, loopDevice } };
}

async function memoryOf({ device, file, isDirect }: Loop): Promise<Memory> {
  // A deleted file has no path any more, and in a container it is one of the host.
  const holder = await Promise.all([stat(file), statfs(file)]).catch(() => null);
  if (holder === null) return doubted(`where ${device} has its file is unknown`);
  const [stats, { type }] = holder;
  if (stats.isBlockDevice()) return memoryBelow(deviceNumberOf(stats.rdev));
  const filesystem = filesystemOfType(type);
  if (filesystem !== null && isInMemory({ filesystem })) return IN_MEMORY;
  const below = await memoryBelow(deviceNumberOf(stats.dev));
  if (below.isMemory) return below;
  if (!isCounted({ filesystem }))
    return doubted(`${device} has its file on ${filesystem}, which may keep it in memory`);
  if (below.lowerCache?.loopDevice === null) return below;
  return isDirect ? below : doubted(`${device} may keep its file in memory`, device);
}
