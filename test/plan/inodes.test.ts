import { expect, test } from 'vitest';
import { planWith } from '../support/fixtures.js';

const FILES = 1000;
const TREES = { phases: 'create,delete,create-random,delete-random', files: FILES, threads: 2 };

function planWithInodes(options: object, available: number, total = 1000 * FILES) {
  return planWith(options, { target: { inodes: { total, available } } });
}

/** How many inodes a plan needs, found out by what is refused. */
function neededBy(options: object): number {
  const message = messageOf(() => planWithInodes(options, 0));
  return Number(/this makes (\d+) files in/.exec(message)?.[1]);
}

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

test('the scratch directory, its marker and a file for each thread need an inode each', () => {
  expect(neededBy({ threads: 4 })).toBe(6);
  expect(neededBy({ threads: 4, oneFile: true })).toBe(3);
});

test('small files are counted as often as they are there at once', () => {
  expect(neededBy(TREES)).toBe(2 + 2 + FILES);
  expect(neededBy({ ...TREES, phases: 'create,create-random,delete,delete-random' })).toBe(
    2 + 2 * (2 + FILES),
  );
  expect(neededBy({ ...TREES, directories: 3 })).toBe(2 + 2 * 4 + FILES);
});

test('hard links are names of one file, and symlinks files of their own', () => {
  expect(neededBy({ ...TREES, fileKind: 'hard-links' })).toBe(2 + 2 * 2);
  expect(neededBy({ ...TREES, fileKind: 'symlinks' })).toBe(2 + 2 * 2 + FILES);
});

test('some stay free', () => {
  const needed = neededBy(TREES);
  expect(messageOf(() => planWithInodes(TREES, needed + 10_000))).toBe('');
  expect(messageOf(() => planWithInodes(TREES, needed + 9999))).toContain(
    'which has 11003 inodes free, of which 10000 stay free',
  );
  expect(messageOf(() => planWithInodes(TREES, needed + 100, 2000))).toBe('');
});

test('a filesystem that makes as many as it needs refuses none', () => {
  expect(messageOf(() => planWith(TREES, { target: { inodes: null } }))).toBe('');
});
