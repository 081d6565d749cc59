import * as z from 'zod';
import type { SystemError } from '../system-error.js';

const bytes = z.int().nonnegative();

/** How a disk is attached. `network` is NVMe over fabrics, iSCSI, Fibre Channel, NBD or Ceph. */
const TRANSPORTS = ['nvme', 'sata', 'usb', 'mmc', 'virtio', 'xen', 'vmbus', 'network'] as const;

/** The negotiated speed of the link between a disk and the computer: of each lane, for PCIe. */
const diskLinkSchema = z.object({ megabitsPerSecond: z.number().positive(), lanes: z.int().positive() });

/** The block device under a filesystem. */
const diskSchema = z.object({
  /** The kernel's name: `vda1`, `dm-0`, `loop3`. */
  name: z.string(),
  /** The name in /proc/diskstats. For a partition, the whole disk, because other partitions also use it. */
  diskstatsName: z.string(),
  /** Those of all disks if the filesystem spans several, as btrfs can. */
  spannedNames: z.array(z.string()).optional(),
  /** The model. For a mapped device, its name; for a loop device, its backing file. */
  model: z.string().nullable(),
  rotational: z.boolean().nullable(),
  scheduler: z.string().nullable(),
  /** `write back` if the disk has a volatile cache, which a sync flushes. Absent in older reports. */
  writeCache: z.string().nullish(),
  logicalBlockBytes: z.int().nullable(),
  physicalBlockBytes: z.int().nullable(),
  sizeBytes: z.number().nullable(),
  encryption: z.string().nullable(),
  /** Of the lowest device. Null if unknown or if there are several; absent in older reports, like the link. */
  transport: z.enum(TRANSPORTS).nullish(),
  link: diskLinkSchema.nullish(),
});

/** Why a cache below the filesystem may serve I/O although the kernel counts it as device I/O. */
const lowerCacheSchema = z.object({
  reason: z.string(),
  /** The loop device that reads its file through this system's page cache, which can be dropped or bypassed. */
  loopDevice: z.string().nullable(),
});

/** A limit that a control group of this process has for the device. */
const ioLimitSchema = z.object({
  direction: z.enum(['read', 'write']),
  unit: z.enum(['operations', 'bytes']),
  perSecond: z.number().positive(),
  /** The file that configures it. */
  file: z.string(),
});

export const hostSchema = z.object({
  /** The `process.platform`. A string, because a consumer may compile without Node's types. */
  platform: z.string(),
  /** The system and its release: `Linux 6.18.44`. */
  os: z.string(),
  arch: z.string(),
  nodeVersion: z.string(),
  cpuModel: z.string(),
  /** Number of CPUs that this process may use, within the quota of its container. */
  cores: z.int().nonnegative(),
  memoryBytes: bytes,
  /** The RAM, or the container's limit if that is lower. */
  memoryLimitBytes: bytes,
  /** Size of a page of the page cache. */
  pageBytes: bytes,
  /** Why io_uring cannot be used. Null if it can; absent if no option asks for it. */
  uringProblem: z.string().nullish(),
});

/** The directory to measure, with its filesystem and device. */
export const targetSchema = z.object({
  directory: z.string(),
  filesystem: z.string().nullable(),
  mount: z.string().nullable(),
  mountOptions: z.array(z.string()),
  device: z.string().nullable(),
  totalBytes: z.number().nonnegative(),
  /** Space that this user can still write. */
  availableBytes: z.number().nonnegative(),
  /** True if the filesystem keeps its data in RAM. */
  isMemory: z.boolean(),
  disk: diskSchema.nullable(),
  /** Null or absent if this system shows no cache below the filesystem. */
  lowerCache: lowerCacheSchema.nullish(),
  compression: z.string().nullable(),
  encryption: z.string().nullable(),
  /** Whether files there accept direct I/O. Null if unknown, absent in older reports. */
  acceptsDirect: z.boolean().nullish(),
  /** Absent in older reports, and empty without limits. */
  ioLimits: z.array(ioLimitSchema).optional(),
});

export type Transport = (typeof TRANSPORTS)[number];
export type DiskLink = z.infer<typeof diskLinkSchema>;
export type Disk = z.infer<typeof diskSchema>;
export type IoLimit = z.infer<typeof ioLimitSchema>;
export type LowerCache = z.infer<typeof lowerCacheSchema>;

export interface Host extends z.infer<typeof hostSchema> {
  readonly hostname: string;
  /** Number of CPUs that its threads may run on, regardless of the quota. */
  readonly processors: number;
  readonly isRoot: boolean;
}

/** The directory to measure, as found before the run. */
export interface Target extends z.infer<typeof targetSchema> {
  /** Why this user cannot write there, or null. */
  readonly accessError: SystemError | null;
  readonly acceptsDirect: boolean | null;
  /** Number of ranks that share this free space. Absent without a job. */
  readonly ranksSharing?: number;
  /** Total and free inodes (files). Null if there is no limit. */
  readonly inodes: { readonly total: number; readonly available: number } | null;
}

/** A part of a file that existed before the run. */
export interface FilePart {
  /** The index of the file among those that were found. */
  readonly fileIndex: number;
  readonly file: string;
  readonly offsetBytes: number;
  readonly lengthBytes: number;
}

export interface Machine extends Host {
  readonly target: Target;
  /** Number of ranks on the host with the most. Absent without a job, and once rank 0 has decided the amount. */
  readonly ranksOnHost?: number;
  /** Parts of existing files. Absent if no step reads them. */
  readonly sample?: readonly FilePart[];
}
