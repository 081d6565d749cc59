import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { EMPTY, MARKER_NAME, readMarker } from '../../src/scratch/marker.js';
import { MarkerFile } from '../../src/scratch/marker-file.js';
import { ownOwner } from '../../src/scratch/owner.js';
import { makeDirectory } from '../support/directory.js';

const MANY = 2000;
const BLOCK_BYTES = 4096;

test('however many runs are noted in it, it is read again, and no larger than what it says', async () => {
  const root = makeDirectory();
  const marker = { ...EMPTY, owner: ownOwner(), madeParents: [] };
  const file = await MarkerFile.make(root, marker);
  for (let run = 1; run <= MANY; run++) await file.notePlanted('random-tree', run);
  expect(await readMarker(root)).toMatchObject({ ...marker, planted: { 'random-tree': MANY } });
  expect(statSync(path.join(root, MARKER_NAME)).size).toBeLessThan(BLOCK_BYTES);
  expect(readdirSync(root)).toEqual([MARKER_NAME]);
});

test('one is only ever made where nothing is called so', async () => {
  const root = makeDirectory();
  const theirs = { ...EMPTY, owner: ownOwner(), madeParents: [] };
  await MarkerFile.make(root, theirs);
  await expect(MarkerFile.make(root, { ...theirs, seed: 1 })).rejects.toThrow('EEXIST');
  expect(await readMarker(root)).toMatchObject(theirs);
});
