import { stat, statfs } from 'node:fs/promises';
import { deviceNumberOf, type Loop, readStack } from './block-device.js';
import { type Doubt, isCounted } from './filesystem.js';
import { filesystemOfType } from './filesystem-type.js';
import { isInMemory } from './mount.js';

type Memory = 'memory' | Doubt;

/** Whether a device is a part of memory, or why it may answer from it. Null if it does not. */
export async function memoryBelow(deviceNumber: string, device = ''): Promise<Memory | null> {
  const { isInMemory, loops } = await readStack(deviceNumber, device);
  if (isInMemory) return 'memory';
  const found = await Promise.all(loops.map(memoryOf));
  if (found.includes('memory')) return 'memory';
  const doubts = found.filter((one) => one !== null && one !== 'memory');
  return doubts.find(({ loop }) => loop !== null) ?? doubts[0] ?? null;
}

async function memoryOf({ device, file, isDirect }: Loop): Promise<Memory | null> {
  // A deleted file has no path any more, and in a container it is one of the host.
  const holder = await Promise.all([stat(file), statfs(file)]).catch(() => null);
  const filesystem = holder && filesystemOfType(holder[1].type);
  if (filesystem !== null && isInMemory({ filesystem })) return 'memory';
  const below = holder && (await memoryBelow(deviceNumberOf(holder[0].dev)));
  if (below === 'memory') return below;
  if (!isDirect) return { reason: `${device} may keep its file in memory`, loop: device };
  if (holder === null) return { reason: `where ${device} has its file is unknown`, loop: null };
  if (isCounted({ filesystem })) return below;
  return { reason: `${device} has its file on ${filesystem}, which may keep it in memory`, loop: null };
}
