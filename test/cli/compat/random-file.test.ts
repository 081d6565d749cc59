import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { seedFromFile } from '../../../src/cli/compat/random-file.js';
import { validateOptions } from '../../../src/options/validate-options.js';
import { gobonnieErrorWith } from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { testOnLinux } from '../../support/linux.js';

function fileOf(content: string | Uint8Array): string {
  const file = path.join(makeDirectory(), 'random');
  writeFileSync(file, content);
  return file;
}

test("the seed is the beginning of the content's SHA-256", () => {
  // FIPS 180-4's example: ba7816bf 8f01cfea …
  expect(seedFromFile(fileOf('abc'))).toBe(0xba7816bf8f01);
});

test('two files with the same bytes give the same seed', () => {
  const bytes = Uint8Array.of(0, 1, 2, 255);
  expect(seedFromFile(fileOf(bytes))).toBe(seedFromFile(fileOf(bytes)));
});

test('a different bit or one more byte gives another seed', () => {
  const seeds = [
    [1, 2, 3],
    [1, 2, 2],
    [1, 2, 3, 0],
  ].map((bytes) => seedFromFile(fileOf(Uint8Array.from(bytes))));
  expect(new Set(seeds).size).toBe(3);
});

test('the seed depends on every byte of the first MiB, and on none after it', () => {
  const first = new Uint8Array(1024 ** 2);
  const more = new Uint8Array(1024 ** 2 + 1).fill(7, 1024 ** 2);
  const other = first.slice().fill(7, 1024 ** 2 - 1);
  expect(seedFromFile(fileOf(more))).toBe(seedFromFile(fileOf(first)));
  expect(seedFromFile(fileOf(other))).not.toBe(seedFromFile(fileOf(first)));
});

test('every seed is valid for --seed', () => {
  for (const content of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
    const seed = seedFromFile(fileOf(content));
    expect(validateOptions({ seed }).seed).toBe(seed);
  }
});

testOnLinux('a device without an end is read once, and gives another seed each time', () => {
  expect(seedFromFile('/dev/urandom')).not.toBe(seedFromFile('/dev/urandom'));
});

const NAME_ONE = 'pass a file of random bytes';

test('an empty file is refused', () => {
  const file = fileOf('');
  expect(() => seedFromFile(file)).toThrow(
    gobonnieErrorWith('option-invalid', `-Z ${file} is empty; ${NAME_ONE}`),
  );
});

test('a missing file is refused, and its name escaped', () => {
  const directory = makeDirectory();
  const reason = 'no such file or directory (ENOENT)';
  expect(() => seedFromFile(path.join(directory, 'no'))).toThrow(
    gobonnieErrorWith('option-invalid', `-Z ${directory}/no cannot be read: ${reason}; ${NAME_ONE}`),
  );
  expect(() => seedFromFile('no\u001b[31m')).toThrow(
    gobonnieErrorWith('option-invalid', `-Z "no\\u001b[31m" cannot be read: ${reason}; ${NAME_ONE}`),
  );
  expect(() => seedFromFile('')).toThrow(
    gobonnieErrorWith('option-invalid', `-Z "" cannot be read: ${reason}; ${NAME_ONE}`),
  );
});

test('a directory is refused', () => {
  const directory = path.join(makeDirectory(), 'd');
  mkdirSync(directory);
  expect(() => seedFromFile(directory)).toThrow(
    gobonnieErrorWith(
      'option-invalid',
      `-Z ${directory} cannot be read: illegal operation on a directory (EISDIR); ${NAME_ONE}`,
    ),
  );
});
