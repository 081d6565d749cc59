import { expect, test } from 'vitest';
import {
  findMount,
  isInside,
  type Mount,
  mountCompression,
  parseMountInfo,
} from '../../src/machine/mount.js';

test.each([
  ['no optional field', ''],
  ['several optional fields', 'shared:1 master:2 propagate_from:3 '],
])('%s before the dash does not shift the fields after it', (_, optional) => {
  expect(parseMountInfo(`36 35 0:31 / /run rw ${optional}- tmpfs run rw`)).toEqual([
    { path: '/run', filesystem: 'tmpfs', device: 'run', deviceNumber: '0:31', options: ['rw'] },
  ]);
});

test('spaces, tabs, line feeds and backslashes are decoded from octal', () => {
  const line =
    '36 35 8:1 / /a\\040b\\011c\\012d\\134040 rw - fuse.sshfs user@host:/my\\040files rw,cache=/my\\040own\\054cache';
  expect(parseMountInfo(line)).toEqual([
    {
      path: '/a b\tc\nd\\040',
      filesystem: 'fuse.sshfs',
      device: 'user@host:/my files',
      deviceNumber: '8:1',
      options: ['rw', 'cache=/my own,cache'],
    },
  ]);
});

test("mounts keep the kernel's order, and invalid lines are skipped", () => {
  const text = [
    '1 0 8:1 / / rw - ext4 /dev/sda1 rw',
    'nonsense',
    '2 1 0:5 / /proc rw - proc proc rw',
    '3 1 8:2 / /mnt rw',
    '',
  ].join('\n');
  expect(parseMountInfo(text).map(({ path }) => path)).toEqual(['/', '/proc']);
});

test.each([
  ['/mnt', '/mnt', true],
  ['/mnt/a/b', '/mnt', true],
  ['/mnt/..hidden', '/mnt', true],
  ['/mnt2', '/mnt', false],
  ['/', '/mnt', false],
])('%s is inside %s: %s', (directory, mount, expected) => {
  expect(isInside(directory, mount)).toBe(expected);
});

function mountWith(facts: Partial<Mount>): Mount {
  return {
    path: '/mnt',
    filesystem: 'ext4',
    device: '/dev/sda1',
    deviceNumber: '8:1',
    options: [],
    ...facts,
  };
}

test('a directory is on its innermost mount, and on the later of two mounts with the same path', () => {
  const root = mountWith({ path: '/' });
  const outer = mountWith({ path: '/mnt' });
  const inner = mountWith({ path: '/mnt/a', filesystem: 'xfs' });
  const cover = mountWith({ path: '/mnt/a', filesystem: 'btrfs' });
  const mounts = [inner, cover, root, outer];
  expect(findMount('/mnt/a/b', mounts)).toBe(cover);
  expect(findMount('/mnt/ab', mounts)).toBe(outer);
  expect(findMount('/tmp', mounts)).toBe(root);
  expect(findMount('/tmp', [outer])).toBeNull();
});

test('the device number excludes a mount that a later mount above it covers', () => {
  const inner = mountWith({ path: '/mnt/a', deviceNumber: '7:1' });
  const cover = mountWith({ path: '/mnt', deviceNumber: '7:0' });
  expect(findMount('/mnt/a/b', [inner, cover], '7:0')).toBe(cover);
  expect(findMount('/mnt/a/b', [inner, cover], '7:1')).toBe(inner);
  expect(findMount('/mnt/a/b', [inner, cover], '0:99')).toBe(inner);
});

test.each([
  ['btrfs', 'rw,compress=zstd:3,discard=async,space_cache=v2', 'zstd:3'],
  ['btrfs', 'rw,compress-force=zlib:9', 'zlib:9'],
  ['btrfs', 'rw,discard=async', null],
  ['f2fs', 'rw,compress_algorithm=lz4,compress_log_size=2', 'lz4'],
  ['ntfs3', 'rw,compress', 'lznt1'],
  ['zfs', 'rw,xattr', null],
  ['nfs4', 'rw,compress=zstd:3', null],
])('%s with %s compresses with %s', (filesystem, options, compression) => {
  const [mount] = parseMountInfo(`43 27 0:39 / /mnt rw,relatime - ${filesystem} /dev/sda1 ${options}`);
  expect(mount && mountCompression(mount)).toBe(compression);
});
