import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { seedFromFile } from '../../../src/cli/compat/random-file.js';
import { validateOptions } from '../../../src/options/validate-options.js';
import { gobonnieErrorWith } from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';

test("the seed is the beginning of the content's SHA-256, and valid for --seed", () => {
  const file = path.join(makeDirectory(), 'random');
  writeFileSync(file, 'abc');
  // FIPS 180-4's example: ba7816bf 8f01cfea …
  const seed = seedFromFile(file);
  expect(seed).toBe(0xba7816bf8f01);
  expect(validateOptions({ seed }).seed).toBe(seed);
});

test.each([
  ['/no/such', '-Z /no/such cannot be read: no such file or directory (ENOENT)'],
  ['/', '-Z / cannot be read: illegal operation on a directory (EISDIR)'],
  ['/dev/null', '-Z /dev/null is empty'],
])('%j is rejected: %s', (file, problem) => {
  expect(() => seedFromFile(file)).toThrow(
    gobonnieErrorWith('option-invalid', `${problem}; pass a file of random bytes`),
  );
});
