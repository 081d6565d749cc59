import { describe, expect, test } from 'vitest';
import {
  computeDeviceIo,
  computeToolIo,
  type IoCounters,
  type TargetContext,
} from '../../../src/report/measure/device.js';
import { KIB, MIB } from '../../../src/text/units.js';

const PAGE = 4096;
const EXT4: TargetContext = {
  filesystem: 'ext4',
  mountOptions: ['rw'],
  isMemory: false,
  pageBytes: PAGE,
  processors: 4,
  isCacheDropped: false,
};
const BUFFERED = { blockSizeBytes: 64 * KIB, ioSizeBytes: 512, alignBytes: 1, direct: false, fsync: false };
const DIRECT = { ...BUFFERED, direct: true, alignBytes: 512 };
const SYNCED = { ...BUFFERED, fsync: true };
const KNOWN = { share: 1, reason: null };
const SEQUENTIAL = { order: 'sequential', access: 'uses' } as const;
const RANDOM = { order: 'random', access: 'uses' } as const;

function ioBytes(readBytes: number, writtenBytes: number) {
  return { readBytes, writtenBytes };
}

/** The I/O of a disk. By default, each request reads a sector. */
function diskIo(readBytes: number, writtenBytes: number, readRequests = readBytes / 512) {
  return { readBytes, writtenBytes, readRequests, writeRequests: writtenBytes / 512 };
}

function counted(readBytes: number, writtenBytes: number, newDirtyBytes: number | null = 0): IoCounters {
  const io = { readBytes, writtenBytes };
  return { io, newDirtyBytes, disk: diskIo(readBytes, writtenBytes) };
}

describe('the result of a tool', () => {
  const WARM = { coldCache: false };
  const COLD = { coldCache: true };
  const DROPPED = { ...EXT4, isCacheDropped: true };

  test('includes the page cache, so it is known even if the device did nothing', () => {
    expect(computeToolIo(WARM, counted(0, 0), EXT4)).toMatchObject({ share: 1, reason: null });
  });

  test('needs a cold cache in some phases: it was dropped, and then the device read', () => {
    expect(computeToolIo(COLD, counted(PAGE, 0), DROPPED)).toMatchObject({ share: 1, reason: null });
    for (const [counters, target] of [
      [counted(PAGE, 0), EXT4],
      [counted(0, PAGE), DROPPED],
      [{ io: null }, DROPPED],
    ] as const) {
      const { share, reason } = computeToolIo(COLD, counters, target);
      expect([share, reason]).toEqual([null, expect.stringMatching(/not (dropped|cold)$/)]);
    }
  });

  test('in memory is not that of a device', () => {
    expect(computeToolIo(WARM, counted(0, 0), { ...EXT4, isMemory: true }).share).toBe(0);
  });
});

describe('the kernel', () => {
  const unknown = { readBytes: null, writtenBytes: null, dirtyBytes: null, share: null };

  test.each(
    'nfs nfs3 nfs4 cifs smb2 smbfs 9p ceph afs coda lustre glusterfs virtiofs vboxsf zfs fuse fuse.sshfs fuseblk.ntfs'.split(
      ' ',
    ),
  )('does not count I/O on %s, so the share is null, with the reason', (filesystem) => {
    const target = { ...EXT4, filesystem };
    for (const transfer of [BUFFERED, DIRECT])
      expect(computeDeviceIo(ioBytes(MIB, MIB), transfer, RANDOM, counted(7, 7), target)).toEqual({
        ...unknown,
        reason: `the kernel does not count I/O on ${filesystem}`,
      });
  });

  test('does not count I/O on other systems, so the share of all but synced writes and direct I/O is null, with the reason', () => {
    const nothing = { io: null, newDirtyBytes: null, disk: null };
    const write = (transfer: typeof BUFFERED) =>
      computeDeviceIo(ioBytes(0, MIB), transfer, SEQUENTIAL, nothing, EXT4).share;
    expect([write(SYNCED), write(BUFFERED)]).toEqual([1, null]);
    const directReads = ['ext4', 'fuse', null].map(
      (filesystem) =>
        computeDeviceIo(ioBytes(MIB, 0), { ...BUFFERED, direct: true }, SEQUENTIAL, nothing, {
          ...EXT4,
          filesystem,
        }).share,
    );
    expect(directReads).toEqual([1, null, null]);
    expect(computeDeviceIo(ioBytes(0, 0), SYNCED, SEQUENTIAL, nothing, EXT4).share).toBeNull();
    expect(computeDeviceIo(ioBytes(MIB, 0), BUFFERED, SEQUENTIAL, nothing, EXT4)).toEqual({
      ...unknown,
      reason: 'this system does not count device I/O per process',
    });
  });

  test.each([...'ext4 xfs btrfs f2fs bcachefs vfat exfat ntfs3 hfsplus overlay erofs'.split(' '), null])(
    'counts I/O on %s',
    (filesystem) => {
      const target = { ...EXT4, filesystem };
      const read = computeDeviceIo(ioBytes(MIB, 0), BUFFERED, SEQUENTIAL, counted(MIB, 0), target);
      expect(read).toMatchObject({ share: 1, reason: null });
    },
  );
});

