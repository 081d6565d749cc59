import { describe, expect, test } from 'vitest';
import { MAX_FILES } from '../../../src/options/bonnie-options.js';
import type { MeasurementContext } from '../../../src/report/measure/measurement-context.js';
import { findMeasurementWarnings } from '../../../src/report/measure/measurement-warnings.js';
import { measurementContext } from '../../../src/report/run-warnings.js';
import type { Measurement } from '../../../src/report/schema/report.js';
import { measurementWith, reportWith } from '../../support/data/fixtures.js';

const UNKNOWN = { ...measurementWith().device, share: null, reason: 'nothing counts it' };
const READ = measurementWith({ readBytes: 1000, writtenBytes: 0, durable: null, device: UNKNOWN });
const WRITE = measurementWith({ device: UNKNOWN, durable: { seconds: 9, bytesPerSecond: 1 } });
/** Nothing syncs small files after the clock has stopped. */
const CREATE = measurementWith({ device: UNKNOWN, durable: null });
const VOLATILE = { filesystem: 'overlay', mountOptions: ['rw', 'fsync=volatile'] };

function toldOf(measurement: Measurement, facts: Partial<MeasurementContext> = {}): readonly string[] {
  const where = { ...measurementContext(reportWith(), 'write'), ...facts };
  return findMeasurementWarnings([measurement], where).map(({ code, hint }) => `${code}: ${hint}`);
}

describe('of direct reads whose share is unknown', () => {
  test.each(['fuse', 'nfs4', '9p', 'virtiofs', 'zfs', null])(
    'memory may have served them on %s, whose own cache they do not bypass, and --direct is no advice there',
    (filesystem) => {
      const warning = 'device-share-unknown: use a --size well above the RAM';
      expect(toldOf(READ, { filesystem, isDirect: true })).toEqual([warning]);
      expect(toldOf(READ, { filesystem })).toEqual([warning]);
    },
  );

  test.each(['ext4', 'xfs', 'NTFS'])('memory served none on %s', (filesystem) => {
    expect(toldOf(READ, { filesystem, isDirect: true })).toEqual([]);
    expect(toldOf(READ, { filesystem })).toEqual([
      'device-share-unknown: pass --direct, or use a --size well above the RAM',
    ]);
  });
});

test('of direct reads memory of a server is known by its speed', () => {
  const where = { isDirect: true, dataBytes: Number.MAX_VALUE, ceilingPerSecond: READ.bytesPerSecond };
  expect(toldOf(READ, { ...where, filesystem: 'nfs4' })).toEqual([
    'near-memory-speed: use a --size well above the RAM',
  ]);
  expect(toldOf(READ, { ...where, filesystem: 'NTFS' })).toEqual([]);
});

describe('of a write whose share is unknown', () => {
  test('nothing is said if it was synced before the clock stopped', () => {
    for (const measurement of [WRITE, CREATE]) expect(toldOf(measurement, { isSynced: true })).toEqual([]);
  });

  test('memory may hold it for ever if nothing syncs it', () => {
    expect(toldOf(CREATE, { ioUnit: 'files' })).toEqual(['device-share-unknown: pass --fsync-per-write']);
    const volatile = 'this volatile overlay ignores syncs: measure another directory';
    expect(toldOf(CREATE, VOLATILE)).toEqual([`device-share-unknown: ${volatile}`]);
  });

  test('the message is about what reached the device', () => {
    const [warning] = findMeasurementWarnings([CREATE], measurementContext(reportWith(), 'write'));
    expect(warning?.message).toMatch(
      /: the share written to the device is unknown \(nothing counts it\), and RAM /,
    );
  });
});

test('for reads of small files the advice is more files, as no --size and no --direct helps', () => {
  expect(toldOf(READ, { ioUnit: 'files' })).toEqual([
    'device-share-unknown: pass more --files or a larger --file-size than RAM can cache: the files were just created',
  ]);
});

