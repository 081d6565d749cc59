import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { makeDirectory, scratchIn } from '../support/disks/directory.js';
import { mountCached } from '../support/disks/loop.js';
import { mount } from '../support/disks/mount.js';
import { killWithWatcher, startEndless } from '../support/programs/leftover.js';
import { gobonnie } from '../support/programs/program.js';
import { needs } from '../support/tool.js';

const IMAGE_BYTES = 64 * 1024 ** 2;

beforeEach(needs('root', 'mount', 'mkfs.ext4', '/proc/self/io'));

/** What is on the device at one moment: nothing was written between two equal reads. */
function steadyContentOf(file: string): Buffer {
  const [content, again] = [readFileSync(file), readFileSync(file)];
  return content.equals(again) ? content : steadyContentOf(file);
}

test('gobonnie clean removes what is on the device after a power cut', async () => {
  const images = makeDirectory(os.tmpdir());
  const [image, saved] = [path.join(images, 'image'), path.join(images, 'saved')];
  const dir = mountCached(IMAGE_BYTES, image);
  const program = await startEndless(dir);
  writeFileSync(saved, steadyContentOf(image));
  await killWithWatcher(program);
  const found = mount(makeDirectory(), ['-o', 'loop', saved]);
  const scratch = scratchIn(found) ?? 'no scratch directory';
  expect(readdirSync(scratch)).toContain('bonnie.0');
  const { stdout, stderr, exitCode } = await gobonnie(['clean', found]);
  expect({ stdout, stderr, exitCode }).toEqual({ stdout: `removed ${scratch}\n`, stderr: '', exitCode: 0 });
  expect(readdirSync(found)).toEqual(['lost+found']);
});
