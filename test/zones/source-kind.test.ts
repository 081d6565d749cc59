import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MIB } from '../../src/text/units.js';
import { detectSourceKind, rejectWindowsDevice } from '../../src/zones/source.js';
import { requireTools } from '../support/tools.js';
import { attachReadOnlyLoop, makeFile } from './files.js';

const CHARACTERS = statSync('/dev/null');
const RAW_DISKS = ['/dev/rdisk0', '/dev/rdisk12', '/dev/rdisk3s1s1'];

function errorLine(check: () => unknown): string | null {
  try {
    check();
    return null;
  } catch (error) {
    const { message, hint } = error as { message: string; hint: string };
    return `${message}; ${hint}`;
  }
}

test.each(RAW_DISKS)('on macOS, the character device %s is a disk, even under another name', (path) => {
  expect(detectSourceKind('link', path, CHARACTERS, 'darwin')).toBe('raw-disk');
});

test.each(['/dev/null', '/dev/ttys000', '/dev/rdisk', '/dev/rdisk0x', '/dev/disk0', '/tmp/dev/rdisk0'])(
  'on macOS, the character device %s is rejected',
  (path) => {
    expect(errorLine(() => detectSourceKind('it', path, CHARACTERS, 'darwin'))).toBe(
      'it is not a file or disk; name one, such as /dev/rdisk0',
    );
  },
);

test.each([
  ['linux', 'file or block device', '/dev/sda'],
  ['freebsd', 'file or block device', '/dev/sda'],
  ['win32', 'file', 'C:\\image.raw'],
])('on %s, every character device is rejected, regardless of its name', (platform, noun, example) => {
  for (const path of RAW_DISKS)
    expect(errorLine(() => detectSourceKind(path, path, CHARACTERS, platform))).toBe(
      `${path} is not a ${noun}; name one, such as ${example}`,
    );
});

test.each(['darwin', 'linux', 'win32'])(
  'on %s, a regular file is accepted, regardless of its name',
  (platform) => {
    const stats = statSync(makeFile(MIB));
    for (const path of ['/image', ...RAW_DISKS])
      expect(detectSourceKind(path, path, stats, platform)).toBe('file');
  },
);

test('a block device that is a disk is rejected on macOS, with a hint to the uncached device', (context) => {
  requireTools('root', 'losetup')(context);
  const stats = statSync(attachReadOnlyLoop(makeFile(MIB)));
  expect(detectSourceKind('link', '/dev/disk2s1', stats, 'linux')).toBe('block-device');
  expect(detectSourceKind('link', '/dev/vn0', stats, 'darwin')).toBe('block-device');
  expect(errorLine(() => detectSourceKind('link', '/dev/disk2s1', stats, 'darwin'))).toBe(
    'link is read through the page cache; name /dev/rdisk2s1, the same disk without the cache',
  );
});

test.each([
  ['\\\\.\\PhysicalDrive0', true],
  ['//./PhysicalDrive0', true],
  ['\\\\.\\C:', true],
  ['\\\\?\\Volume{1-2}', true],
  ['\\\\.\\C:\\image.raw', false],
  ['\\\\?\\C:\\image.raw', false],
  ['\\\\server\\share\\image.raw', false],
  ['C:\\image.raw', false],
  ['image.raw', false],
])('%s is rejected as a device on Windows: %s, and never on Linux', (file, isDevice) => {
  expect(errorLine(() => rejectWindowsDevice(file, 'win32'))).toEqual(
    isDevice
      ? expect.stringMatching(/is a device; name a file: zones reads devices only on Linux and macOS$/)
      : null,
  );
  expect(errorLine(() => rejectWindowsDevice(file, 'linux'))).toBeNull();
});
