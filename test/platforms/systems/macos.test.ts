import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { reportSchema } from '../../../src/report/schema/report.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { mountBindfs } from '../../support/disks/mounts.js';
import { SimulatedMacOS } from '../../support/platforms/simulated-macos.js';
import { omitFlagsWithoutEffect, SMALL_FLAGS } from '../../support/programs/small-run.js';
import { requireTools } from '../../support/tools.js';

/** Scripts with the output of macOS programs. */
const macOS = new SimulatedMacOS({
  df: `cat <<'END'
Filesystem     1024-blocks      Used Available Capacity  Mounted on
/dev/disk3s1s1   482797652  10218540 177302568     6%    /
devfs                  205       205         0   100%    /dev
/dev/disk3s5     482797652 284710804 177302568    62%    /System/Volumes/Data
END`,
  mount: `cat <<'END'
/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
devfs on /dev (devfs, local, nobrowse)
/dev/disk3s5 on /System/Volumes/Data (apfs, local, journaled, nobrowse, protect, root data)
END`,
  diskutil: 'exit 0',
  system_profiler: 'exit 0',
});
const FILES = ['--files', '50', '--phases', 'create,stat,delete', '--fsync-per-write'];
const ENDLESS = ['--phases', 'write,iops', '--iops-duration', '600'];
const POLL = { timeout: 30_000 };

beforeEach(requireTools('root', 'unshare'));

describe('on simulated macOS,', () => {
  test('a run names the filesystem and the device, warns that each read may be cached, and leaves no files', async () => {
    const dir = makeDirectory();
    const out = path.join(makeDirectory(), 'report.json');
    const { stderr, exitCode } = await macOS.run(['--dir', dir, ...SMALL_FLAGS, '--out', out]);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(
      /warning: Sequential Read: \S+ MB\/s as timed.*; the device's share of it is unknown .*; IOPS: /,
    );
    const { target, runs, warnings } = reportSchema.parse(JSON.parse(readFileSync(out, 'utf8')));
    expect(target).toMatchObject({ filesystem: 'APFS', device: '/dev/disk3s1s1', mount: '/' });
    expect(runs[0]?.measurements.map(({ device }) => device.share)).toEqual([1, null, null]);
    expect(warnings.filter(({ code }) => code === 'device-share-unknown').map(({ step }) => step)).toEqual([
      'read',
      'iops',
    ]);
    expect(readdirSync(dir)).toEqual([]);
  });

  test('gobonnie syncs names of small files, so only the stat may be cached', async () => {
    const dir = makeDirectory();
    const { stdout, stderr, exitCode } = await macOS.run(
      omitFlagsWithoutEffect(['--dir', dir, ...SMALL_FLAGS, ...FILES]),
    );
    expect(stdout).toMatch(
      /^Sequential Create ops\/s: \d+\nSequential Stat ops\/s: \d+\nSequential Delete ops\/s: \d+\n?$/,
    );
    const titles = [...stderr.matchAll(/(?:warning: |; )([A-Z][a-z]+ [A-Z][a-z]+): \S+ as timed[,;] /g)];
    expect(titles.map(([, title]) => title)).toEqual(['Sequential Stat']);
    expect(exitCode).toBe(0);
    expect(readdirSync(dir)).toEqual([]);
  });

  test.each([
    ['--direct', 'does not work on macOS', 2],
    ['--cache evict', 'does not work on macOS', 2],
    ['--cache drop', 'could not ', 1],
  ])('%s is rejected in one line: it %s', async (flag, reason, code) => {
    const dir = makeDirectory();
    const args = ['-q', '--dir', dir, ...SMALL_FLAGS, ...flag.split(' ')];
    const { stderr, exitCode } = await macOS.run(args);
    expect(stderr).toMatch(new RegExp(`^gobonnie: ${flag} ${reason}.*\\n$`));
    expect(exitCode).toBe(code);
    expect(readdirSync(dir)).toEqual([]);
  });

  test('quick --dry-run plans to read through the page cache, because macOS has no direct I/O', async () => {
    const { stdout, exitCode } = await macOS.run(['quick', makeDirectory(), '--dry-run']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('access: through the page cache');
  });

  test('the watcher removes the files of a killed run', async () => {
    const dir = makeDirectory();
    const { child, exitResult } = macOS.start(['--dir', dir, ...SMALL_FLAGS, ...ENDLESS]);
    const names = () => readdirSync(dir, { recursive: true, encoding: 'utf8' });
    await expect.poll(() => names().some((name) => name.endsWith('/bonnie.0')), POLL).toBe(true);
    child.kill('SIGKILL');
    await exitResult;
    await expect.poll(() => readdirSync(dir), POLL).toEqual([]);
  });

  test('gobonnie calls purge once, before the clock starts', async () => {
    const dir = makeDirectory();
    const programs = makeDirectory();
    const log = path.join(programs, 'log');
    writeFileSync(path.join(programs, 'purge'), `#!/bin/sh\necho purged >>${log}\n`);
    chmodSync(path.join(programs, 'purge'), 0o755);
    const args = ['-q', '--dir', dir, ...SMALL_FLAGS, '--phases', 'write,iops', '--iops-duration', '4'];
    const { stderr, exitCode } = await macOS.run(args, `mount --bind ${programs} /usr/sbin`);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(readFileSync(log, 'utf8')).toBe('purged\n');
  });

  describe('a volume with ignored owners', () => {
    beforeEach(requireTools('bindfs', '/dev/fuse'));

    test('can be measured by root, for whom the owner is 99, and no files are left', async () => {
      const under = makeDirectory();
      const dir = mountBindfs(under, ['--force-user=99', '--force-group=99', '-p', '0777']);
      const { stderr, exitCode } = await macOS.run(['--dir', dir, ...SMALL_FLAGS]);
      expect(stderr).toContain(`warning: other users can write to ${dir}`);
      expect(exitCode).toBe(0);
      expect(readdirSync(under)).toEqual([]);
    });
  });
});
