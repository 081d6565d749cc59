import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { fillText } from '../../src/format/human/fill-text.js';
import { PLAIN_SCREEN } from '../../src/format/human/screen.js';
import { MIB } from '../../src/text/units.js';
import { IO_LIMIT_FILE } from '../support/disks/control-group.js';
import { makeDirectory } from '../support/disks/directory.js';
import { LOOP_TOOLS, mountLoop } from '../support/disks/loop.js';
import { mountTmpfs } from '../support/disks/mounts.js';
import { mountNbd, NBD_TOOLS } from '../support/disks/nbd.js';
import { runGobonnie } from '../support/programs/program.js';
import { readReportFile } from '../support/programs/read-report-file.js';
import { startGobonnieForTest } from '../support/programs/running-program.js';
import { requireTools } from '../support/tools.js';
import { limitDevice, setLimits } from './device-limits.js';

describe('on a disk with a limit', () => {
  beforeEach(requireTools(IO_LIMIT_FILE, ...LOOP_TOOLS, 'mkfs.ext4'));

  /** Returns the bytes that the group has written to the device. */
  function countWritten(directory: string): number {
    const counts = readFileSync(path.join(directory, 'blkio.throttle.io_service_bytes'), 'utf8');
    return Number(/ Write (\d+)/.exec(counts)?.[1] ?? 0);
  }

  test('fill finds where the rate falls within 2 %, the levels within 5 %, and that the disk recovers', async () => {
    const dir = mountLoop('ext4');
    const file = path.join(makeDirectory(), 'report.json');
    const group = limitDevice(dir, { write_bps: 4 * MIB });
    // The steps of the command, with smaller blocks: such low limits set the pace even while other tests use the disk.
    const load = 'block-size=128k,threads=1,direct';
    const steps = [`fill,${load}`, `write,${load},pause=1,size=8M,seconds=5`, `read,${load},seconds=60`];
    const flags = ['--size', '32M', '--out', file, ...steps.flatMap((step) => ['--step', step])];
    const program = startGobonnieForTest(['--dir', dir, ...flags], group);
    const untilWritten = async (bytes: number) => {
      while (countWritten(group.directory) < bytes) await wait(10);
      return countWritten(group.directory);
    };
    const cliffBytes = await untilWritten(22 * MIB);
    setLimits(group, dir, { write_bps: MIB });
    await untilWritten(32 * MIB);
    setLimits(group, dir, { write_bps: 4 * MIB });
    const { exitCode } = await program.exitResult;
    expect({ exitCode, files: readdirSync(dir) }).toEqual({ exitCode: 0, files: ['lost+found'] });
    const report = readReportFile(file);
    const text = fillText(report, PLAIN_SCREEN);
    expect(text).toMatch(/\n {2}4\.\d+ MB\/s for the first 2\d(?:\.\d)? MiB, then 1\.\d+ MB\/s\n/);
    expect(text).toMatch(/after a pause of 1 s 4\.\d+ MB\/s: it recovered\n/);
    const {
      atSeconds = 0,
      beforePerSecond = 0,
      afterPerSecond = 0,
    } = report.runs[0]?.measurements[0]?.cliff ?? {};
    expect(Math.abs((atSeconds * beforePerSecond) / cliffBytes - 1)).toBeLessThan(0.02);
    expect(Math.abs(beforePerSecond / (4 * MIB) - 1)).toBeLessThan(0.05);
    expect(Math.abs(afterPerSecond / MIB - 1)).toBeLessThan(0.05);
  });
});

test('an image that runs out of space below its filesystem is an error, and never a rate', async (context) => {
  requireTools(...LOOP_TOOLS, 'mkfs.ext4')(context);
  const dir = mountLoop('ext4', { parent: mountTmpfs('size=150m') });
  const { stdout, stderr, exitCode } = await runGobonnie(['fill', dir, '--quiet']);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
  expect(stderr).toMatch(/^gobonnie: fill failed in .*(?:I\/O error|no space).*\n$/);
  expect(readdirSync(dir)).toEqual(['lost+found']);
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
      'drops what is written beyond its end',
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
      expect(stderr).toBe(
        `gobonnie: the disk of ${dir} stores only about 256 MiB of the 1 GiB that it claims: what is written beyond that ` +
          `${end}; it is a fake or broken: do not use it, and restore other files on it from a backup\n`,
      );
      expect(readReportFile(file).outcome).toMatchObject({ state: 'failed', code: 'false-capacity' });
      expect(exitCode).toBe(1);
    },
  );
});
