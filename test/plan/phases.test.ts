import { describe, expect, test } from 'vitest';
import { resolvePhases } from '../../src/plan/phases.js';
import { phases } from '../../workers/phases/phase-catalogue.js';
import { gobonnieErrorWith, planWith } from '../support/data/fixtures.js';

/** The phases as planned when putc writes all of the data, or a part of it. */
function planned(list: string, byteWiseIsAll = true): readonly string[] {
  return resolvePhases(list.split(','), byteWiseIsAll).map(({ name }) => name);
}

function lacks(phase: string, noun: string, creator: string): Error {
  return gobonnieErrorWith(
    'option-invalid',
    `--phases: ${phase} needs ${noun} from an earlier phase; put ${creator} before it`,
  );
}

test('all phases can be planned in the order of the catalogue', () => {
  const names = phases.map(({ name }) => name);
  for (const byteWiseIsAll of [true, false]) expect(planned(names.join(','), byteWiseIsAll)).toEqual(names);
});

test.each([
  'write',
  'write,iops,read',
  'create,write,delete,read',
  'write,seeks,rewrite,getc',
  'create,create-random,delete-random,stat',
  'create-random,delete-random',
])('%s is planned in the order given', (list) => {
  expect(planned(list)).toEqual(list.split(','));
});

describe('a phase that needs data', () => {
  test.each(['rewrite', 'getc', 'read', 'seeks', 'iops'])('%s alone is refused', (phase) => {
    expect(() => planned(phase)).toThrow(lacks(phase, 'data', 'write'));
  });

  test('is refused before the phase that writes it', () => {
    expect(() => planned('read,write')).toThrow(lacks('read', 'data', 'write'));
  });

  test('is refused when only small files were created', () => {
    expect(() => planned('create,create-random,read')).toThrow(lacks('read', 'data', 'write'));
  });

  test.each(['write', 'putc'])('is accepted after %s', (creator) => {
    for (const phase of ['rewrite', 'getc', 'read', 'seeks', 'iops'])
      expect(planned(`${creator},${phase}`)).toEqual([creator, phase]);
  });
});

describe('putc', () => {
  test('that writes a part of the data is enough for getc, which reads that part', () => {
    expect(planned('putc,getc', false)).toEqual(['putc', 'getc']);
  });

  test.each(['rewrite', 'read', 'seeks', 'iops'])(
    'that writes a part of the data is not enough for %s',
    (phase) => {
      expect(() => planned(`putc,${phase}`, false)).toThrow(lacks(phase, 'data', 'write'));
    },
  );

  test('that writes a part of the data can be followed by a write of all of it', () => {
    expect(planned('putc,write,rewrite', false)).toEqual(['putc', 'write', 'rewrite']);
  });

  test('removes all earlier data, because it creates the files again', () => {
    expect(() => planned('write,putc,read', false)).toThrow(lacks('read', 'data', 'write'));
    expect(planned('write,read,putc,getc', false)).toEqual(['write', 'read', 'putc', 'getc']);
  });

  test.each<[string, boolean]>([
    ['1m', false],
    ['511m', false],
    ['512m', true],
    ['1g', true],
  ])('with --byte-size %s of 512 MiB writes all of it: %s', (byteSize, isAll) => {
    const plan = () => planWith({ size: 0.5, threads: 4, phases: 'putc,rewrite', byteSize });
    if (isAll) expect(plan().phases).toEqual(['putc', 'rewrite']);
    else expect(plan).toThrow(lacks('rewrite', 'data', 'write'));
  });

  test('writes all of it if the slices differ by a block and the longest is written completely', () => {
    // Three blocks for two threads: two blocks each make the whole.
    const size = (3 * 65_536) / 1024 ** 3;
    const planOf = (byteSize: string) => planWith({ size, threads: 2, phases: 'putc,read', byteSize });
    expect(planOf('192k')).toMatchObject({ byteWiseTotalBytes: 3 * 65_536, phases: ['putc', 'read'] });
    expect(() => planOf('128k')).toThrow(lacks('read', 'data', 'write'));
  });
});

describe.each([
  { creator: 'create', user: 'stat', deleter: 'delete' },
  { creator: 'create-random', user: 'stat-random', deleter: 'delete-random' },
])('the small files of $creator', ({ creator, user, deleter }) => {
  test('are required for stat and delete', () => {
    for (const phase of [user, deleter]) {
      expect(() => planned(phase)).toThrow(lacks(phase, 'files', creator));
      expect(() => planned(`write,${phase},${creator}`)).toThrow(lacks(phase, 'files', creator));
      expect(planned(`${creator},${phase}`)).toEqual([creator, phase]);
    }
  });

  test('cannot be used after they were deleted', () => {
    expect(() => planned(`${creator},${deleter},${user}`)).toThrow(lacks(user, 'files', creator));
  });
});

test('sequential and random files do not stand in for each other', () => {
  expect(() => planned('create,stat-random')).toThrow(lacks('stat-random', 'files', 'create-random'));
  expect(() => planned('create-random,delete')).toThrow(lacks('delete', 'files', 'create'));
  expect(() => planned('create,create-random,delete,stat')).toThrow(lacks('stat', 'files', 'create'));
});
