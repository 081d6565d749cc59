import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { MIB } from '../../src/text/units.js';
import { makeDirectory } from '../support/disks/directory.js';
import { attachLoop, LOOP_TOOLS } from '../support/disks/loop.js';
import { mount, mountBindfs, mountTmpfs } from '../support/disks/mounts.js';
import { requireTools } from '../support/tools.js';
import { measureFilesystem } from './measure-filesystem.js';

beforeEach(requireTools(...LOOP_TOOLS, 'mkfs.ext4', 'bindfs'));

/** Mounts an ext4 on a loop device whose file is deleted: gobonnie cannot know where the data is. */
function mountDeleted(): string {
  const image = path.join(makeDirectory(os.tmpdir()), 'image');
  const device = attachLoop(256 * MIB, 512, image);
  execFileSync('mkfs.ext4', ['-q', device]);
  rmSync(image);
  return mount(makeDirectory(os.tmpdir()), [device]);
}

const WRITE = ['--phases', 'write', '--expect', 'write>=1B/s'];

test.each([
  ['through FUSE, to a tmpfs,', () => mountBindfs(mountTmpfs('size=200m'), []), 'fuse'],
  ['on a loop device whose file was deleted', mountDeleted, 'is not accessible'],
])('a write %s passes no condition, not even a synced or direct write', async (_, makeTarget, reason) => {
  const dir = makeTarget();
  for (const flags of [[], ['--direct']]) {
    const { report, exitCode } = await measureFilesystem(dir, [...WRITE, ...flags]);
    expect(report.expectations).toMatchObject([
      { passed: false, inconclusive: { reason: expect.stringContaining(reason) } },
    ]);
    expect(exitCode).toBe(3);
  }
});
