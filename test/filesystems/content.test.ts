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
const BLOCK_BYTES = 4096;
/** The offset in a stamp of the number of rewrites. */
const GENERATION_BYTE = 16;

describe('on btrfs with zstd compression', () => {
  beforeEach(requireTools(...LOOP_TOOLS, 'mkfs.btrfs', 'sync'));

  /** The space that the written files take on the device, as a share of their size. */
  async function spaceOf(flags: readonly string[]): Promise<number> {
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
    ['--unique takes all of its space', ['--unique'], 0.95, 1.05],
    ['--unique --compressible 90 takes a tenth', ['--unique', '--compressible', '90'], 0.05, 0.2],
    ['--compressible 90 takes a tenth at most', ['--compressible', '90'], 0.01, 0.2],
  ])('%s', async (_, flags, least, most) => {
    const space = await spaceOf(flags);
    expect(space).toBeGreaterThan(least);
    expect(space).toBeLessThan(most);
  });
});

describe('on storage that deduplicates', () => {
  /** The contents of all files after this phase of two runs. */
  async function contentsOf(
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
    const contents = await contentsOf('IOPS', flags);
    const sectors = contents.flatMap((content) => piecesOf(content, SECTOR_BYTES));
    expect(sectors.length).toBeGreaterThan(80_000);
    expect(distinct(sectors)).toBe(sectors.length);
    expect(sectors.some((sector) => sector.readInt32LE(GENERATION_BYTE) > 0)).toBe(true);
  });

  test('the default writes mostly equal blocks', async () => {
    const blocks = (await contentsOf('Sequential Read', [])).flatMap((content) =>
      piecesOf(content, BLOCK_BYTES),
    );
    expect(distinct(blocks)).toBeLessThan(blocks.length / 4);
  });
});

function usedBytes(dir: string): number {
  execFileSync('sync', ['--file-system', dir]);
  const { blocks, bfree, bsize } = statfsSync(dir);
  return (blocks - bfree) * bsize;
}

function piecesOf(content: Buffer, bytes: number): readonly Buffer[] {
  return Array.from({ length: content.length / bytes }, (_, at) =>
    content.subarray(at * bytes, (at + 1) * bytes),
  );
}

function distinct(pieces: readonly Buffer[]): number {
  return new Set(pieces.map((piece) => createHash('sha1').update(piece).digest('base64'))).size;
}
