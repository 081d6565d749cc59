/** System calls that can fail, by kind; the names depend on the architecture. */
export const KINDS = {
  openat: ['openat'],
  pwrite64: ['pwrite64'],
  pread64: ['pread64'],
  fsync: ['fsync', 'fdatasync'],
  close: ['close'],
  unlink: ['unlink', 'unlinkat'],
  mkdir: ['mkdir', 'mkdirat'],
  rename: ['rename', 'renameat', 'renameat2'],
  rmdir: ['rmdir'],
} as const;

export type SyscallKind = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as readonly SyscallKind[];
