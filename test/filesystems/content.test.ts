import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeDirectory } from '../support/disks/directory.js';
import { LOOP_TOOLS, mountLoop } from '../support/disks/loop.js';
import { requireTools } from '../support/tools.js';
import { measureWithActions, type PhaseAction } from './measure-filesystem.js';

const SECTOR_BYTES = 512;
/** Offset of the rewrite count in a stamp. */
const GENERATION_BYTE = 16;

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
    const { report } = await measureWithActions(dir, flags, [{ after: 'Sequential Write', act }]);
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
    ['--compressible 90 data takes at most a tenth of its size', ['--compressible', '90'], 0.01, 0.2],
  ])('%s', async (_, flags, min, max) => {
    const space = await measureSpace(flags);
    expect(space).toBeGreaterThan(min);
    expect(space).toBeLessThan(max);
  });
});

describe('on storage that deduplicates', () => {
  /** Returns the contents of all files after a phase, for two runs. */
  async function readContents(
    after: PhaseAction['after'],
    flags: readonly string[],
  ): Promise<readonly Buffer[]> {
    const contents: Buffer[] = [];
    const act = (scratch: string) => {
      contents.push(...readdirSync(scratch).map((name) => readFileSync(path.join(scratch, name))));
    };
    const { exitCode } = await measureWithActions(
      makeDirectory(os.tmpdir()),
      ['--size', '0.02', '--runs', '2', ...flags],
      [1, 2].map((run) => ({ after, run, act })),
    );
    expect(exitCode).toBe(0);
    return contents;
  }

  test.each([
    ['--unique', ['--unique']],
    ['--verify --compressible 90 --one-file', ['--verify', '--compressible', '90', '--one-file']],
  ])('%s writes no two equal sectors, even in two runs', async (_, flags) => {
    const contents = await readContents('IOPS', flags);
    const sectors = contents.flatMap((content) => split(content, SECTOR_BYTES));
    expect(sectors.length).toBeGreaterThan(80_000);
    expect(countDistinct(sectors)).toBe(sectors.length);
    expect(sectors.some((sector) => sector.readInt32LE(GENERATION_BYTE) > 0)).toBe(true);
  });
});

function usedBytes(dir: string): number {
  execFileSync('sync', ['--file-system', dir]);
  const { blocks, bfree, bsize } = statfsSync(dir);
  return (blocks - bfree) * bsize;
}

function split(content: Buffer, bytes: number): readonly Buffer[] {
  return Array.from({ length: content.length / bytes }, (_, index) =>
    content.subarray(index * bytes, (index + 1) * bytes),
  );
}

function countDistinct(pieces: readonly Buffer[]): number {
  return new Set(pieces.map((piece) => createHash('sha1').update(piece).digest('base64'))).size;
}
