import { describe, expect, test } from 'vitest';
import { slicesOfTeam } from '../../src/plan/slices.js';
import { phaseNamed } from '../../workers/phases/catalogue.js';
import { planWith, refusal } from '../support/fixtures.js';

const BLOCK_BYTES = 65_536;

/** The size in GiB of so many blocks. */
function sizeOf(blocks: number): number {
  return (blocks * BLOCK_BYTES) / 1024 ** 3;
}

/** The files of each worker in the one phase after the write. */
function filesOfTeam(phase: string, options: object): readonly (readonly string[])[] {
  const { teams } = planWith({ size: sizeOf(12), phases: `write,${phase}`, ...options });
  return teams[1]?.map((slices) => slices.map(({ file }) => file)) ?? [];
}

describe('volumes', () => {
  test('are files of their own for each thread, in a row', () => {
    const { slices } = planWith({ size: sizeOf(12), threads: 2, volumes: 3 });
    expect(slices).toEqual(
      [0, 1, 2, 3, 4, 5].map((index) => ({
        index,
        file: `bonnie.${index}`,
        offsetBytes: 0,
        lengthBytes: 2 * BLOCK_BYTES,
      })),
    );
  });

  test('make up the total in whole blocks, no two more than a block apart', () => {
    const { slices, totalBytes } = planWith({ size: sizeOf(100), threads: 3, volumes: 7 });
    const lengths = slices.map(({ lengthBytes }) => lengthBytes / BLOCK_BYTES);
    expect(lengths).toHaveLength(21);
    expect(totalBytes).toBe(100 * BLOCK_BYTES);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(100);
    expect(new Set(lengths)).toEqual(new Set([4, 5]));
  });

  test('and one file for all exclude each other', () => {
    expect(() => planWith({ size: 1, volumes: 3, oneFile: true })).toThrow(
      refusal('option-invalid', '--one-file and --volumes 3 exclude each other; leave one out'),
    );
    expect(planWith({ size: 1, threads: 2, volumes: 1, oneFile: true }).slices).toHaveLength(2);
  });

  test('need a block each', () => {
    expect(planWith({ size: sizeOf(6), threads: 2, volumes: 3 }).slices).toHaveLength(6);
    expect(() => planWith({ size: 0.0003, threads: 2, volumes: 3 })).toThrow(
      refusal(
        'size-too-small',
        '--size 0.0003 is less than one block of 64 KiB for each of 2 threads and 3 volumes; ' +
          'pass for example --size 0.01, or fewer --threads',
      ),
    );
  });

  test('the size that a refusal names for them is accepted', () => {
    expect(planWith({ size: 0.01, threads: 2, volumes: 3 }).slices).toHaveLength(6);
  });
});

describe('the team', () => {
  test.each(['write', 'rewrite', 'read', 'seeks', 'iops', 'putc', 'getc'])(
    'of %s is every thread with its own volumes',
    (phase) => {
      const options = { phases: phase === 'write' ? 'write' : `write,${phase}`, threads: 2, volumes: 3 };
      const { teams } = planWith({ size: sizeOf(12), ...options });
      expect(teams.at(-1)?.map((slices) => slices.map(({ file }) => file))).toEqual([
        ['bonnie.0', 'bonnie.1', 'bonnie.2'],
        ['bonnie.3', 'bonnie.4', 'bonnie.5'],
      ]);
    },
  );

  test.each([1, 2, 5])('of seeks with %i seekers is so many, each with all of the data', (seekers) => {
    const all = ['bonnie.0', 'bonnie.1', 'bonnie.2', 'bonnie.3'];
    expect(filesOfTeam('seeks', { threads: 2, volumes: 2, seekers })).toEqual(
      Array.from({ length: seekers }, () => all),
    );
  });

  test('of all others stays the threads, however many seek', () => {
    expect(filesOfTeam('read', { threads: 2, seekers: 5 })).toEqual([['bonnie.0'], ['bonnie.1']]);
  });

  test('of what works on files has no data, but every thread', () => {
    const { slices } = planWith({ size: sizeOf(12), threads: 3 });
    for (const name of ['create', 'stat', 'delete', 'create-random', 'stat-random', 'delete-random'])
      expect(slicesOfTeam(phaseNamed(name), slices, 3, { seekers: 7, volumes: 1 })).toEqual([[], [], []]);
  });
});

describe('the workers', () => {
  test.each([
    [{ threads: 2 }, 2],
    [{ threads: 2, seekers: 5 }, 5],
    [{ threads: 5, seekers: 2 }, 5],
    [{ threads: 5, seekers: 2, phases: 'create' }, 5],
    // Seekers without seeks are nobody.
    [{ threads: 2, seekers: 5, phases: 'write,read' }, 2],
  ])('of %j are %i', (options, workers) => {
    const plan = planWith({ size: sizeOf(12), phases: 'write,seeks', ...options });
    expect(plan.workers).toBe(workers);
    expect(plan.threads).toBe(options.threads);
  });

  test('have memory for each of them', () => {
    const totalOf = (seekers: number) =>
      planWith({ size: sizeOf(12), threads: 2, phases: 'write,seeks', seekers }).ioMemory.totalBytes;
    expect(totalOf(7) - totalOf(2)).toBe(5 * BLOCK_BYTES);
  });
});

test('without a phase that works on data there is none, whatever --size says', () => {
  const plan = planWith({ size: 100_000, threads: 2, phases: 'create,delete' });
  expect(plan).toMatchObject({ totalBytes: 0, byteWiseTotalBytes: 0, slices: [], warnings: [] });
});

describe('what putc and getc move', () => {
  test.each([
    [undefined, 12],
    ['1g', 12],
    ['768k', 12],
    ['1', 2],
    ['128k', 2],
    ['129k', 4],
  ])('with --byte-size %s of 12 blocks of two threads: %i blocks', (byteSize, blocks) => {
    const plan = planWith({ size: sizeOf(12), threads: 2, phases: 'putc', byteSize });
    expect(plan.byteWiseTotalBytes).toBe(blocks * BLOCK_BYTES);
    expect(plan.manner.byteWiseBytes).toBe((blocks / 2) * BLOCK_BYTES);
  });
});
