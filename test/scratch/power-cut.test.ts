import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { findScratch, makeDirectory } from '../support/disks/directory.js';
import { mountCachedLoop } from '../support/disks/loop.js';
import { mount } from '../support/disks/mounts.js';
import { killWithWatcher, startLongRun } from '../support/programs/leftover.js';
import { runGobonnie } from '../support/programs/program.js';
import { requireTools } from '../support/tools.js';

const IMAGE_BYTES = 32 * 1024 ** 2;

beforeEach(requireTools('root', 'mount', 'mkfs.ext4', '/proc/self/io'));

/** Returns a consistent content of the device: nothing was written between two equal reads. */
function readConsistently(file: string): Buffer {
  const content = readFileSync(file);
  return content.equals(readFileSync(file)) ? content : readConsistently(file);
}

test('gobonnie clean removes the files that are on the device after a power failure', async () => {
  const images = makeDirectory(os.tmpdir());
  const image = path.join(images, 'image');
  const saved = path.join(images, 'saved');
  const dir = mountCachedLoop(IMAGE_BYTES, image);
  const program = await startLongRun(dir);
  writeFileSync(saved, readConsistently(image));
  await killWithWatcher(program);
  const found = mount(makeDirectory(), ['-o', 'loop', saved]);
  const scratch = findScratch(found) ?? 'no scratch directory';
  expect(readdirSync(scratch)).toContain('bonnie.0');
  const { stdout, stderr, exitCode } = await runGobonnie(['clean', found]);
  expect({ stdout, stderr, exitCode }).toEqual({ stdout: `removed ${scratch}\n`, stderr: '', exitCode: 0 });
  expect(readdirSync(found)).toEqual(['lost+found']);
});
