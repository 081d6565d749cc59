import path from 'node:path';

/** One mounted filesystem. */
export interface Mount {
  readonly path: string;
  readonly filesystem: string;
  /** The device or, for a filesystem that has none, its source: `/dev/vda`, `tmpfs`, `host:/export`, or nothing. */
  readonly device: string;
}

/** The lines of /proc/self/mountinfo: `36 35 98:0 /root /mnt rw,noatime master:1 - ext4 /dev/sda1 rw`. */
export function parseMountInfo(text: string): readonly Mount[] {
  return text.split('\n').flatMap((line) => {
    const [left = '', right = ''] = line.split(' - ');
    const mountPath = left.split(' ')[4];
    const [filesystem, device = ''] = right.split(' ');
    if (!mountPath || !filesystem) return [];
    return [{ path: unescapeOctal(mountPath), filesystem, device: unescapeOctal(device) }];
  });
}

/** The kernel writes blanks, newlines and backslashes of a path as `\040`. */
function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

export function isInside(directory: string, mountPath: string): boolean {
  const relative = path.relative(mountPath, directory);
  return (
    relative === '' ||
    (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative))
  );
}
