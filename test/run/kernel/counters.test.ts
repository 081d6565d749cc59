import { describe, expect, test } from 'vitest';
import {
  diffCounters,
  type KernelCounters,
  parseDirtyBytes,
  parseDiskIo,
  parseHostTicks,
} from '../../../src/run/kernel/counters.js';
import { parseIo } from '../../../workers/thread-io.js';

const IO = [
  'rchar: 323934931',
  'wchar: 323929600',
  'syscr: 632687',
  'syscw: 632675',
  'read_bytes: 12288',
  'write_bytes: 323932160',
  'cancelled_write_bytes: 4096',
  '',
].join('\n');

const MEMINFO = [
  'MemTotal:       24684096 kB',
  'Dirty:               176 kB',
  'Writeback:            16 kB',
  'AnonPages:        105600 kB',
  'NFS_Unstable:          8 kB',
  'WritebackTmp:         64 kB',
  'HugePages_Total:       0',
  '',
].join('\n');

const DISKSTATS = [
  '   7       0 loop0 26396 8 1271184 919 816 132 1469520 6707 0 860 7633 0 0 0 0 116 6',
  ' 254       0 vda 278206 198928 20114842 99979 15644 33249 4981032 8943 0 25236 110111 15902 70 3076600 1121 2059 67',
  ' 254       1 vda1 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9',
  '   8       0 sda 47 0 2 260 1 0 4 0 0 280 260',
  '',
].join('\n');

/** Sectors read and written, and read requests including those that were merged. */
const LOOP0 = [1_271_184, 1_469_520, 26_396 + 8, 816 + 132];
const VDA = [20_114_842, 4_981_032, 278_206 + 198_928, 15_644 + 33_249];
const SDA = [2, 4, 47, 1];

const STAT = [
  'cpu  55866 10 175008 345078 1500 3 254 749 40 2',
  'cpu0 25826 0 85341 177351 259 0 58 370 0 0',
  'intr 4262817 0 10',
  'ctxt 1990473',
  '',
].join('\n');

/** Returns a reading of a system that has only the given counters. */
function reading(known: Partial<KernelCounters>): KernelCounters {
  const nothing = { io: null, dirtyBytes: null, disk: null, host: null };
  return { cpu: { user: 0, system: 0 }, ...nothing, ...known };
}

describe('the kernel’s files', () => {
  test('parseIo() returns the bytes that devices moved, not the bytes of system calls', () => {
    expect(parseIo(IO)).toEqual({ readBytes: 12288, writtenBytes: 323932160 });
  });

  test('parseDirtyBytes() returns the sum of all unwritten memory', () => {
    expect(parseDirtyBytes(MEMINFO)).toBe((176 + 16 + 8) * 1024);
  });

  test.each([
    [['loop0'], LOOP0],
    [['vda'], VDA],
    // As in Linux 2.6 to 4.17, with eleven counts instead of seventeen.
    [['sda'], SDA],
    [['vda', 'sda'], VDA.map((count, at) => count + (SDA[at] ?? 0))],
  ])('parseDiskIo() returns the sectors of %j, 512 bytes each, and the requests', (names, counts) => {
    const [readSectors = 0, writtenSectors = 0, readRequests, writeRequests] = counts;
    const bytes = { readBytes: readSectors * 512, writtenBytes: writtenSectors * 512 };
    expect(parseDiskIo(DISKSTATS, names)).toEqual({ ...bytes, readRequests, writeRequests });
  });

  test.each([['vd'], ['vda2'], [''], ['254'], ['vda,vd']])(
    'parseDiskIo() returns null for %j, because not all of them are devices in the file',
    (names) => {
      expect(parseDiskIo(DISKSTATS, names.split(','))).toBeNull();
    },
  );

  test('parseHostTicks() returns the time of all CPUs, with guests counted once and I/O waits as idle', () => {
    expect(parseHostTicks(STAT)).toEqual({
      busyTicks: 55866 + 10 + 175008 + 3 + 254,
      idleTicks: 345078 + 1500,
      stealTicks: 749,
    });
  });

  test.each(['', 'nonsense\n'])('every parser returns null for %j', (text) => {
    const parsed = [parseIo(text), parseDirtyBytes(text), parseDiskIo(text, ['vda']), parseHostTicks(text)];
    expect(parsed).toEqual([null, null, null, null]);
  });
});

describe('diffCounters()', () => {
  test('diffCounters() returns the difference of every counter', () => {
    const before = reading({
      cpu: { user: 1_000_000, system: 2_000_000 },
      io: { readBytes: 10, writtenBytes: 20 },
      dirtyBytes: 4096,
      disk: { readBytes: 512, writtenBytes: 1024, readRequests: 1, writeRequests: 1 },
      host: { busyTicks: 350, idleTicks: 600, stealTicks: 50 },
    });
    const after = reading({
      cpu: { user: 1_500_000, system: 2_250_000 },
      io: { readBytes: 11, writtenBytes: 22 },
      dirtyBytes: 12288,
      disk: { readBytes: 1024, writtenBytes: 4096, readRequests: 3, writeRequests: 3 },
      host: { busyTicks: 430, idleTicks: 700, stealTicks: 70 },
    });
    expect(diffCounters(before, after)).toEqual({
      cpu: { userSeconds: 0.5, systemSeconds: 0.25 },
      io: { readBytes: 1, writtenBytes: 2 },
      newDirtyBytes: 8192,
      disk: { readBytes: 512, writtenBytes: 3072, readRequests: 2, writeRequests: 2 },
      hostCpu: { busyShare: 0.4, stealShare: 0.1 },
    });
  });

  test('the difference is null for a counter that either reading lacks', () => {
    const known = reading({
      io: { readBytes: 0, writtenBytes: 0 },
      dirtyBytes: 0,
      disk: { readBytes: 0, writtenBytes: 0, readRequests: 0, writeRequests: 0 },
      host: { busyTicks: 5, idleTicks: 5, stealTicks: 0 },
    });
    const nothing = { io: null, newDirtyBytes: null, disk: null, hostCpu: null };
    expect(diffCounters(reading({}), known)).toMatchObject(nothing);
    expect(diffCounters(known, reading({}))).toMatchObject(nothing);
  });

  test('new dirty bytes are 0, not negative, after dirty memory was written', () => {
    expect(diffCounters(reading({ dirtyBytes: 8192 }), reading({ dirtyBytes: 0 })).newDirtyBytes).toBe(0);
  });

  test.each([
    ['read', { readBytes: 0, writtenBytes: 900, readRequests: 0, writeRequests: 0 }],
    ['written', { readBytes: 900, writtenBytes: 0, readRequests: 0, writeRequests: 0 }],
  ])('the device traffic is null if the counter of %s bytes restarted', (_, disk) => {
    const before = reading({
      disk: { readBytes: 512, writtenBytes: 512, readRequests: 0, writeRequests: 0 },
    });
    expect(diffCounters(before, reading({ disk })).disk).toBeNull();
  });

  test('the host’s CPU shares are null if no tick has passed', () => {
    const host = { busyTicks: 4, idleTicks: 5, stealTicks: 1 };
    expect(diffCounters(reading({ host }), reading({ host })).hostCpu).toBeNull();
  });

  test('the host’s CPU shares remain between 0 and 1 if iowait decreased', () => {
    const before = reading({ host: { busyTicks: 400, idleTicks: 600, stealTicks: 0 } });
    const after = reading({ host: { busyTicks: 408, idleTicks: 595, stealTicks: 2 } });
    expect(diffCounters(before, after).hostCpu).toEqual({ busyShare: 0.8, stealShare: 0.2 });
  });
});
