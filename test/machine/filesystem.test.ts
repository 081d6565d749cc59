import { statfsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { filesystemFromType, isMemoryFilesystem } from '../../src/machine/filesystem.js';
import { makeDirectory } from '../support/disks/directory.js';
import { FUSE_TOOLS } from '../support/disks/fuse.js';
import { LOOP_TOOLS, mountLoop } from '../support/disks/loop.js';
import { mountBindfs, mountTmpfs } from '../support/disks/mounts.js';
import { requireTools } from '../support/tools.js';

function nameByType(dir: string): string | null {
  return filesystemFromType(statfsSync(dir).type, 'linux');
}

describe('the type in statfs names', () => {
  test.for(['ext4', 'xfs', 'btrfs'] as const)('%s', (filesystem, context) => {
    requireTools(...LOOP_TOOLS, `mkfs.${filesystem}`)(context);
    expect(nameByType(mountLoop(filesystem))).toBe(filesystem);
  });

  test('tmpfs and FUSE', (context) => {
    requireTools(...FUSE_TOOLS)(context);
    expect([nameByType(mountTmpfs('size=1m')), nameByType(mountBindfs(makeDirectory(), []))]).toEqual([
      'tmpfs',
      'fuse',
    ]);
  });
});

test('the type number of macOS gives no name', () => {
  expect(filesystemFromType(0xef53, 'darwin')).toBeNull();
});

test.each([
  ['tmpfs', true],
  ['ramfs', true],
  ['ext4', false],
  ['devtmpfs', false],
])('%s is in memory: %s', (filesystem, isInMemory) => {
  expect(isMemoryFilesystem({ filesystem })).toBe(isInMemory);
});
