import { writeFileSync } from 'node:fs';
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

test("the seed is the beginning of the content's SHA-256, and valid for --seed", () => {
  // FIPS 180-4's example: ba7816bf 8f01cfea …
  const seed = seedFromFile(writeTemporaryFile('abc'));
  expect(seed).toBe(0xba7816bf8f01);
  expect(validateOptions({ seed }).seed).toBe(seed);
});

test('the seed depends on the last byte of the first MiB, but not on the next byte', () => {
  const zeros = new Uint8Array(1024 ** 2);
  const longer = new Uint8Array(1024 ** 2 + 1).fill(7, 1024 ** 2);
  const changed = zeros.slice().fill(7, 1024 ** 2 - 1);
  expect(seedFromFile(writeTemporaryFile(longer))).toBe(seedFromFile(writeTemporaryFile(zeros)));
  expect(seedFromFile(writeTemporaryFile(changed))).not.toBe(seedFromFile(writeTemporaryFile(zeros)));
});

testOnLinux('an endless device produces another seed each time', () => {
  expect(seedFromFile('/dev/urandom')).not.toBe(seedFromFile('/dev/urandom'));
});

const ENOENT = 'cannot be read: no such file or directory (ENOENT)';

test.each([
  ['', `-Z "" ${ENOENT}`],
  ['/no/such', `-Z /no/such ${ENOENT}`],
  ['no\u001b[31m', `-Z "no\\u001b[31m" ${ENOENT}`],
  ['/', '-Z / cannot be read: illegal operation on a directory (EISDIR)'],
  ['/dev/null', '-Z /dev/null is empty'],
])('%j is rejected: %s', (file, problem) => {
  expect(() => seedFromFile(file)).toThrow(
    gobonnieErrorWith('option-invalid', `${problem}; pass a file of random bytes`),
  );
});
