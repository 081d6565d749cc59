import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { inspectMachine } from '../../src/machine/machine.js';
import { claimsOn } from '../../src/scratch/claims.js';
import { MARKER_NAME } from '../../src/scratch/marker.js';
import { currentOwner } from '../../src/scratch/owner.js';
import { findScratch } from '../support/disks/directory.js';
import { mountTmpfs } from '../support/disks/mounts.js';
import { killWithWatcher, startLongRun } from '../support/programs/leftover.js';
import { startProcess } from '../support/programs/program.js';
import { NOBODY, requireTools } from '../support/tools.js';

beforeEach(requireTools('/proc/self/io', 'root'));

/** Returns the claims on a directory's filesystem. */
async function readClaims(directory: string) {
  return claimsOn((await inspectMachine(directory)).target);
}

/** Unwritten bytes of a run that has written all its data and has two trees of 50 small files. */
const SMALL_FILES_BYTES = 2 * 50 * 4096;

test('a run in another directory of the filesystem claims the space that it has not written yet', async () => {
  const ground = mountTmpfs('size=64m');
  const one = path.join(ground, 'one');
  const other = path.join(ground, 'other');
  for (const directory of [one, other]) mkdirSync(directory);
  await startLongRun(one);
  const [claim, ...others] = await readClaims(other);
  expect(others).toEqual([]);
  expect(claim?.directory).toBe(findScratch(one));
  expect(claim?.bytes).toBe(SMALL_FILES_BYTES);
  expect(await readClaims(mountTmpfs('size=64m'))).toEqual([]);
});

test('a killed run claims nothing, even if its directory and its marker exist', async () => {
  const ground = mountTmpfs('size=64m');
  const program = await startLongRun(ground);
  expect(await readClaims(ground)).toHaveLength(1);
  await killWithWatcher(program);
  expect(findScratch(ground)).toBeDefined();
  expect(await readClaims(ground)).toEqual([]);
});

test("another user's run claims nothing", async () => {
  const ground = mountTmpfs('size=64m');
  await startLongRun(ground, [], NOBODY);
  expect(await readClaims(ground)).toEqual([]);
});

const HUGE = {
  files: 1,
  trees: [],
  seed: 0,
  smallFileRuns: {},
  createdParents: [],
  neededBytes: 2 ** 53 - 1,
};

test.each([
  ['of that process claims its space', { owner: currentOwner(), ...HUGE }, [HUGE.neededBytes]],
  ['of another process claims nothing', { owner: { ...currentOwner(), pid: 1 }, ...HUGE }, []],
  [
    'with a claim that is not a number claims nothing',
    { owner: currentOwner(), ...HUGE, neededBytes: '1e99' },
    [],
  ],
  ['with a negative claim claims nothing', { owner: currentOwner(), ...HUGE, neededBytes: -1 }, []],
])('in a directory that a process keeps open, a marker %s', async (_, marker, claimed) => {
  // A filesystem of its own, because other tests' runs would leave this much space free.
  const ground = mountTmpfs('size=64m');
  const scratch = path.join(ground, 'gobonnie-abcdef');
  mkdirSync(scratch, { mode: 0o700 });
  const hold = `const fs = require('node:fs'); const at = process.argv[1]; fs.openSync(at, 'r');
    const marker = JSON.parse(process.argv[2]); if (marker.owner.pid !== 1) marker.owner.pid = process.pid;
    fs.writeFileSync(at + '/${MARKER_NAME}', JSON.stringify({ format: 'gobonnie-scratch/3', ...marker }));
    console.log('held'); setInterval(() => {}, 1000);`;
  const { child } = startProcess(process.execPath, ['-e', hold, scratch, JSON.stringify(marker)]);
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  expect((await readClaims(ground)).map(({ bytes }) => bytes)).toEqual(claimed);
});