test.each([
  ['tmpfs', 'tmpfs', counted(MIB, MIB)],
  ['an overlay on tmpfs', 'overlay', counted(0, 0)],
  ['a memory filesystem of another system', null, { io: null, newDirtyBytes: null, disk: null }],
])('on %s no I/O reaches a device', (_, filesystem, observed) => {
  const target = { ...EXT4, filesystem, isMemory: true };
  expect(computeDeviceIo(ioBytes(MIB, MIB), BUFFERED, SEQUENTIAL, observed, target)).toEqual({
    readBytes: 0,
    writtenBytes: 0,
    dirtyBytes: null,
    share: 0,
    reason: null,
  });
});

describe('a buffered write', () => {
  function write(observed: IoCounters, writtenBytes = 10 * MIB) {
    return computeDeviceIo(ioBytes(0, writtenBytes), BUFFERED, SEQUENTIAL, observed, EXT4);
  }

  test('has reached the device except for its dirty bytes', () => {
    expect(write(counted(3, 10 * MIB, 4 * MIB))).toEqual({
      readBytes: 3,
      writtenBytes: 10 * MIB,
      dirtyBytes: 4 * MIB,
      share: 0.6,
      reason: null,
    });
  });

  test("has at most as many dirty bytes as it wrote: the host's count includes other programs", () => {
    expect(write(counted(0, 10 * MIB, 500 * MIB))).toMatchObject({ dirtyBytes: 10 * MIB, share: 0 });
  });

  test('has an unknown share if the dirty bytes are unknown, with the reason', () => {
    expect(write(counted(0, 10 * MIB, null))).toMatchObject({
      dirtyBytes: null,
      share: null,
      reason: 'this system does not count dirty pages',
    });
    const unknownReason = 'another step ran at the same time';
    expect(write({ ...counted(0, 10 * MIB, null), unknownReason })).toMatchObject({ reason: unknownReason });
  });

  test('has an unknown share if it is smaller than the granularity of the dirty count on all CPUs', () => {
    const leastBytes = 4 * 125 * PAGE;
    const few = write(counted(0, leastBytes - PAGE, 0), leastBytes - PAGE);
    expect(few).toMatchObject({
      share: null,
      reason: 'the kernel does not count so few dirty pages',
    });
    expect(write(counted(0, leastBytes, 0), leastBytes).share).toBe(1);
  });

  test('has reached the device with at most the bytes that the device wrote, although other programs deleted dirty data', () => {
    const disk = diskIo(0, MIB);
    expect(write({ ...counted(0, 10 * MIB, 0), disk }).share).toBe(0.1);
    expect(write({ ...counted(0, 10 * MIB, 0), disk: null }).share).toBe(1);
  });
});

test.each([
  [10 * MIB, 1],
  [9 * MIB, 0.9],
  [0, 0],
  [12 * MIB, 1],
])('a sequential read of 10 MiB has, after %i bytes of device reads, a share of %f', (fetched, share) => {
  const read = computeDeviceIo(ioBytes(10 * MIB, 0), BUFFERED, SEQUENTIAL, counted(fetched, 0), EXT4);
  expect(read).toMatchObject({ readBytes: fetched, share });
});

test.each([
  ['a write', ioBytes(0, 10 * MIB), counted(0, 10 * MIB), 1],
  ['a write that also reads metadata', ioBytes(0, 10 * MIB), counted(4096, 10 * MIB), 1],
  ['a read', ioBytes(10 * MIB, 0), counted(5 * MIB, 0), 0.5],
  ['reads and writes', ioBytes(9 * MIB, MIB), counted(9 * MIB, MIB), 1],
  ['cached reads, and writes', ioBytes(9 * MIB, MIB), counted(0, MIB), 0.1],
])('direct I/O is counted byte by byte: %s', (_, tally, observed, share) => {
  expect(computeDeviceIo(tally, DIRECT, RANDOM, observed, EXT4).share).toBe(share);
});

