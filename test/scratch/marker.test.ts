import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { MARKER_NAME, MarkerFile, readMarker } from '../../src/scratch/marker.js';
import { currentOwner } from '../../src/scratch/owner.js';
import { makeDirectory } from '../support/disks/directory.js';

const MANY = 2000;
const BLOCK_BYTES = 4096;

test('a marker remains small and readable after many runs', async () => {
  const root = makeDirectory();
  const empty = { files: 0, trees: [], seed: 0, smallFileRuns: {} };
  const marker = { ...empty, owner: currentOwner(), createdParents: [] };
  const file = new MarkerFile(root, marker);
  await file.write();
  for (let run = 1; run <= MANY; run++) await file.recordSmallFiles('random-tree', run);
  expect(await readMarker(root)).toMatchObject({ ...marker, smallFileRuns: { 'random-tree': MANY } });
  expect(statSync(path.join(root, MARKER_NAME)).size).toBeLessThan(BLOCK_BYTES);
  expect(readdirSync(root)).toEqual([MARKER_NAME]);
});
