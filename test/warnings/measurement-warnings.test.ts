import { describe, expect, test } from 'vitest';
import type { Measurement } from '../../src/report/schema/report.js';
import { MAY_BE_CACHED } from '../../src/warnings/hint.js';
import { type MeasurementContext, measurementContext } from '../../src/warnings/measurement-context.js';
import { findMeasurementWarnings } from '../../src/warnings/measurement-warnings.js';
import { mergeRunWarnings } from '../../src/warnings/run-warnings.js';
import { measurementWith, reportWith, runWith } from '../support/data/fixtures.js';

const DISK: MeasurementContext = {
  ...measurementContext(reportWith(), measurementWith()),
  filesystem: 'ext4',
  mountOptions: ['rw'],
  isMemory: false,
  ioUnit: 'blocks',
  access: 'creates',
  isDirect: false,
  isListed: false,
  areWritesSynced: false,
  isSynced: true,
  platform: 'linux',
  cores: 4,
  requestedCache: 'auto',
  fitsTwiceRam: true,
  ceilingPerSecond: null,
};
const UNSYNCED = { ...DISK, isSynced: false };
const MEMORY = { ...DISK, filesystem: 'tmpfs', isMemory: true };
const MB = 1_000_000;
const JUST_BELOW = 1 - 1e-9;

function findCodes(facts: Partial<Measurement>, target = DISK): readonly string[] {
  return findMeasurementWarnings([measurementWith(facts)], target).map(({ code }) => code);
}

/** Returns the hint of the first warning. */
function findHint(facts: Partial<Measurement>, context: Partial<MeasurementContext>): string | undefined {
  return findMeasurementWarnings([measurementWith(facts)], { ...DISK, ...context })[0]?.hint;
}

/** A write with this device share. */
function writeWith(share: number | null): Partial<Measurement> {
  return { device: { ...measurementWith().device, share } };
}

/** A read with this device share. */
function readWith(share: number | null, writtenBytes = 0): Partial<Measurement> {
  return { step: 'read', title: 'Sequential Read', readBytes: 1000 * MB, writtenBytes, ...writeWith(share) };
}

/** A phase of 1 s during which other programs also moved data. */
function besideOthers(ownBytes: number, othersBytes: number): Partial<Measurement> {
  return {
    seconds: 1,
    device: { readBytes: ownBytes / 2, writtenBytes: ownBytes / 2, dirtyBytes: 0, share: 1, reason: null },
    otherIo: { readBytes: othersBytes / 4, writtenBytes: (othersBytes * 3) / 4 },
  };
}

function onHost(busyShare: number, stealShare: number): Partial<Measurement> {
  return { seconds: 1, hostCpu: { busyShare, stealShare } };
}

test.each([
  [0, ['served-from-cache']],
  [0.9 * JUST_BELOW, ['served-from-cache']],
  [0.9, []],
  [1, []],
  [null, []],
])('a read with a device share of %f has the warnings %j', (share, codes) => {
  expect(findCodes(readWith(share))).toEqual(codes);
});

const UNCOUNTED = { ...measurementWith().device, share: null, reason: 'the kernel does not count FUSE' };
const READ = readWith(0.1);
const WRITE = writeWith(0.1);
const SIZE_HINT = 'pass a --size of twice the RAM or more, which is hardly cached';
const DIRECT_HINT = `pass --direct, or ${SIZE_HINT}`;
const RELY_ON_SIZE = "rely on the rate as timed: this machine's RAM holds at most half of the data";
const NOT_COUNTED =
  'no counter here shows which data reached the disk: measure another filesystem to know it';
const INCLUDE_SYNC = 'include the final sync: pass --no-fsync=false';
const ABSORBED = 'RAM absorbs repeated writes to a block: ';
const RANDOM = { ioUnit: 'random-blocks' } as const;
const STILL_BUFFERED =
  'this filesystem buffers or reduces even direct and synced I/O: measure another directory';

