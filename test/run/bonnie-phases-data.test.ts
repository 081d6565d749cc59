import { closeSync, openSync, readFileSync, readSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { OptionsInput, Report } from 'gobonnie';
import { describe, expect, test } from 'vitest';
import { BLOCK_BYTES, BLOCKS, findMeasurement, runPhases, SEEKS } from '../support/data/all-phases.js';
import { makeDirectory } from '../support/disks/directory.js';

const WORD_BYTES = 4;

/** Returns the content of the first file at the end of each phase. */
async function readContents(options: OptionsInput): Promise<Readonly<Record<string, Buffer>>> {
  const seen: Record<string, Buffer> = {};
  const report = await runPhases({ dir: makeDirectory(), cache: 'keep', ...options }, (phase, scratch) => {
    seen[phase] = readFileSync(path.join(scratch, 'bonnie.0'));
  });
  expect(report.outcome).toEqual({ state: 'completed' });
  return seen;
}

/** Returns the offsets at which two contents differ. */
function findChanges(before: Buffer = Buffer.of(), after: Buffer = Buffer.of()): readonly number[] {
  expect(after.length).toBe(before.length);
  const changes: number[] = [];
  for (let at = 0; at < after.length; at++) if (after[at] !== before[at]) changes.push(at);
  return changes;
}

function flip(file: string, offset: number): void {
  const fd = openSync(file, 'r+');
  const byte = new Uint8Array(1);
  readSync(fd, byte, 0, 1, offset);
  writeSync(fd, Uint8Array.of(~(byte[0] ?? 0)), 0, 1, offset);
  closeSync(fd);
}

describe('putc and getc', () => {
  test.each<OptionsInput>([{}, { unique: true }])(
    'putc writes the same bytes as write with %j',
    async (facts) => {
      const size = (3 * BLOCK_BYTES) / 1024 ** 3;
      const seen = await readContents({ size, threads: 1, phases: 'putc,getc,write', ...facts });
      expect(seen.putc?.length).toBe(3 * BLOCK_BYTES);
      expect(findChanges(seen.putc, seen.write)).toEqual([]);
    },
  );

  test.each([
    ['1', 1, 2],
    ['129k', 2, 4],
    ['1g', BLOCKS, BLOCKS],
  ])(
    'with --byte-size %s they move at most %i blocks of each thread, and %i blocks in all',
    async (byteSize, each, all) => {
      const sizes: number[] = [];
      const options = { dir: makeDirectory(), phases: 'putc,getc', byteSize };
      const report = await runPhases(options, (phase, scratch) => {
        if (phase === 'putc')
          for (const file of ['bonnie.0', 'bonnie.1']) sizes.push(statSync(path.join(scratch, file)).size);
      });
      expect(findMeasurement(report, 'putc').writtenBytes).toBe(all * BLOCK_BYTES);
      expect(findMeasurement(report, 'getc').readBytes).toBe(all * BLOCK_BYTES);
      expect(report.options.perByteBytes).toBe(all * BLOCK_BYTES);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(each * BLOCK_BYTES);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(all * BLOCK_BYTES);
    },
  );
});

test('rewrite changes one value in each block, each time at another offset', async () => {
  const seen = await readContents({ threads: 1, phases: 'write,rewrite' });
  const changes = findChanges(seen.write, seen.rewrite);
  const words = [...new Set(changes.map((at) => Math.floor(at / WORD_BYTES) * WORD_BYTES))];
  expect(words.map((at) => Math.floor(at / BLOCK_BYTES))).toEqual(
    Array.from({ length: BLOCKS }, (_, at) => at),
  );
  expect(new Set(words.map((at) => at % BLOCK_BYTES)).size).toBe(BLOCKS);
});

describe('seeks', () => {
  test.each<[string, OptionsInput, number]>([
    ['the threads', { threads: 2 }, 2],
    ['more seekers than threads', { threads: 1, seekThreads: 3 }, 3],
    ['fewer seekers than threads', { threads: 3, seekThreads: 1 }, 1],
  ])('%s share exactly --seeks seeks, and one seek in ten writes', async (_, options, team) => {
    const dir = makeDirectory();
    const report = await runPhases({ dir, phases: 'write,seeks', cache: 'keep', ...options });
    expect(report.outcome).toEqual({ state: 'completed' });
    const { operations, readBytes, writtenBytes, threads, series } = findMeasurement(report, 'seeks');
    expect(operations).toBe(SEEKS);
    expect(readBytes).toBe(SEEKS * BLOCK_BYTES);
    expect(writtenBytes).toBe((SEEKS / 10) * BLOCK_BYTES);
    expect(threads).toBe(team);
    expect(series.operations.at(-1)).toBe(SEEKS);
  });

  test.each([1, 9, 10, 11])('--seeks %i makes exactly that many seeks', async (seeks) => {
    const report = await runPhases({ dir: makeDirectory(), phases: 'write,seeks', seeks, cache: 'keep' });
    expect(findMeasurement(report, 'seeks')).toMatchObject({
      operations: seeks,
      writtenBytes: Math.ceil(seeks / 10) * BLOCK_BYTES,
    });
  });

  test('seeks change one value in each block that they write back, and nothing else', async () => {
    const seen = await readContents({ threads: 1, phases: 'write,seeks' });
    const changes = findChanges(seen.write, seen.seeks);
    expect(changes.length).toBeGreaterThan(0);
    expect(new Set(changes.map((at) => Math.floor(at / WORD_BYTES))).size).toBeLessThanOrEqual(SEEKS / 10);
  });
});

test.each<[string, OptionsInput]>([
  ['write,iops,read', {}],
  ['write,rewrite,read', {}],
  ['write,seeks,read', {}],
  ['write,rewrite,seeks,iops,getc,read', { unique: true }],
  ['putc,rewrite,seeks,iops,getc,read', { verify: true }],
  ['write,write-new,overwrite,rewrite,seeks,iops,read', { verify: true, dataFiles: 2, runs: 2 }],
  // The seek threads change the data of other threads.
  ['write,seeks,read', { threads: 4, seekThreads: 1, seeks: 3000 }],
  ['write,seeks,getc,write-new,read', { seekThreads: 2, seeks: 3000, verify: true, oneFile: true }],
])('gobonnie does not report its own changes as corruption in %s with %j', async (phases, options) => {
  const report = await runPhases({ dir: makeDirectory(), phases, ...options });
  expect(report.outcome).toEqual({ state: 'completed' });
});

/** Outside of the stamps, in the last block of the first file, which only --verify checks. */
const OFFSET = (BLOCKS - 1) * BLOCK_BYTES + 333;

async function runWithDamage(phases: string, after: string, options: OptionsInput = {}): Promise<Report> {
  return runPhases({ dir: makeDirectory(), threads: 1, phases, ...options }, (phase, scratch) => {
    if (phase === after) flip(path.join(scratch, 'bonnie.0'), OFFSET);
  });
}

test.each([
  ['write,rewrite,seeks,read', 'write', 'rewrite'],
  ['write,rewrite,seeks,read', 'seeks', 'read'],
  ['write,rewrite,seeks,getc', 'seeks', 'getc'],
  ['write,rewrite,seeks,read', 'rewrite', 'seeks'],
])(
  'in a run of %s, a byte that another program changes after %s makes %s fail with --verify',
  async (phases, after, finder) => {
    // This many seeks reach every block.
    const report = await runWithDamage(phases, after, { verify: true, seeks: 3000 });
    expect(report.outcome).toMatchObject({
      state: 'failed',
      code: 'data-corrupt',
      message: expect.stringMatching(
        new RegExp(
          `^${finder} failed in .*/bonnie\\.0 at offset ${OFFSET}: data mismatch: the data read back differs from what was written`,
        ),
      ),
    });
    expect(report.runs[0]?.measurements.map(({ phase }) => phase)).not.toContain(finder);
  },
);

test.each(['rewrite', 'seeks', 'iops'])('%s changes every data file', async (phase) => {
  const seen: Record<string, readonly Buffer[]> = {};
  const options = {
    dir: makeDirectory(),
    phases: `write,${phase}`,
    dataFiles: 2,
    // One seeker, because with several seekers one might get no seeks.
    seekThreads: 1,
    seeks: 2000,
    iopsDuration: 2,
  };
  await runPhases({ ...options, cache: 'keep' }, (ended, scratch) => {
    seen[ended] = [0, 1, 2, 3].map((at) => readFileSync(path.join(scratch, `bonnie.${at}`)));
  });
  const isChanged = seen.write?.map((before, at) => !before.equals(seen[phase]?.[at] ?? before));
  expect(isChanged).toEqual([true, true, true, true]);
});
