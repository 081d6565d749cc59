import { readlinkSync, statfsSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

/** What statfs calls the kernel's own /proc. In any other directory of that name anybody could have put anything. */
const PROC_TYPE = 0x9fa0;

/** Where this process has its open files, and names can be looked up in them; null where that is nowhere. */
function ownDescriptors(): string | null {
  if (process.platform !== 'linux') return null;
  try {
    // By the number that /proc gives: it may be the one of another container, in which process.pid is another process.
    return statfsSync('/proc').type === PROC_TYPE ? `/proc/${readlinkSync('/proc/self')}/fd` : null;
  } catch {
    return null;
  }
}

/** Whether the system leads through an open directory. Only Linux does, where it shows /proc. */
export function leadsThrough(): boolean {
  return ownDescriptors() !== null;
}

/** What goes before a name to look it up in an open directory, wherever that may be by then. */
export function rootThrough({ fd }: FileHandle): string {
  const descriptors = ownDescriptors();
  if (descriptors === null) throw new Error('/proc was unmounted meanwhile');
  return `${descriptors}/${fd}`;
}
