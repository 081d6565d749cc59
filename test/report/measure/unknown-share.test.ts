import { describe, expect, test } from 'vitest';
import type { Circumstances } from '../../../src/report/measure/circumstances.js';
import { warningsOf } from '../../../src/report/measure/warnings.js';
import { circumstancesOf } from '../../../src/report/run-warnings.js';
import type { Measurement } from '../../../src/report/schema/report.js';
import { measurementWith, reportWith } from '../../support/data/fixtures.js';

const UNKNOWN = { ...measurementWith().device, share: null, reason: 'nothing counts it' };
const READ = measurementWith({ readBytes: 1000, writtenBytes: 0, durable: null, device: UNKNOWN });
const WRITE = measurementWith({ device: UNKNOWN, durable: { seconds: 9, bytesPerSecond: 1 } });
/** Nothing syncs small files after the clock has stopped. */
const CREATE = measurementWith({ device: UNKNOWN, durable: null });
const VOLATILE = { filesystem: 'overlay', mountOptions: ['rw', 'fsync=volatile'] };

function toldOf(measurement: Measurement, facts: Partial<Circumstances> = {}): readonly string[] {
  const where = { ...circumstancesOf(reportWith(), 'write'), ...facts };
  return warningsOf([measurement], where).map(({ code, hint }) => `${code}: ${hint}`);
}

describe('of direct reads whose share is unknown', () => {
  test.each(['fuse', 'nfs4', '9p', 'virtiofs', 'zfs', null])(
    'memory may have served them on %s, whose own cache they do not bypass, and --direct is no advice there',
    (filesystem) => {
      const warning = 'share-unknown: use a --size well above the RAM';
      expect(toldOf(READ, { filesystem, isDirect: true })).toEqual([warning]);
      expect(toldOf(READ, { filesystem })).toEqual([warning]);
    },
  );

  test.each(['ext4', 'xfs', 'NTFS'])('memory served none on %s', (filesystem) => {
    expect(toldOf(READ, { filesystem, isDirect: true })).toEqual([]);
    expect(toldOf(READ, { filesystem })).toEqual([
      'share-unknown: pass --direct, or use a --size well above the RAM',
    ]);
  });
});

describe('of a write whose share is unknown', () => {
  test('nothing is said if it was synced before the clock stopped', () => {
    for (const measurement of [WRITE, CREATE]) expect(toldOf(measurement, { isSynced: true })).toEqual([]);
  });

  test('memory may hold it for ever if nothing syncs it', () => {
    expect(toldOf(CREATE, { moves: 'files' })).toEqual(['share-unknown: pass --sync-writes']);
    const volatile = 'this overlay is volatile, so that no sync has an effect: measure another directory';
    expect(toldOf(CREATE, VOLATILE)).toEqual([`share-unknown: ${volatile}`]);
  });

  test('the message is about what reached the device', () => {
    const [warning] = warningsOf([CREATE], circumstancesOf(reportWith(), 'write'));
    expect(warning?.message).toMatch(
      /: what reached the device is unknown \(nothing counts it\), and the memory /,
    );
  });
});

test('for reads of small files the advice is more files, as no --size and no --direct helps', () => {
  expect(toldOf(READ, { moves: 'files' })).toEqual([
    'share-unknown: they were made a moment before; pass more --files or a larger --file-size than memory holds',
  ]);
});

describe('of names of files, which nothing counts,', () => {
  const NAMES = measurementWith({ device: UNKNOWN, bytes: 0, readBytes: 0, writtenBytes: 0, durable: null });
  const facts = { moves: 'files' } as const;

  test.each(['creates', 'deletes'] as const)('memory may hold what a phase %s until a sync', (access) => {
    expect(toldOf(NAMES, { ...facts, access })).toEqual(['share-unknown: pass --fsync']);
    expect(toldOf(NAMES, { ...facts, access, areNamesSynced: true })).toEqual([]);
  });

  test('a look at them is from memory, as they were just made; more of them are the only advice', () => {
    const more =
      'they were made a moment before; pass more --files or a larger --file-size than memory holds';
    const looked = { ...facts, access: 'uses', areNamesSynced: true } as const;
    expect(toldOf(NAMES, looked)).toEqual([`share-unknown: ${more}`]);
    expect(toldOf(NAMES, { ...facts, platform: 'win32' })).toEqual([`share-unknown: ${more}`]);
  });

  test('the message says that memory can hold the names', () => {
    const where = { ...circumstancesOf(reportWith(), 'write'), ...facts };
    expect(warningsOf([NAMES], where)[0]?.message).toMatch(
      /: what reached the device is unknown \(nothing counts it\), and the memory of .+ can hold the names$/,
    );
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