test.each<[Partial<Measurement>, Partial<MeasurementContext>, string]>([
  [READ, {}, DIRECT_HINT],
  [READ, { requestedCache: 'keep' }, `pass --direct, or leave out --cache keep, or ${SIZE_HINT}`],
  [READ, { platform: 'win32', requestedCache: 'keep' }, DIRECT_HINT],
  [READ, { platform: 'darwin', requestedCache: 'keep' }, SIZE_HINT],
  [READ, { command: 'sweep' }, `without sweep, pass --direct, or ${SIZE_HINT}`],
  [READ, { command: 'sweep', acceptsDirect: false }, SIZE_HINT],
  [READ, { command: 'quick', isLayoutLimited: true, acceptsDirect: false }, `without quick, ${SIZE_HINT}`],
  [READ, { command: 'quick', isListed: true }, `without quick, set direct=true in the step, or ${SIZE_HINT}`],
  [READ, { isListed: true }, `set direct=true in the step, or ${SIZE_HINT}`],
  [READ, { isListed: true, acceptsDirect: false }, SIZE_HINT],
  [READ, { isTwiceRam: true }, 'pass --direct, or pass a larger --size'],
  [READ, { fitsTwiceRam: false }, 'pass --direct'],
  [READ, { fitsTwiceRam: false, platform: 'darwin' }, 'measure a disk with more free space than RAM'],
  [READ, { isDirect: true }, STILL_BUFFERED],
  [WRITE, { isSynced: false }, INCLUDE_SYNC],
  [WRITE, { isSynced: false, isListed: true }, 'include the final sync: set fsync=true in the step'],
  [WRITE, {}, STILL_BUFFERED],
  [{ ...WRITE, device: UNCOUNTED }, {}, NOT_COUNTED],
  [{ ...READ, device: UNCOUNTED }, { platform: 'darwin' }, SIZE_HINT],
  [{ ...READ, device: UNCOUNTED }, { platform: 'darwin', isTwiceRam: true }, RELY_ON_SIZE],
  [{ ...READ, device: UNCOUNTED }, { filesystem: 'nfs4', isTwiceRam: true }, MAY_BE_CACHED],
  [WRITE, RANDOM, `${ABSORBED}pass --direct or --fsync-per-write`],
  [
    WRITE,
    { ...RANDOM, isListed: true },
    `${ABSORBED}set direct=true or sync-per-write=fdatasync in the step`,
  ],
  [
    WRITE,
    { isListed: true, isBeside: true },
    `${ABSORBED}set direct=true or sync-per-write=fdatasync in the step`,
  ],
  [WRITE, { ...RANDOM, isDirect: true }, STILL_BUFFERED],
  [WRITE, { ...RANDOM, areWritesSynced: true }, STILL_BUFFERED],
])('a hint names only options that work there and were not passed: %#', (facts, context, hint) => {
  expect(findHint(facts, context)).toBe(hint);
});

describe('still-dirty', () => {
  test.each([
    [0, ['still-dirty']],
    [0.9 * JUST_BELOW, ['still-dirty']],
    [0.9, []],
  ])('at a share of %f: %j', (share, codes) => {
    expect(findCodes(writeWith(share), UNSYNCED)).toEqual(codes);
  });

  test('gives the share and the remedy', () => {
    expect(findMeasurementWarnings([measurementWith(writeWith(0.034))], UNSYNCED)).toEqual([
      {
        code: 'still-dirty',
        step: 'write',
        message:
          'only 3.4 % had reached the device when the clock stopped (the rest reached only the page cache)',
        hint: INCLUDE_SYNC,
      },
    ]);
  });

  test('also reports a rewrite without a sync, and a synced or direct write that mostly did not reach the device', () => {
    const rewrite = { ...readWith(0.1), writtenBytes: 1000 };
    expect(findCodes(rewrite, UNSYNCED)).toEqual(['still-dirty']);
    expect(findCodes(rewrite, DISK)).toEqual(['served-from-cache']);
    expect(findCodes(WRITE, DISK)).toEqual(['still-dirty']);
    expect(findCodes(WRITE, { ...UNSYNCED, isDirect: true })).toEqual(['still-dirty']);
  });
});