const LOOP_REASON = '/dev/loop3 may keep its file in memory';
const ON_LOOP = { ...EXT4, lowerCache: { reason: LOOP_REASON, loopDevice: '/dev/loop3' } };
const UNCERTAIN = { share: null, reason: LOOP_REASON };

const LOOP_DROPPED = { ...ON_LOOP, isCacheDropped: true };
const ELSEWHERE = { ...LOOP_DROPPED, lowerCache: { reason: LOOP_REASON, loopDevice: null } };

test.each([
  ['reads is unknown', ioBytes(MIB, 0), BUFFERED, ON_LOOP, UNCERTAIN],
  ['reads is known if the whole page cache was dropped', ioBytes(MIB, 0), BUFFERED, LOOP_DROPPED, KNOWN],
  ['direct reads is unknown even then', ioBytes(MIB, 0), DIRECT, LOOP_DROPPED, UNCERTAIN],
  ['direct writes is unknown', ioBytes(0, MIB), DIRECT, ON_LOOP, UNCERTAIN],
  ["reads is unknown even then in another system's cache", ioBytes(MIB, 0), BUFFERED, ELSEWHERE, UNCERTAIN],
  ['synced writes is known', ioBytes(0, MIB), SYNCED, ON_LOOP, KNOWN],
  ['synced writes to an unknown file is unknown', ioBytes(0, MIB), SYNCED, ELSEWHERE, UNCERTAIN],
])(
  'on a device with a cache below the filesystem, the share of %s',
  (_, moved, transfer, context, device) => {
    expect(computeDeviceIo(moved, transfer, SEQUENTIAL, counted(MIB, MIB), context)).toMatchObject(device);
  },
);

const UNCOUNTED = { share: null, reason: 'the kernel does not count metadata operations' };

const VOLATILE = { ...EXT4, filesystem: 'overlay', mountOptions: ['volatile'] };
const SERVER = { ...EXT4, filesystem: 'nfs4' };

test.each([
  ['the share of an unsynced change is unknown', 'creates', BUFFERED, EXT4, UNCOUNTED],
  ['the share of a stat is unknown', 'uses', SYNCED, EXT4, UNCOUNTED],
  ['the share of a change is unknown where syncs have no effect', 'deletes', SYNCED, VOLATILE, UNCOUNTED],
  ['a synced change has reached the device', 'deletes', SYNCED, EXT4, KNOWN],
  ['a synced change counts as on the device of a server', 'creates', SYNCED, SERVER, KNOWN],
] as const)('for names, which the kernel does not count, %s', (_, access, transfer, target, device) => {
  const phase = { order: 'sequential', access } as const;
  expect(computeDeviceIo(ioBytes(0, 0), transfer, phase, counted(0, 0), target)).toMatchObject(device);
});

/**
 * The pages that an empty cache fetches for nine reads and a write at every possible offset: every page that a read
 * touches, and every page that a write changes partly.
 */
function fetchedPages(ioSizeBytes: number, alignBytes: number, pageBytes: number) {
  const offsets = Array.from({ length: pageBytes / alignBytes }, (_, at) => at * alignBytes);
  const pages = offsets.map((offset) => {
    const end = offset + ioSizeBytes;
    const touched = Math.ceil(end / pageBytes);
    const whole = Math.max(0, Math.floor(end / pageBytes) - Math.ceil(offset / pageBytes));
    return 9 * touched + (touched - whole);
  });
  return { offsets: offsets.length, pages: pages.reduce((total, count) => total + count, 0) };
}

test.each([
  [512, 1, PAGE],
  [512, 512, PAGE],
  [4096, 1, PAGE],
  [512, 1, 16 * KIB],
  [64 * KIB, 1, PAGE],
  [64 * KIB, 512, PAGE],
  [MIB, 1, PAGE],
])(
  'random reads and writes through the cache of %i bytes at multiples of %i, on pages of %i, fetch whole pages',
  (io, align, pageBytes) => {
    const { offsets, pages } = fetchedPages(io, align, pageBytes);
    const transfer = { ...BUFFERED, ioSizeBytes: io, alignBytes: align };
    const tally = ioBytes(9 * offsets * io, offsets * io);
    const half = counted((pages * pageBytes) / 2, 0);
    const { share } = computeDeviceIo(tally, transfer, RANDOM, half, { ...EXT4, pageBytes });
    expect(share).toBeCloseTo(0.5, 2);
  },
);

