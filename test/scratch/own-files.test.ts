import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { removeFile, retryWhileBusy } from '../../src/scratch/own-files.js';
import { hasCode } from '../../src/system-error.js';
import { makeDirectory } from '../support/disks/directory.js';

const isNotEmpty = (error: unknown) => hasCode(error, 'ENOTEMPTY');

/** Makes a directory that cannot be removed, because it has a file in it. */
function makeHeldDirectory() {
  const held = path.join(makeDirectory(), 'held');
  mkdirSync(held);
  writeFileSync(path.join(held, 'file'), '');
  return held;
}

test('retryWhileBusy() retries until the call succeeds', async () => {
  const held = makeHeldDirectory();
  let tries = 0;
  await retryWhileBusy(async () => {
    tries += 1;
    if (tries === 3) rmSync(path.join(held, 'file'));
    await rmdir(held);
  }, isNotEmpty);
  expect(tries).toBe(3);
  expect(existsSync(held)).toBe(false);
});

test('retryWhileBusy() rejects if the error lasts', async () => {
  const held = makeHeldDirectory();
  await expect(retryWhileBusy(() => rmdir(held), isNotEmpty)).rejects.toMatchObject({ code: 'ENOTEMPTY' });
});

test('retryWhileBusy() rejects at once after other errors', async () => {
  let tries = 0;
  const failing = retryWhileBusy(async () => {
    tries += 1;
    await rmdir(path.join(makeDirectory(), 'missing'));
  }, isNotEmpty);
  await expect(failing).rejects.toMatchObject({ code: 'ENOENT' });
  expect(tries).toBe(1);
  await expect(removeFile(path.join(makeDirectory(), 'missing'))).rejects.toMatchObject({ code: 'ENOENT' });
});
