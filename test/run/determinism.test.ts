import { readFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { type OptionsInput, run } from 'gobonnie';
import { expect, test } from 'vitest';
import { findScratch, makeDirectory } from '../support/disks/directory.js';
import { SMALL_OPTIONS } from '../support/programs/small-run.js';
import { traceGobonnie } from '../support/programs/trace.js';
import { requireTools } from '../support/tools.js';

const BLOCK_BYTES = 65_536;
const OPERATIONS = 200;

/** Returns the content of the files after the write phase. */
async function writeFiles(options: OptionsInput): Promise<readonly Buffer[]> {
  const dir = makeDirectory();
  let files: readonly Buffer[] = [];
  await run(
    { dir, ...SMALL_OPTIONS, ...options },
    {
      onEvent: (event) => {
        const scratch = findScratch(dir);
        if (event.type !== 'step-end' || event.measurement.phase !== 'write' || !scratch) return;
        files = ['bonnie.0', 'bonnie.1'].map((file) => readFileSync(path.join(scratch, file)));
      },
    },
  );
  return files;
}

test('the same seed writes the same bytes, and without a seed every run writes different bytes', async () => {
  const write = async (options: OptionsInput) => Buffer.concat(await writeFiles(options));
  const first = await write({ seed: 42 });
  const other = await write({});
  expect(first.length).toBe(163 * BLOCK_BYTES);
  expect((await write({ seed: 42 })).equals(first)).toBe(true);
  for (const different of [first, await write({})]) expect(other.equals(different)).toBe(false);
});

test('every block is the same random block, which does not compress', async () => {
  const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = await writeFiles({ seed: 1 });
  const block = first.subarray(0, BLOCK_BYTES);
  expect(deflateSync(block).length).toBeGreaterThan(BLOCK_BYTES);
  for (const file of [first, second]) {
    const blocks = file.length / BLOCK_BYTES;
    expect(file.equals(Buffer.concat(Array.from({ length: blocks }, () => block)))).toBe(true);
  }
});

test('iops writes in operations 0, 10, 20 … and reads in the other operations, anywhere in the file', async (context) => {
  requireTools('strace')(context);
  const flags = '-q --size 0.001 --threads 1 --iops-duration 0.5 --seed 9'.split(' ');
  const { calls } = await traceGobonnie(
    ['-s', '0', '-e', 'trace=pread64,pwrite64'],
    ['--dir', makeDirectory(), ...flags],
  );
  const operations = calls
    .flatMap((call) => {
      const [, name, offset] = /(pread|pwrite)64\(.*, 512, (\d+)\) += 512$/.exec(call) ?? [];
      return name ? [{ name, offset: Number(offset) }] : [];
    })
    .slice(0, OPERATIONS);
  const expected = Array.from({ length: OPERATIONS }, (_, at) => (at % 10 === 0 ? 'pwrite' : 'pread'));
  expect(operations.map(({ name }) => name)).toEqual(expected);
  const tenths = operations.map(({ offset }) => Math.floor((offset / (16 * BLOCK_BYTES)) * 10));
  expect([...new Set(tenths)].toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});
