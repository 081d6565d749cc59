import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { seedFromFile } from '../../../src/cli/compat/random-file.js';
import { validateOptions } from '../../../src/options/validate-options.js';
import { gobonnieErrorWith } from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { testOnLinux } from '../../support/linux.js';

function writeTemporaryFile(content: string | Uint8Array): string {
  const file = path.join(makeDirectory(), 'random');
  writeFileSync(file, content);
  return file;
}

test("the seed is the beginning of the content's SHA-256", () => {
  // FIPS 180-4's example: ba7816bf 8f01cfea …
  expect(seedFromFile(writeTemporaryFile('abc'))).toBe(0xba7816bf8f01);
});

test('two files with the same bytes produce the same seed', () => {
  const bytes = Uint8Array.of(0, 1, 2, 255);
  expect(seedFromFile(writeTemporaryFile(bytes))).toBe(seedFromFile(writeTemporaryFile(bytes)));
});

test('a different bit or an extra byte produces another seed', () => {
  const seeds = [
    [1, 2, 3],
    [1, 2, 2],
    [1, 2, 3, 0],
  ].map((bytes) => seedFromFile(writeTemporaryFile(Uint8Array.from(bytes))));
  expect(new Set(seeds).size).toBe(3);
});

test('the seed depends on the last byte of the first MiB, but not on the next byte', () => {
  const zeros = new Uint8Array(1024 ** 2);
  const longer = new Uint8Array(1024 ** 2 + 1).fill(7, 1024 ** 2);
  const changed = zeros.slice().fill(7, 1024 ** 2 - 1);
  expect(seedFromFile(writeTemporaryFile(longer))).toBe(seedFromFile(writeTemporaryFile(zeros)));
  expect(seedFromFile(writeTemporaryFile(changed))).not.toBe(seedFromFile(writeTemporaryFile(zeros)));
});

test('every seed is valid for --seed', () => {
  for (const content of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
    const seed = seedFromFile(writeTemporaryFile(content));
    expect(validateOptions({ seed }).seed).toBe(seed);
  }
});

testOnLinux('an endless device produces another seed each time', () => {
  expect(seedFromFile('/dev/urandom')).not.toBe(seedFromFile('/dev/urandom'));
});

const FILE_HINT = 'pass a file of random bytes';

test('an empty file is rejected', () => {
  const file = writeTemporaryFile('');
  expect(() => seedFromFile(file)).toThrow(
    gobonnieErrorWith('option-invalid', `-Z ${file} is empty; ${FILE_HINT}`),
  );
});

test('a missing file is rejected, and its name is escaped', () => {
  const directory = makeDirectory();
  const reason = 'no such file or directory (ENOENT)';
  expect(() => seedFromFile(path.join(directory, 'no'))).toThrow(
    gobonnieErrorWith('option-invalid', `-Z ${directory}/no cannot be read: ${reason}; ${FILE_HINT}`),
  );
  expect(() => seedFromFile('no\u001b[31m')).toThrow(
    gobonnieErrorWith('option-invalid', `-Z "no\\u001b[31m" cannot be read: ${reason}; ${FILE_HINT}`),
  );
  expect(() => seedFromFile('')).toThrow(
    gobonnieErrorWith('option-invalid', `-Z "" cannot be read: ${reason}; ${FILE_HINT}`),
  );
});

test('a directory is rejected', () => {
  const directory = path.join(makeDirectory(), 'd');
  mkdirSync(directory);
  expect(() => seedFromFile(directory)).toThrow(
    gobonnieErrorWith(
      'option-invalid',
      `-Z ${directory} cannot be read: illegal operation on a directory (EISDIR); ${FILE_HINT}`,
    ),
  );
});