describe('random reads for which the device got fewer requests', () => {
  const share = (facts: Partial<IoCounters>, direct = false, order: 'random' | 'sequential' = 'random') => {
    const transfer = { ...BUFFERED, ioSizeBytes: PAGE, alignBytes: PAGE, direct };
    const counters = { ...counted(MIB, 0), ...facts };
    return computeDeviceIo(ioBytes(MIB, 0), transfer, { order, access: 'uses' }, counters, EXT4).share;
  };
  const quarter = diskIo(MIB, 0, MIB / PAGE / 4);

  test('have the share of the requests, whether buffered or direct', () => {
    for (const direct of [false, true]) expect(share({ disk: quarter }, direct)).toBe(0.25);
  });

  test('have the share of the bytes if they are sequential, or if the disk does not count its I/O', () => {
    expect(share({ disk: quarter }, false, 'sequential')).toBe(1);
    expect(share({ disk: diskIo(0, 0) })).toBe(1);
    expect(share({ disk: null })).toBe(1);
  });
});

describe('direct I/O on a filesystem that buffers it', () => {
  const tally = ioBytes(9 * MIB, MIB);

  test('has a share of 0 if the device moved no data', () => {
    const observed = { ...counted(0, 8 * MIB), disk: diskIo(0, 0) };
    expect(computeDeviceIo(tally, DIRECT, RANDOM, observed, EXT4).share).toBe(0);
    expect(computeDeviceIo(ioBytes(0, MIB), DIRECT, SEQUENTIAL, observed, EXT4).share).toBe(0);
  });

  test('has a smaller share if it fetches more than it reads', () => {
    const share = computeDeviceIo(tally, DIRECT, RANDOM, counted(24 * MIB, 8 * MIB), EXT4).share;
    expect(share).toBeGreaterThan(0.25);
    expect(share).toBeLessThan(0.4);
  });

  test('has a share of 1 if other programs use the device, or if the filesystem spans several devices', () => {
    const busy = { ...counted(9 * MIB, MIB), disk: diskIo(900 * MIB, 900 * MIB) };
    expect(computeDeviceIo(tally, DIRECT, RANDOM, busy, EXT4).share).toBe(1);
    const raid = { ...counted(9 * MIB, MIB), disk: diskIo(4 * MIB, MIB) };
    expect(computeDeviceIo(tally, DIRECT, RANDOM, raid, { ...EXT4, filesystem: 'btrfs' }).share).toBe(1);
    expect(computeDeviceIo(tally, DIRECT, RANDOM, { ...raid, disk: null }, EXT4).share).toBe(1);
  });
});

test('a rewrite has the share of its reads, or the smaller share of its writes if they were not synced', () => {
  const rewrite = (readBytes: number, dirtyBytes: number, fsync: boolean) => {
    const observed = counted(readBytes, 10 * MIB, dirtyBytes);
    const moved = ioBytes(10 * MIB, 10 * MIB);
    return computeDeviceIo(moved, { ...BUFFERED, fsync }, SEQUENTIAL, observed, EXT4).share;
  };
  expect(rewrite(8 * MIB, 4 * MIB, false)).toBe(0.6);
  expect(rewrite(5 * MIB, 4 * MIB, false)).toBe(0.5);
  expect(rewrite(8 * MIB, 4 * MIB, true)).toBe(0.8);
});

test('a write synced within the measured time has no dirty bytes, unless a volatile overlay ignores the sync', () => {
  const observed = counted(0, 10 * MIB, 500 * MIB);
  const write = (target: TargetContext) =>
    computeDeviceIo(ioBytes(0, 10 * MIB), SYNCED, SEQUENTIAL, observed, target);
  expect(write(EXT4)).toMatchObject({ dirtyBytes: 0, share: 1 });
  for (const option of ['volatile', 'fsync=volatile'])
    expect(write({ ...EXT4, filesystem: 'overlay', mountOptions: ['rw', option] })).toMatchObject({
      dirtyBytes: 10 * MIB,
      share: 0,
    });
});
