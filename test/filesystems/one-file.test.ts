import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { requireTools } from '../support/tools.js';
import { findPhase, measureWithActions } from './measure-filesystem.js';
import { DISKS, TMPFS } from './test-filesystems.js';

const SECTOR_BYTES = 512;
const THREADS = 3;

describe.each([...DISKS, TMPFS])('--one-file on $name', ({ tools, make }) => {
  beforeEach(requireTools(...tools));

  test.each([
    ['through the page cache', []],
    ['with direct I/O', ['--direct']],
  ])('puts the data of all threads into one file, %s', async (_, flags) => {
    let names: readonly string[] = [];
    let diskBytes = 0;
    let data = Buffer.of();
    const inspect = (scratch: string) => {
      names = readdirSync(scratch);
      const file = path.join(scratch, names[0] ?? '');
      diskBytes = statSync(file).blocks * SECTOR_BYTES;
      data = readFileSync(file);
    };
    const { report, exitCode } = await measureWithActions(
      make(),
      ['--one-file', '--threads', String(THREADS), '--verify', '--size', '0.03', ...flags],
      [{ after: 'Sequential Write', act: inspect }],
    );
    const { sizeBytes } = report.options;
    expect(exitCode).toBe(0);
    expect(names).toEqual(['bonnie.0', 'owner']);
    expect(data.length).toBe(sizeBytes);
    expect(diskBytes).toBeGreaterThanOrEqual(sizeBytes);
    expect(findWriters(data)).toEqual([0, 1, 2]);
    for (const phase of ['write', 'read']) expect(findPhase(report, phase).bytes).toBe(sizeBytes);
  });
});

/** Returns the slices in the stamps, in the order of the sectors, with -1 for unwritten sectors. */
function findWriters(data: Buffer): readonly number[] {
  const writers = new Set<number>();
  for (let offset = 0; offset < data.length; offset += SECTOR_BYTES) {
    const isWritten = data.readInt32LE(offset) === 1;
    writers.add(isWritten ? data.readInt32LE(offset + 4) : -1);
  }
  return [...writers];
}
