import { expect, test } from 'vitest';
import type { Measurement } from '../../src/report/schema/report.js';
import { type MeasurementContext, measurementContext } from '../../src/warnings/measurement-context.js';
import { findMeasurementWarnings } from '../../src/warnings/measurement-warnings.js';
import { measurementWith, reportWith } from '../support/data/fixtures.js';

const UNKNOWN = { ...measurementWith().device, share: null, reason: 'nothing counts it' };
const READ = measurementWith({ readBytes: 1000, writtenBytes: 0, device: UNKNOWN });
const WRITE = measurementWith({ device: UNKNOWN });
const VOLATILE = { filesystem: 'overlay', mountOptions: ['rw', 'fsync=volatile'] };

function warningsFor(measurement: Measurement, facts: Partial<MeasurementContext> = {}): readonly string[] {
  const context = {
    ...measurementContext(reportWith(), { step: 'write', phase: 'write', direct: false }),
    ...facts,
  };
  return findMeasurementWarnings([measurement], context).map(({ code, hint }) => `${code}: ${hint}`);
}

const bufferedHint = 'device-share-unknown: pass a --size of twice the RAM or more, which is hardly cached';
const directHint =
  'device-share-unknown: pass --direct, or pass a --size of twice the RAM or more, which is hardly cached';

test.each([
  ['fuse', [bufferedHint], bufferedHint],
  ['nfs4', [bufferedHint], bufferedHint],
  ['ext4', [bufferedHint], directHint],
  ['NTFS', [bufferedHint], directHint],
])(
  'direct reads with an unknown device share on %s give %j, and buffered reads: %s',
  (filesystem, direct, buffered) => {
    expect(warningsFor(READ, { filesystem, isDirect: true })).toEqual(direct);
    expect(warningsFor(READ, { filesystem })).toEqual([buffered]);
  },
);

test('a write with an unknown device share may remain cached if nothing syncs it', () => {
  expect(warningsFor(WRITE, { ioUnit: 'files', isSynced: false })).toEqual([
    'device-share-unknown: pass --fsync-per-write',
  ]);
  expect(warningsFor(WRITE, { ...VOLATILE, isSynced: false })).toEqual([
    'device-share-unknown: this filesystem buffers or reduces even direct and synced I/O: measure another directory',
  ]);
});

test('for reads of small files the hint advises more files, because --size and --direct do not help', () => {
  expect(warningsFor(READ, { ioUnit: 'files' })).toEqual([
    'device-share-unknown: pass more --files or a larger --file-size than RAM can cache: the files were just created',
  ]);
});

const sync = 'device-share-unknown: include the final sync: pass --no-fsync=false';
const none = "device-share-unknown: do not rely on these rates: they may be the page cache's";

test.each<[string, Partial<MeasurementContext>, string]>([
  ['may be cached until a sync after they were created', { access: 'creates' }, sync],
  ['may be cached until a sync after they were deleted', { access: 'deletes' }, sync],
  ['cannot be synced on Windows', { access: 'creates', platform: 'win32' }, none],
  ['were just created before stat, so they are cached', { access: 'uses' }, none],
])('file names with an unknown device share %s', (_, context, warning) => {
  const names = measurementWith({ device: UNKNOWN, bytes: 0, readBytes: 0, writtenBytes: 0 });
  expect(warningsFor(names, { ...context, ioUnit: 'files' })).toEqual([warning]);
});

const lowerCache = { reason: 'it is a loop device', loopDevice: '/dev/loop3' };

test.each<[string, Measurement, Partial<MeasurementContext>, string]>([
  [
    'for reads disables that cache',
    READ,
    {},
    'device-share-unknown: run `losetup --direct-io=on /dev/loop3` (needs root), or pass a --size of twice the RAM or more, which is hardly cached',
  ],
  [
    'for writes does not advise --direct',
    WRITE,
    { isSynced: false },
    'device-share-unknown: include the final sync: pass --no-fsync=false',
  ],
])('on a loop device that may cache its file, the hint %s', (_, measurement, facts, warning) => {
  expect(warningsFor(measurement, { ...facts, lowerCache })).toEqual([warning]);
});
