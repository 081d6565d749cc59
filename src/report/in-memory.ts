import { shown } from '../text/escape.js';

export interface Place {
  readonly directory: string;
  readonly filesystem: string | null;
  readonly device: string | null;
}

/** `/mnt/z is in memory (ext4 on /dev/zram0)`. */
export function inMemoryText({ directory, filesystem, device }: Place): string {
  // Others, such as tmpfs, have their own name as the device.
  const on = device?.startsWith('/dev/') ? ` on ${shown(device)}` : '';
  return `${shown(directory)} is in memory (${filesystem}${on})`;
}
