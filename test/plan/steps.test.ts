import { describe, expect, test } from 'vitest';
import { rejectPhasesWithoutFiles } from '../../src/plan/steps.js';
import { getPhase } from '../../workers/phases/phase-catalogue.js';
import { gobonnieErrorWith, planWith } from '../support/data/fixtures.js';

/** Checks the phases; putc writes all of the data, or a part of it. */
function checkPhases(list: string, byteWiseCoversAll = true): void {
  rejectPhasesWithoutFiles(list.split(',').map(getPhase), byteWiseCoversAll);
}

function missingError(phase: string, noun: string, creator: string): Error {
  return gobonnieErrorWith(
    'option-invalid',
    `--phases: ${phase} needs ${noun} from an earlier phase; put ${creator} before it`,
  );
}

test.each([
  'write',
  'create,write,delete,read',
  'write,seeks,rewrite,getc',
  'create,create-random,delete-random,stat',
  'create-random,delete-random',
])('%s is accepted', (list) => {
  expect(() => checkPhases(list)).not.toThrow();
});

describe('a phase that needs data', () => {
  test.each(['rewrite', 'getc', 'read', 'seeks', 'iops'])('is rejected without other phases: %s', (phase) => {
    expect(() => checkPhases(phase)).toThrow(missingError(phase, 'data', 'write'));
  });

  test.each(['write', 'putc'])('is accepted after %s', (creator) => {
    for (const phase of ['rewrite', 'getc', 'read', 'seeks', 'iops'])
      expect(() => checkPhases(`${creator},${phase}`)).not.toThrow();
  });
});

describe('putc', () => {
  test('that writes a part of the data is sufficient for getc, which reads that part', () => {
    expect(() => checkPhases('putc,getc', false)).not.toThrow();
  });

  test.each(['rewrite', 'read', 'seeks', 'iops'])(
    'that writes a part of the data is not sufficient for %s',
    (phase) => {
      expect(() => checkPhases(`putc,${phase}`, false)).toThrow(missingError(phase, 'data', 'write'));
    },
  );

  test('removes all earlier data, because it creates the files again', () => {
    expect(() => checkPhases('write,putc,read', false)).toThrow(missingError('read', 'data', 'write'));
    expect(() => checkPhases('write,read,putc,getc', false)).not.toThrow();
  });

  test.each<[string, boolean]>([
    ['1m', false],
    ['512m', true],
  ])('with --byte-size %s writes all of 512 MiB: %s', (byteSize, isAll) => {
    const plan = () => planWith({ size: 0.5, threads: 4, phases: 'putc,rewrite', byteSize });
    if (isAll) expect(plan().steps.map(({ name }) => name)).toEqual(['putc', 'rewrite']);
    else expect(plan).toThrow(missingError('rewrite', 'data', 'write'));
  });
});

describe.each([
  { creator: 'create', user: 'stat', deleter: 'delete' },
  { creator: 'create-random', user: 'stat-random', deleter: 'delete-random' },
])('the small files of $creator', ({ creator, user, deleter }) => {
  test('are required for stat and delete', () => {
    for (const phase of [user, deleter]) {
      expect(() => checkPhases(phase)).toThrow(missingError(phase, 'files', creator));
      expect(() => checkPhases(`write,${phase},${creator}`)).toThrow(missingError(phase, 'files', creator));
      expect(() => checkPhases(`${creator},${phase}`)).not.toThrow();
    }
  });

  test('cannot be used after a phase that deletes them', () => {
    expect(() => checkPhases(`${creator},${deleter},${user}`)).toThrow(missingError(user, 'files', creator));
  });
});
