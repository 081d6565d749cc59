import { readFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { type OptionsInput, run } from 'gobonnie';
import { beforeEach, describe, expect, test } from 'vitest';
import { findScratch, makeDirectory } from '../support/disks/directory.js';
import { SMALL_OPTIONS } from '../support/programs/small-run.js';
import { traceGobonnie } from '../support/programs/trace.js';
import { requireTools } from '../support/tools.js';

const BLOCK_BYTES = 65_536;

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

test('the same seed writes the same bytes, and another seed writes different bytes', async () => {
  const first = await writeFiles({ seed: 42 });
  const same = await writeFiles({ seed: 42 });
  const other = await writeFiles({ seed: 43 });
  expect(first.map((file) => file.length)).toEqual([82, 81].map((blocks) => blocks * BLOCK_BYTES));
  expect(first.every((file, at) => file.equals(same[at] ?? Buffer.alloc(0)))).toBe(true);
  expect(first.some((file, at) => file.equals(other[at] ?? Buffer.alloc(0)))).toBe(false);
});

test('without a seed two runs write different bytes', async () => {
  const [first] = await writeFiles({});
  const [second] = await writeFiles({});
  expect(first?.equals(second ?? Buffer.alloc(0))).toBe(false);
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

describe('the random operations', () => {
  beforeEach(requireTools('strace'));

  const COUNT = 200;

  async function traceOperations(seed: string): Promise<readonly string[]> {
    const { calls } = await traceGobonnie(
      ['-s', '0', '-e', 'trace=pread64,pwrite64'],
      [
        '-q',
        '--dir',
        makeDirectory(),
        '--size',
        '0.001',
        '--threads',
        '1',
        '--iops-duration',
        '0.5',
        '--seed',
        seed,
      ],
    );
    return calls
      .flatMap((call) => {
        const [, name, offset] = /(pread|pwrite)64\(.*, 512, (\d+)\) += 512$/.exec(call) ?? [];
        return name && offset ? [`${name} ${offset}`] : [];
      })
      .slice(0, COUNT);
  }

  test('iops writes in operations 0, 10, 20 … and reads in the other operations, anywhere in the file', async () => {
    const done = await traceOperations('9');
    const names = done.map((operation) => operation.split(' ')[0]);
    expect(names).toEqual(Array.from({ length: COUNT }, (_, at) => (at % 10 === 0 ? 'pwrite' : 'pread')));
    const offsets = done.map((operation) => Number(operation.split(' ')[1]));
    const tenths = new Set(offsets.map((offset) => Math.floor((offset / (16 * BLOCK_BYTES)) * 10)));
    expect([...tenths].toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});