test.each<[Partial<Measurement>, string, string, Partial<MeasurementContext>?]>([
  [READ, 'only 10.0 % was read from the device; the rest came from the page cache', DIRECT_HINT],
  [
    READ,
    'only 10.0 % was read from the device; the rest was compressed or came from the page cache',
    DIRECT_HINT,
    { filesystem: 'btrfs' },
  ],
  [
    { cliff: { atSeconds: 95.2, beforePerSecond: 512.4 * MB, afterPerSecond: 80.6 * MB } },
    '512.4 MB/s for 1 min 35 s, then 80.6 MB/s: perhaps a cache filled up, burst credits ran out or other programs used the device; the result averages both',
    'measure more data, or for longer, to see the sustained rate',
  ],
  [
    { primaryRate: 'operations', cliff: { atSeconds: 5, beforePerSecond: 10_000, afterPerSecond: 3000 } },
    '10000/s for 5 s, then 3000/s: perhaps a cache filled up, burst credits ran out or other programs used the device; the result averages both',
    'run again: if the rate falls again, a cache or burst credits of the disk run out',
    { isListed: true },
  ],
  [
    { primaryRate: 'operations', cliff: { atSeconds: 5, beforePerSecond: 10_000, afterPerSecond: 3000 } },
    '10000/s for 5 s, then 3000/s: perhaps a cache filled up, burst credits ran out or other programs used the device; the result averages both',
    'run again: if the rate falls again, a cache or burst credits of the disk run out',
    { ioUnit: 'tool-calls' },
  ],
  [
    besideOthers(100 * MB, 250 * MB),
    'other programs used this device (250 MB)',
    'stop the other programs and run again',
  ],
  [onHost(0.5, 0.123), 'the hypervisor stole 12.3 % of the CPU time', 'run again when the host is idle'],
  [
    onHost(0.987, 0),
    'the CPUs were 98.7 % busy, gobonnie itself used at most 18.8 %: other programs may have slowed the results',
    'stop other programs and run again',
  ],
  ...[false, true].map<[Partial<Measurement>, string, string, Partial<MeasurementContext>]>((isListed) => [
    onHost(0.987, 0),
    'the CPUs were 98.7 % busy, gobonnie itself used at most 75.0 %: the CPU may be the bottleneck, not the disk',
    isListed
      ? 'stop other programs and run again'
      : 'stop other programs; larger blocks or fewer threads need less of the CPU',
    { cores: 1, isListed },
  ]),
  [
    { seconds: 3.5, suspendedSeconds: 3 },
    'gobonnie did not run for 3 s of 3.5 s (Ctrl-Z, a paused container or VM, or a very busy machine): the result is too low',
    'run it again, without suspending it, when the machine is less busy',
  ],
  [
    { ...readWith(null), device: UNCOUNTED },
    "1074 MB/s as timed; the device's share of it is unknown (the kernel does not count FUSE)",
    DIRECT_HINT,
    { ceilingPerSecond: 2200 * MB },
  ],
  [
    { ...readWith(null), device: UNCOUNTED, bytesPerSecond: 4000 * MB },
    "4000 MB/s as timed, close to the page cache's speed (8000 MB/s); the device's share of it is unknown (the kernel does not count FUSE)",
    DIRECT_HINT,
    { ceilingPerSecond: 8000 * MB },
  ],
])('a warning has the measured values and a hint: %#', (facts, message, hint, context = {}) => {
  const warnings = findMeasurementWarnings([measurementWith(facts)], { ...DISK, ...context });
  expect(warnings).toMatchObject([{ message, hint }]);
});

test('on a memory filesystem, only warnings that are not about caches remain', () => {
  expect(findCodes(readWith(0), MEMORY)).toEqual([]);
  const disturbed = { ...onHost(0.99, 0), suspendedSeconds: 1 };
  expect(findCodes({ ...writeWith(0), ...disturbed }, MEMORY)).toEqual(['suspended', 'cpu-saturated']);
});

