import { readdirSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { MIB } from '../../src/text/units.js';
import { makeDirectory } from '../support/disks/directory.js';
import { LOOP_TOOLS, mountLoop } from '../support/disks/loop.js';
import { mountTmpfs } from '../support/disks/mounts.js';
import { mountNbd, NBD_TOOLS } from '../support/disks/nbd.js';
import { runGobonnie } from '../support/programs/program.js';
import { readReportFile } from '../support/programs/read-report-file.js';
import { requireTools } from '../support/tools.js';

test('an image that runs out of space below its filesystem is an error, and never a rate', async (context) => {
  requireTools(...LOOP_TOOLS, 'mkfs.ext4')(context);
  const dir = mountLoop('ext4', { parent: mountTmpfs('size=150m') });
  const { stdout, stderr, exitCode } = await runGobonnie(['fill', dir, '--quiet']);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
  expect(stderr).toMatch(/^gobonnie: fill failed in .*(?:I\/O error|no space).*\n$/);
  // After a failed write of its journal, ext4 rejects every change, also the removal.
  const remaining = stderr.includes(' could not be removed: ') ? [expect.stringMatching(/^gobonnie-/)] : [];
  expect(readdirSync(dir)).toEqual([...remaining, 'lost+found']);
});

describe('on a fake disk', () => {
  beforeEach(requireTools(...NBD_TOOLS));

  const REAL_BYTES = 256 * MIB;
  const CLAIMED_BYTES = 1024 * MIB;

  /** Mounts a disk that keeps only its first bytes. The commands get the length as $3 and the offset as $4. */
  function mountFake(commands: (image: string) => Readonly<Record<'pread' | 'pwrite', string>>) {
    const image = path.join(makeDirectory(), 'image');
    writeFileSync(image, '');
    truncateSync(image, REAL_BYTES);
    const { pread, pwrite } = commands(image);
    const size = `get_size=echo ${CLAIMED_BYTES}`;
    return mountNbd(
      'eval',
      size,
      'can_write=exit 0',
      'thread_model=echo parallel',
      `pread=${pread}`,
      `pwrite=${pwrite}`,
    );
  }

  const read = (image: string, offset: string) =>
    `dd if=${image} iflag=skip_bytes,count_bytes,fullblock skip=$((${offset})) count=$3 bs=1M status=none`;
  const write = (image: string, offset: string) =>
    `dd of=${image} oflag=seek_bytes iflag=fullblock seek=$((${offset})) bs=1M conv=notrunc status=none`;

  test.each([
    [
      'starts again at its beginning',
      (image: string) => ({
        pread: read(image, `$4 % ${REAL_BYTES}`),
        pwrite: write(image, `$4 % ${REAL_BYTES}`),
      }),
      'replaces earlier data',
    ],
    [
      'drops data beyond its end',
      (image: string) => ({
        pread: `if [ $4 -lt ${REAL_BYTES} ]; then ${read(image, '$4')}; else head -c $3 /dev/zero; fi`,
        pwrite: `if [ $4 -lt ${REAL_BYTES} ]; then ${write(image, '$4')}; else cat > /dev/null; fi`,
      }),
      'is lost',
    ],
  ])(
    'fill names the real capacity of a disk that %s, before it has written everything',
    async (_, commands, end) => {
      const { dir } = await mountFake(commands);
      const file = path.join(makeDirectory(), 'report.json');
      const { stderr, exitCode } = await runGobonnie(['fill', dir, '--quiet', '--out', file]);
      const message = `the disk of ${dir} stores only about 256 MiB of the 1 GiB that it claims: data beyond that ${end}`;
      const advice =
        'the disk is a fake or broken: do not use it, and restore other files on it from a backup';
      // Some of the lost data may be the filesystem's own. Then it does not always let gobonnie remove the files.
      const failedRemoval = `; and .* could not be removed: .*; ${advice}; .*`;
      expect(stderr).toMatch(new RegExp(`^gobonnie: ${message}(?:; ${advice}|${failedRemoval})\\n$`));
      expect(readReportFile(file).outcome).toMatchObject({ state: 'failed', code: 'false-capacity' });
      expect(exitCode).toBe(1);
    },
  );
});
