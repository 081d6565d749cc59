import { closeSync, openSync, readFileSync, readSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { OptionsInput, Report } from 'gobonnie';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  ALL_PHASES_FLAGS,
  BLOCK_BYTES,
  BLOCKS,
  findMeasurement,
  runPhases,
  SEEKS,
} from '../support/data/all-phases.js';
import { makeDirectory } from '../support/disks/directory.js';
import { traceGobonnie } from '../support/programs/trace.js';
import { requireTools } from '../support/tools.js';

const DATA_BYTES = BLOCKS * BLOCK_BYTES;
const WORD_BYTES = 4;

/** Returns the content of the files at the end of each phase. */
async function readContents(options: OptionsInput, files = 1): Promise<Readonly<Record<string, Buffer>>> {
  const seen: Record<string, Buffer> = {};
  const report = await runPhases({ dir: makeDirectory(), ...options }, (phase, scratch) => {
    const parts = Array.from({ length: files }, (_, at) => readFileSync(path.join(scratch, `bonnie.${at}`)));
    seen[phase] = Buffer.concat(parts);
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
  test.each<[OptionsInput['byteMode'], string, OptionsInput]>([
    ['locked', 'write', {}],
    ['unlocked', 'write', {}],
    ['syscall', 'write', {}],
    ['locked', 'write', { unique: true }],
  ])('putc with --byte-mode %s writes the same bytes as %s with %j', async (byteMode, _, facts) => {
    const size = (3 * BLOCK_BYTES) / 1024 ** 3;
    const seen = await readContents({ size, threads: 1, phases: 'putc,getc,write', byteMode, ...facts });
    expect(seen.putc?.length).toBe(3 * BLOCK_BYTES);
    expect(findChanges(seen.putc, seen.write)).toEqual([]);
  });

  test.each([
    ['128k', 1, 2],
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

  describe('in system calls', () => {
    beforeEach(requireTools('strace'));

    /** Returns the lengths of the writes and reads of the data. */
    async function traceLengths(byteMode: string): Promise<readonly (readonly number[])[]> {
      const flags = ['--phases', 'putc,getc', '--byte-size', '1', '--block-size', '8k', '--threads', '1'];
      const { calls } = await traceGobonnie(
        ['-y', '-s', '0', '-e', 'trace=pwrite64,pread64'],
        ['-q', '--dir', makeDirectory(), ...ALL_PHASES_FLAGS, ...flags, '--byte-mode', byteMode],
      );
      const lengths = (name: string) =>
        calls.flatMap((call) =>
          call.includes(name) && call.includes('/bonnie.0>') ? [Number(/= (\d+)$/.exec(call)?.[1])] : [],
        );
      return [lengths('pwrite64'), lengths('pread64')];
    }

    test.each(['locked', 'unlocked'])(
      'they move 4096 bytes at a time with --byte-mode %s',
      async (byteMode) => {
        expect(await traceLengths(byteMode)).toEqual([
          [4096, 4096],
          [4096, 4096],
        ]);
      },
    );

    test('they move one byte at a time with --byte-mode syscall', async () => {
      const [writes = [], reads = []] = await traceLengths('syscall');
      expect([writes.length, reads.length]).toEqual([8192, 8192]);
      expect([...writes, ...reads].filter((length) => length !== 1)).toEqual([]);
    });
  });
});

describe('rewrite', () => {
  test('rewrite changes one value in each block, each time at another offset', async () => {
    const seen = await readContents({ threads: 1, phases: 'write,rewrite' });
    const changes = findChanges(seen.write, seen.rewrite);
    const words = [...new Set(changes.map((at) => Math.floor(at / WORD_BYTES) * WORD_BYTES))];
    expect(words.map((at) => Math.floor(at / BLOCK_BYTES))).toEqual(
      Array.from({ length: BLOCKS }, (_, at) => at),
    );
    expect(new Set(words.map((at) => at % BLOCK_BYTES)).size).toBe(BLOCKS);
  });
});

describe('seeks', () => {
  test.each<[string, OptionsInput, number]>([
    ['the threads', { threads: 2 }, 2],
    ['more seekers than threads', { threads: 1, seekThreads: 3 }, 3],
    ['fewer seekers than threads', { threads: 3, seekThreads: 1 }, 1],
  ])('%s share exactly --seeks seeks, and one seek in ten writes', async (_, options, team) => {
    const report = await runPhases({ dir: makeDirectory(), phases: 'write,seeks', ...options });
    expect(report.outcome).toEqual({ state: 'completed' });
    const { operations, readBytes, writtenBytes, threads, series } = findMeasurement(report, 'seeks');
    expect(operations).toBe(SEEKS);
    expect(readBytes).toBe(SEEKS * BLOCK_BYTES);
    expect(writtenBytes).toBe((SEEKS / 10) * BLOCK_BYTES);
    expect(threads).toBe(team);
    expect(series.operations.at(-1)).toBe(SEEKS);
  });

  test.each([1, 9, 10, 11])('--seeks %i makes exactly that many seeks', async (seeks) => {
    const report = await runPhases({ dir: makeDirectory(), phases: 'write,seeks', seeks });
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

  test('a single seeker seeks in the data of all threads', async () => {
    const seen = await readContents({ threads: 2, seekThreads: 1, phases: 'write,seeks', seeks: 1000 }, 2);
    const blocks = findChanges(seen.write, seen.seeks).map((at) => Math.floor(at / BLOCK_BYTES));
    expect(blocks.filter((block) => block < BLOCKS / 2).length).toBeGreaterThan(20);
    expect(blocks.filter((block) => block > BLOCKS / 2).length).toBeGreaterThan(20);
  });

  describe('in system calls', () => {
    beforeEach(requireTools('strace'));

    async function traceOperations(seed: string): Promise<readonly string[]> {
      const flags = ['--phases', 'write,seeks', '--threads', '1', '--seed', seed];
      const { calls } = await traceGobonnie(
        ['-y', '-s', '0', '-e', 'trace=pwrite64,pread64'],
        ['-q', '--dir', makeDirectory(), ...ALL_PHASES_FLAGS, ...flags],
      );
      return calls
        .flatMap((call) => {
          const [, name, offset] =
            /(pread|pwrite)64\(\d+<.*bonnie\.0>, .*, 65536, (\d+)\) += 65536$/.exec(call) ?? [];
          return name && offset ? [`${name} ${offset}`] : [];
        })
        .slice(BLOCKS);
    }

    test('each seek reads a whole block, and seeks 0, 10, 20 … write it back', async () => {
      const operations = await traceOperations('3');
      expect(operations).toHaveLength(SEEKS + SEEKS / 10);
      const reads = operations.flatMap(
        (operation) => /^pread (\d+)$/.exec(operation)?.slice(1).map(Number) ?? [],
      );
      expect(reads.filter((offset) => offset % BLOCK_BYTES !== 0)).toEqual([]);
      expect(Math.max(...reads)).toBeLessThan(DATA_BYTES);
      expect(new Set(reads).size).toBeGreaterThan(BLOCKS / 2);
      expect(operations).toEqual(
        reads.flatMap((offset, at) =>
          at % 10 === 0 ? [`pread ${offset}`, `pwrite ${offset}`] : [`pread ${offset}`],
        ),
      );
    });

    test('seeks visit the same offsets with the same seed, and different offsets with another seed', async () => {
      const first = await traceOperations('3');
      const same = await traceOperations('3');
      const other = await traceOperations('4');
      expect(same).toEqual(first);
      expect(other).not.toEqual(first);
    });
  });
});

describe('gobonnie does not report its own changes as corruption', () => {
  test.each<[string, OptionsInput]>([
    ['write,iops,read', {}],
    ['write,rewrite,read', {}],
    ['write,rewrite,getc', {}],
    ['write,seeks,read', {}],
    ['write,rewrite,seeks,iops,getc,read', { unique: true }],
    ['write,rewrite,seeks,read', { verify: true }],
    ['putc,rewrite,seeks,iops,getc,read', { verify: true }],
    ['write,rewrite,seeks,iops,read', { verify: true, dataFiles: 2, runs: 2 }],
    ['write,rewrite,seeks,iops,read', { verify: true, oneFile: true }],
  ])('in %s with %j', async (phases, options) => {
    const report = await runPhases({ dir: makeDirectory(), phases, ...options });
    expect(report.outcome).toEqual({ state: 'completed' });
  });

  test.each<[string, OptionsInput]>([
    ['write,seeks,read', { threads: 4, seekThreads: 1 }],
    ['write,seeks,getc', { threads: 4, seekThreads: 2, unique: true }],
    ['write,seeks', { seekThreads: 3, verify: true }],
    ['write,seeks,read', { seekThreads: 2, verify: true, oneFile: true }],
  ])('by seekers that change the data of other threads, in %s with %j', async (phases, options) => {
    const report = await runPhases({ dir: makeDirectory(), phases, seeks: 3000, ...options });
    expect(report.outcome).toEqual({ state: 'completed' });
  });
});

describe('a byte that another program changes', () => {
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
    ['putc,getc', 'putc', 'getc'],
  ])('in a run of %s, damage after %s makes %s fail with --verify', async (phases, after, finder) => {
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
  });

  test('damage in a compared block is found without --verify if no phase has changed the data before', async () => {
    const dir = makeDirectory();
    const report = await runPhases({ dir, threads: 1, phases: 'write,rewrite' }, (phase, scratch) => {
      if (phase === 'write') flip(path.join(scratch, 'bonnie.0'), 333);
    });
    expect(report.outcome).toMatchObject({ code: 'data-corrupt' });
  });
});

describe('data files', () => {
  test('with --unique no two sectors of the data files are alike', async () => {
    const files: Buffer[] = [];
    await runPhases({ dir: makeDirectory(), phases: 'write', unique: true, dataFiles: 2 }, (_, scratch) => {
      for (const at of [0, 1, 2, 3]) files.push(readFileSync(path.join(scratch, `bonnie.${at}`)));
    });
    const sectors = files.flatMap((file) =>
      Array.from({ length: file.length / 512 }, (_, at) => file.toString('latin1', at * 512, at * 512 + 512)),
    );
    expect(new Set(sectors).size).toBe(sectors.length);
  });

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
    await runPhases(options, (ended, scratch) => {
      seen[ended] = [0, 1, 2, 3].map((at) => readFileSync(path.join(scratch, `bonnie.${at}`)));
    });
    const isChanged = seen.write?.map((before, at) => !before.equals(seen[phase]?.[at] ?? before));
    expect(isChanged).toEqual([true, true, true, true]);
  });
});
