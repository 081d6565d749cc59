import { execFileSync } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { LOOP_TOOLS, mountLoop } from '../support/disks/loop.js';
import { requireTools } from '../support/tools.js';
import { measureWithAction } from './measure-filesystem.js';

describe('on btrfs with zstd compression', () => {
  beforeEach(requireTools(...LOOP_TOOLS, 'mkfs.btrfs', 'sync'));

  /** Returns the space that the written files take on the device, as a share of their size. */
  async function measureSpace(flags: readonly string[]): Promise<number> {
    const dir = mountLoop('btrfs', { mountOptions: 'compress-force=zstd' });
    const before = usedBytes(dir);
    let after = 0;
    const act = () => {
      after = usedBytes(dir);
    };
    const { report } = await measureWithAction(dir, flags, 'Sequential Write', act);
    expect(report.target.compression).toMatch(/^zstd/);
    return (after - before) / report.options.sizeBytes;
  }

  test.each([
    ['--unique data takes its full size', ['--unique'], 0.95, 1.05],
    [
      '--unique --compressible 90 data takes a tenth of its size',
      ['--unique', '--compressible', '90'],
      0.05,
      0.2,
    ],
  ])('%s', async (_, flags, min, max) => {
    const space = await measureSpace(flags);
    expect(space).toBeGreaterThan(min);
    expect(space).toBeLessThan(max);
  });
});

function usedBytes(dir: string): number {
  execFileSync('sync', ['--file-system', dir]);
  const { blocks, bfree, bsize } = statfsSync(dir);
  return (blocks - bfree) * bsize;
}
