import type { Target } from '../machine/machine-schema.js';
import { display } from '../text/escape.js';

export type MountInfo = Pick<Target, 'directory' | 'filesystem' | 'device'>;

/** `/mnt/z is in memory (ext4 on /dev/zram0)`. */
export function describeInMemory({ directory, filesystem, device }: MountInfo): string {
  // Filesystems without a device, such as tmpfs, name themselves as the device.
  const on = device?.startsWith('/dev/') ? ` on ${display(device)}` : '';
  return `${display(directory)} is in memory (${filesystem}${on})`;
}
