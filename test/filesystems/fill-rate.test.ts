import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { fillText } from '../../src/format/human/commands/fill-text.js';
import { PLAIN_SCREEN } from '../../src/format/human/screen.js';
import { MIB } from '../../src/text/units.js';
import { IO_LIMIT_FILE } from '../support/disks/control-group.js';
import { makeDirectory } from '../support/disks/directory.js';
import { LOOP_TOOLS, mountLoop } from '../support/disks/loop.js';
import { readReportFile } from '../support/programs/read-report-file.js';
import { startGobonnieForTest } from '../support/programs/running-program.js';
import { requireTools } from '../support/tools.js';
import { limitDevice, setLimits } from './device-limits.js';

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
