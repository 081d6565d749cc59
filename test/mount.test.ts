import { expect, test } from 'vitest';
import { isInside, parseMountInfo } from '../src/mount.js';

test('a line of mountinfo gives the path, the filesystem and the device', () => {
  expect(parseMountInfo('36 35 98:0 /root /mnt rw,noatime - ext4 /dev/sda1 rw,errors=continue\n')).toEqual([
    { path: '/mnt', filesystem: 'ext4', device: '/dev/sda1' },
  ]);
});

test.each([
  ['no optional field', ''],
  ['one', 'shared:1 '],
  ['several', 'shared:1 master:2 propagate_from:3 '],
])('%s before the dash shifts nothing', (_, optional) => {
  expect(parseMountInfo(`36 35 0:31 / /run rw ${optional}- tmpfs run rw`)).toEqual([
    { path: '/run', filesystem: 'tmpfs', device: 'run' },
  ]);
});

test('blanks, tabs, line feeds and backslashes come back out of their octal digits', () => {
  const line = '36 35 8:1 / /a\\040b\\011c\\012d\\134040 rw - fuse.sshfs user@host:/my\\040files rw';
  expect(parseMountInfo(line)).toEqual([
    { path: '/a b\tc\nd\\040', filesystem: 'fuse.sshfs', device: 'user@host:/my files' },
  ]);
});

test('every mount is kept in the order of the kernel, and lines that are none are passed over', () => {
  const text = [
    '1 0 8:1 / / rw - ext4 /dev/sda1 rw',
    'nonsense',
    '2 1 0:5 / /proc rw - proc proc rw',
    '3 1 8:2 / /mnt rw',
    '',
  ].join('\n');
  expect(parseMountInfo(text).map(({ path }) => path)).toEqual(['/', '/proc']);
});

test('a filesystem that was mounted without a source is seen', () => {
  expect(parseMountInfo('42 27 0:39 / /mnt rw,relatime - tmpfs  rw,size=1024k')).toMatchObject([
    { path: '/mnt', filesystem: 'tmpfs' },
  ]);
});

test.each([
  ['/mnt', '/mnt'],
  ['/mnt/a/b', '/mnt'],
  ['/', '/'],
  ['/tmp', '/'],
  ['/mnt/..hidden', '/mnt'],
  ['/mnt/...', '/mnt'],
])('%s is inside of %s', (directory, mount) => {
  expect(isInside(directory, mount)).toBe(true);
});

test.each([
  ['/mnt2', '/mnt'],
  ['/', '/mnt'],
  ['/mnt', '/mnt/a'],
  ['/other/mnt', '/mnt'],
])('%s is not inside of %s', (directory, mount) => {
  expect(isInside(directory, mount)).toBe(false);
});