describe('of names of files whose share is unknown', () => {
  const facts = { ioUnit: 'files', memoryBytes: 1024 ** 3 } as const;
  const names = (operations: number) =>
    measurementWith({ device: UNKNOWN, bytes: 0, readBytes: 0, writtenBytes: 0, durable: null, operations });
  const more = 'device-share-unknown: pass more --files than RAM can cache, at about 1 KiB each';

  test.each<[string, Partial<MeasurementContext>, string]>([
    [
      'created ones memory may hold until a sync',
      { access: 'creates' },
      'device-share-unknown: pass --fsync',
    ],
    [
      'deleted ones memory may hold until a sync',
      { access: 'deletes' },
      'device-share-unknown: pass --fsync',
    ],
    ['Windows can sync none', { access: 'creates', platform: 'win32' }, more],
    ['those looked at were just made, so only more of them help', { access: 'uses' }, more],
  ])('%s', (_, where, warning) => {
    expect(toldOf(names(2 ** 21 - 1), { ...facts, ...where })).toEqual([warning]);
    expect(toldOf(names(2 ** 21), { ...facts, ...where })).toEqual([]);
  });

  test('more of them are no advice if --files cannot be so many', () => {
    const where = { ...facts, access: 'uses' } as const;
    expect(toldOf(names(9), { ...where, memoryBytes: (MAX_FILES / 2) * 1024 })).toEqual([more]);
    expect(toldOf(names(9), { ...where, memoryBytes: MAX_FILES * 1024 })).toEqual([
      "device-share-unknown: not a disk's speed: RAM can cache even the maximum number of --files",
    ]);
  });

  test('the message says that memory can hold the names', () => {
    const where = { ...measurementContext(reportWith(), 'write'), ...facts };
    expect(findMeasurementWarnings([names(9)], where)[0]?.message).toMatch(
      /: the share written to the device is unknown \(nothing counts it\), and RAM \(.+\) can hold the names$/,
    );
  });
});

describe('on a loop device that may keep its file in memory the advice is', () => {
  const lowerCache = { reason: 'it is a loop device', loopDevice: '/dev/loop3' };

  test.each<[string, Measurement, Partial<MeasurementContext>, string]>([
    [
      'for reads to end that',
      READ,
      {},
      'device-share-unknown: run `losetup --direct-io=on /dev/loop3` (needs root), or use a --size well above the RAM',
    ],
    [
      'for writes not --direct',
      { ...WRITE, bytesPerSecond: 9 },
      {},
      'still-dirty: pass --fsync or a larger --size',
    ],
  ])('%s', (_, measurement, facts, warning) => {
    expect(toldOf(measurement, { ...facts, lowerCache })).toEqual([warning]);
  });
});

describe('of a write that had reached the device by the count of the whole host', () => {
  const durable = (bytesPerSecond: number) =>
    measurementWith({ bytesPerSecond: 1000, durable: { seconds: 1, bytesPerSecond } });

  test('most was in memory if it took as long again until it was durable: others had written at the same time', () => {
    expect(toldOf(durable(499))[0]).toMatch(/^still-dirty: /);
    expect(toldOf(durable(500))).toEqual([]);
  });

  test('nothing is said if it was direct or synced: then the sync alone took so long', () => {
    for (const facts of [{ isDirect: true }, { isSynced: true }])
      expect(toldOf(durable(10), facts)).toEqual([]);
  });
});

describe('of a rewrite, whose share is that of its reads,', () => {
  const rewrite = (bytesPerSecond: number) =>
    measurementWith({
      phase: 'rewrite',
      ...{ readBytes: 1000, bytesPerSecond: 1000, durable: { seconds: 1, bytesPerSecond } },
    });

  test('most of what it wrote was in memory if it took as long again until it was durable', () => {
    expect(toldOf(rewrite(499))[0]).toMatch(/^still-dirty: /);
    expect(
      findMeasurementWarnings([rewrite(499)], measurementContext(reportWith(), 'write'))[0]?.message,
    ).toMatch(/: some data was not yet durable when the clock stopped; with the final sync: /);
    expect(toldOf(rewrite(500))).toEqual([]);
  });
});