describe('device-contention', () => {
  test.each([
    ["4 MB/s, a tenth of gobonnie's bytes", 40 * MB, 4 * MB, ['device-contention']],
    ['less than 4 MB/s, and gobonnie nothing', 0, 4 * MB * JUST_BELOW, []],
    ["100 MB/s, less than a tenth of gobonnie's bytes", 1000 * MB, 100 * MB * JUST_BELOW, []],
    ["100 MB/s, a tenth of gobonnie's bytes", 1000 * MB, 100 * MB, ['device-contention']],
    ['every byte', 0, 500 * MB, ['device-contention']],
  ])('if other programs moved %s (%d, %d): %j', (_, own, others, codes) => {
    expect(findCodes(besideOthers(own, others))).toEqual(codes);
  });

  test('does not count the journal of the filesystem, which each synced write fills', () => {
    const facts = { ...besideOthers(0, 0), otherIo: { readBytes: 0, writtenBytes: 500 * MB } };
    expect(findCodes(facts)).toEqual(['device-contention']);
    expect(findCodes(facts, { ...DISK, areWritesSynced: true })).toEqual([]);
  });

  test('counts bytes per second', () => {
    expect(findCodes({ ...besideOthers(0, 39 * MB), seconds: 10 })).toEqual([]);
    expect(findCodes({ ...besideOthers(0, 40 * MB), seconds: 10 })).toEqual(['device-contention']);
  });

  test('needs the counts of both the process and the device', () => {
    const known = besideOthers(0, 500 * MB);
    const device = { readBytes: null, writtenBytes: null, dirtyBytes: null, share: null, reason: 'x' };
    expect(findCodes({ ...known, otherIo: null })).toEqual([]);
    expect(findCodes({ ...known, device })).toEqual(['device-share-unknown']);
  });
});

test.each([
  [0.949_999, 0, []],
  [0.95, 0, ['cpu-saturated']],
  [1, 0, ['cpu-saturated']],
  [0, 0.049_999, []],
  [0, 0.05, ['cpu-steal']],
  [0.95, 0.05, ['cpu-steal']],
])('with CPUs busy for %f and stolen for %f, a phase has the warnings %j', (busyShare, stealShare, codes) => {
  expect(findCodes(onHost(busyShare, stealShare))).toEqual(codes);
});

test('a phase of less than half a second is too short for device-contention and cpu-steal', () => {
  const disturbed = { ...besideOthers(0, 500 * MB), hostCpu: { busyShare: 1, stealShare: 0.5 } };
  expect(findCodes({ ...disturbed, seconds: 0.5 * JUST_BELOW })).toEqual([]);
  expect(findCodes({ ...disturbed, seconds: 0.5 })).toEqual(['device-contention', 'cpu-steal']);
});

const others = (readBytes: number, writtenBytes: number): Partial<Measurement> => ({
  seconds: 1,
  device: { readBytes: 100 * MB, writtenBytes: 100 * MB, dirtyBytes: 0, share: 1, reason: null },
  otherIo: { readBytes, writtenBytes },
});

test.each([
  { ...DISK, filesystem: 'btrfs' },
  { ...DISK, mountOptions: ['rw', 'data=journal'] },
])(
  'on a filesystem that amplifies writes, device-contention counts only reads: $filesystem $mountOptions',
  (context) => {
    expect(findCodes(others(0, 1000 * MB), context)).toEqual([]);
    expect(findCodes(others(50 * MB, 0), context)).toEqual(['device-contention']);
    expect(findCodes(others(0, 1000 * MB), DISK)).toEqual(['device-contention']);
  },
);

describe('over several runs', () => {
  const shares = (...values: number[]) => values.map((share) => measurementWith(readWith(share)));

  test('a warning has the range and the number of affected runs', () => {
    expect(findMeasurementWarnings(shares(0.2, 1, 0.5, 0.5), DISK)).toEqual([
      expect.objectContaining({
        message:
          'only 20.0 % to 50.0 % was read from the device; the rest came from the page cache, in 3 of 4 runs',
      }),
    ]);
  });

  test('phase warnings of a report cover all its runs, and other warnings remain', () => {
    const [first] = findMeasurementWarnings(shares(0.2), DISK);
    const other = { code: 'no-cleanup-process', step: null, message: 'it ended', hint: 'none' } as const;
    if (!first) throw new Error('there is no warning');
    const runs = shares(0.2, 0.3).map((one) => runWith({ measurements: [one] }));
    const report = reportWith({ runs, warnings: [other, first] });
    expect(mergeRunWarnings(report)).toEqual([
      other,
      { ...first, message: expect.stringContaining('20.0 % to 30.0 %') },
    ]);
  });
});
