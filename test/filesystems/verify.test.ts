import { closeSync, openSync, readdirSync, readSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { GIB } from '../../src/text/units.js';
import { findMeasurement } from '../support/data/all-phases.js';
import { makeDirectory } from '../support/disks/directory.js';
import { requireTools } from '../support/tools.js';
import { type MeasuredRun, measureFilesystem, measureWithAction } from './measure-filesystem.js';
import { DISKS, TMPFS } from './test-filesystems.js';

/** The default block size. */
const BLOCK_BYTES = 65_536;
const SMALL = ['--size', String(1 / 32), '--threads', '1'];
const BLOCKS = GIB / 32 / BLOCK_BYTES;
/** Two blocks that gobonnie compares only with --verify. Their sector numbers differ in the lowest byte. */
const FIRST = BLOCKS - 12;
const SECOND = BLOCKS - 5;
/** Offset of that byte in a stamp. */
const NUMBER_BYTE = 8;

beforeEach(requireTools('root'));

describe.each([...DISKS, TMPFS])('on $name', ({ tools, make }) => {
  beforeEach(requireTools(...tools));

  test('--verify finds no mismatch with direct I/O', async () => {
    const { report, exitCode } = await measureFilesystem(make(), ['--verify', '--size', '0.03', '--direct']);
    expect(report.outcome).toEqual({ state: 'completed' });
    expect(exitCode).toBe(0);
    // No operation may be smaller than a sector, because every sector has a stamp.
    expect(report.options.ioSizeBytes % 512).toBe(0);
    expect(findMeasurement(report, 'read').bytes).toBe(report.options.sizeBytes);
    expect(findMeasurement(report, 'iops').readBytes).toBeGreaterThan(0);
  });
});

/** Reads the block of a file at this index. */
function readBlock(file: string, block: number): Buffer {
  const bytes = Buffer.alloc(BLOCK_BYTES);
  const fd = openSync(file, 'r');
  readSync(fd, bytes, 0, BLOCK_BYTES, block * BLOCK_BYTES);
  closeSync(fd);
  return bytes;
}

function overwrite(file: string, bytes: Uint8Array, position: number): void {
  const fd = openSync(file, 'r+');
  writeSync(fd, bytes, 0, bytes.length, position);
  closeSync(fd);
}

function swapBlocks(file: string): void {
  const first = readBlock(file, FIRST);
  const second = readBlock(file, SECOND);
  overwrite(file, first, SECOND * BLOCK_BYTES);
  overwrite(file, second, FIRST * BLOCK_BYTES);
}

interface ChangedRun extends MeasuredRun {
  readonly dir: string;
  readonly file: string;
}

/** Runs gobonnie, which compares all data, and changes its first file after a phase. */
async function runWithChange(
  flags: readonly string[],
  after: 'Sequential Write' | 'Sequential Read',
  change: (file: string) => void,
): Promise<ChangedRun> {
  const dir = makeDirectory(os.tmpdir());
  let file = '';
  const act = (scratch: string) => {
    file = path.join(scratch, 'bonnie.0');
    change(file);
  };
  const result = await measureWithAction(dir, [...SMALL, '--verify', ...flags], after, act);
  return { ...result, dir, file };
}

function expectCorrupt({ report, exitCode, stderr, dir }: ChangedRun, words: string): void {
  expect(report.outcome).toMatchObject({ state: 'failed', code: 'data-corrupt' });
  expect(report.outcome.state === 'failed' && report.outcome.message).toContain(words);
  expect(stderr).toContain(`gobonnie: ${words}`);
  expect(exitCode).toBe(1);
  expect(readdirSync(dir)).toEqual([]);
}

test.each([
  ['through the page cache', []],
  ['with direct I/O', ['--direct']],
])(
  '%s, data that another process copies is reported with the offset from which it was copied',
  async (_, flags) => {
    const result = await runWithChange(flags, 'Sequential Write', swapBlocks);
    const position = FIRST * BLOCK_BYTES + NUMBER_BYTE;
    const origin = `the stamp of offset ${SECOND * BLOCK_BYTES} of data file 0 in run 1`;
    expectCorrupt(result, `read failed in ${result.file} at offset ${position}: its sector has ${origin}`);
  },
);

test('a block that is lost between read and iops is reported by iops', async () => {
  const zeros = new Uint8Array(BLOCKS * BLOCK_BYTES);
  const lose = (file: string) => overwrite(file, zeros, 0);
  const result = await runWithChange(['--iops-duration', '30'], 'Sequential Read', lose);
  expectCorrupt(result, `iops failed in ${result.file} at offset `);
});
