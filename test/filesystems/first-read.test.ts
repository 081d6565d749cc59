import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { MIB } from '../../src/text/units.js';
import { IO_LIMIT_FILE } from '../support/disks/control-group.js';
import { makeDirectory } from '../support/disks/directory.js';
import { LOOP_TOOLS, mountLoop } from '../support/disks/loop.js';
import { mount, mountTmpfs } from '../support/disks/mounts.js';
import { attachNbd, NBD_TOOLS } from '../support/disks/nbd.js';
import { type ProgramOptions, runGobonnie } from '../support/programs/program.js';
import { requireTools } from '../support/tools.js';
import { limitDevice } from './device-limits.js';

const LATE = /: this volume loads its blocks\s+when\s+they\s+are\s+first\s+read, as volumes restored/;
const NO_SIGN = /: no\s+sign\s+of\s+a\s+volume\s+that\s+loads\s+its\s+blocks\s+when/;
/** On a busy machine, a cache below the device may serve the second read faster. */
const NOT_LATE = new RegExp(`${NO_SIGN.source}|the\\s+second\\s+read\\s+was\\s+faster`);

const NAMES = ['a', 'b', 'c'];

/** Writes files of 48 MiB together, and evicts them from the page cache. */
function writeFiles(dir: string): void {
  for (const name of NAMES) writeFileSync(path.join(dir, name), randomBytes(16 * MIB), { flush: true });
  evictFiles(dir);
}

function evictFiles(dir: string): void {
  for (const name of NAMES)
    execFileSync('dd', [`if=${path.join(dir, name)}`, 'iflag=nocache', 'count=0', 'status=none']);
}

async function firstRead(dir: string, options: ProgramOptions = {}): Promise<string> {
  const { stdout, exitCode } = await runGobonnie(['first-read', dir, '--quiet'], options);
  expect(exitCode).toBe(0);
  return stdout;
}

describe('on an image', () => {
  beforeEach(requireTools(...LOOP_TOOLS, 'mkfs.ext4'));

  test('a volume that is equally fast each time is not called late', async () => {
    const dir = mountLoop('ext4');
    writeFiles(dir);
    expect(await firstRead(dir)).toMatch(NOT_LATE);
  });

  test('a volume that is slow each time is not called late', async (context) => {
    requireTools(IO_LIMIT_FILE)(context);
    const dir = mountLoop('ext4');
    writeFiles(dir);
    const text = await firstRead(dir, limitDevice(dir, { read_bps: 16 * MIB }));
    expect(text).toMatch(/first-read: 1\d\.\d+ MB\/s/);
    expect(text).toMatch(NO_SIGN);
  });
});

test('a volume whose blocks answer late only once is named, and is no longer late afterwards', async (context) => {
  requireTools(...LOOP_TOOLS, ...NBD_TOOLS)(context);
  const image = path.join(makeDirectory(os.tmpdir()), 'image');
  const filled = makeDirectory(os.tmpdir());
  writeFiles(filled);
  execFileSync('mkfs.ext4', ['-q', '-d', filled, image, '128M']);
  const delayed = ['--filter=cache', '--filter=delay', 'file', image, 'rdelay=20ms', 'cache-on-read=true'];
  const { device } = await attachNbd(...delayed);
  const dir = mount(makeDirectory(os.tmpdir()), [device]);
  expect(await firstRead(dir)).toMatch(LATE);
  evictFiles(dir);
  expect(await firstRead(dir)).toMatch(NOT_LATE);
});

test('files in memory tell nothing', async (context) => {
  requireTools('root', 'mount')(context);
  const dir = mountTmpfs('size=64m');
  writeFiles(dir);
  expect(await firstRead(dir)).toContain('\n  Cannot tell: the files are in memory.\n');
});
