import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { removeFile, retryWhileBusy } from '../../../src/scratch/safe-path/retry.js';
import { hasCode } from '../../../src/system-error.js';
import { makeDirectory } from '../../support/disks/directory.js';

const isNotEmpty = (error: unknown) => hasCode(error, 'ENOTEMPTY');

/** A directory with a file in it, which cannot be removed. */
function heldDirectory() {
  const held = path.join(makeDirectory(), 'held');
  mkdirSync(held);
  writeFileSync(path.join(held, 'file'), '');
  return held;
}

test('what is held for a moment is removed after that', async () => {
  const held = heldDirectory();
  let tries = 0;
  await retryWhileBusy(async () => {
    tries += 1;
    if (tries === 3) rmSync(path.join(held, 'file'));
    await rmdir(held);
  }, isNotEmpty);
  expect(tries).toBe(3);
  expect(existsSync(held)).toBe(false);
});

test('what stays held is given up in the end', async () => {
  const held = heldDirectory();
  await expect(retryWhileBusy(() => rmdir(held), isNotEmpty)).rejects.toMatchObject({ code: 'ENOTEMPTY' });
});

test('other errors are reported at once', async () => {
  let tries = 0;
  const failing = retryWhileBusy(async () => {
    tries += 1;
    await rmdir(path.join(makeDirectory(), 'missing'));
  }, isNotEmpty);
  await expect(failing).rejects.toMatchObject({ code: 'ENOENT' });
  expect(tries).toBe(1);
  await expect(removeFile(path.join(makeDirectory(), 'missing'))).rejects.toMatchObject({ code: 'ENOENT' });
});
