import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { reportSchema } from '../../../src/report/schema/report.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { mountBindfs } from '../../support/disks/mounts.js';
import { SimulatedSystem } from '../../support/platforms/simulated-system.js';
import { SMALL_FLAGS } from '../../support/programs/small-run.js';
import { requireTools } from '../../support/tools.js';

/** Scripts with the output of macOS programs. */
const MACOS_PROGRAMS = {
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
};
const FILES = ['--files', '50', '--phases', 'create,stat,delete', '--fsync-per-write'];
const ENDLESS = ['--phases', 'write,iops', '--iops-duration', '600'];

const systems = {
  macOS: new SimulatedSystem('darwin', MACOS_PROGRAMS),
  Windows: new SimulatedSystem('win32'),
};

beforeEach(requireTools('root', 'unshare'));

describe.each(['macOS', 'Windows'] as const)('on simulated %s,', (name) => {
  const system = systems[name];

  test('a run warns that each read may be cached, and leaves no files', async () => {
    const dir = makeDirectory();
    const out = path.join(makeDirectory(), 'report.json');
    const { stderr, exitCode } = await system.run(['--dir', dir, ...SMALL_FLAGS, '--out', out]);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(
      /warning: Sequential Read: \S+ MB\/s as timed.*; the device's share of it is unknown .*; IOPS: /,
    );
    const { machine, runs, warnings } = reportSchema.parse(JSON.parse(readFileSync(out, 'utf8')));
    expect(machine.platform).toBe(system.platform);
    expect(runs[0]?.measurements.map(({ device }) => device.share)).toEqual([1, null, null]);
    expect(warnings.filter(({ code }) => code === 'device-share-unknown').map(({ step }) => step)).toEqual([
      'read',
      'iops',
    ]);
    expect(readdirSync(dir)).toEqual([]);
  });

  test('gobonnie syncs names of small files if the system can, and otherwise warns', async () => {
    const dir = makeDirectory();
    const { stdout, stderr, exitCode } = await system.run(['--dir', dir, ...SMALL_FLAGS, ...FILES]);
    expect(stdout).toMatch(/^Sequential Create: \d+\nSequential Stat: \d+\nSequential Delete: \d+\n?$/);
    const unsynced =
      name === 'macOS' ? ['Sequential Stat'] : ['Sequential Create', 'Sequential Delete', 'Sequential Stat'];
    expect(phaseTitlesIn(stderr).toSorted()).toEqual(unsynced);
    expect(exitCode).toBe(0);
    expect(readdirSync(dir)).toEqual([]);
  });

  test.each(['direct', 'drop', 'evict'] as const)('%s works or is rejected in one line', async (mode) => {
    const dir = makeDirectory();
    const flag = mode === 'direct' ? ['--direct'] : ['--cache', mode];
    const { stderr, exitCode } = await system.run(['-q', '--dir', dir, ...SMALL_FLAGS, ...flag]);
    const result = { stderr, exitCode };
    if (name === 'Windows' && mode === 'direct') expect(result).toEqual({ stderr: '', exitCode: 0 });
    else if (name === 'macOS' && mode === 'drop')
      expect(result).toEqual({
        stderr: expect.stringMatching(/^gobonnie: --cache drop could not .*\n$/),
        exitCode: 1,
      });
    else
      expect(result).toEqual({
        stderr: expect.stringMatching(
          new RegExp(`^gobonnie: ${flag.join(' ')} does not work on ${name}; .*\\n$`),
        ),
        exitCode: 2,
      });
    expect(readdirSync(dir)).toEqual([]);
  });

  test('the watcher removes the files of a killed run', async () => {
    const dir = makeDirectory();
    const { child, exitResult } = system.start(['--dir', dir, ...SMALL_FLAGS, ...ENDLESS]);
    await expect.poll(() => listFileNames(dir), POLL).toContain('bonnie.0');
    child.kill('SIGKILL');
    await exitResult;
    await expect.poll(() => readdirSync(dir), POLL).toEqual([]);
  });
});

const POLL = { timeout: 30_000 };

/** The phases that may have been cached, as messages name them: `Rewrite, Sequential Read: the share read from ...`. */
function phaseTitlesIn(stderr: string): readonly string[] {
  return [...stderr.matchAll(/(?:warning: |; )([A-Z][a-z]+ [A-Z][a-z]+): \S+ as timed[,;] /g)].map(
    ([, title = '']) => title,
  );
}

function listFileNames(dir: string): readonly string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((file) => path.basename(file));
}

describe('on simulated macOS,', () => {
  const { macOS } = systems;

  test('the report has the filesystem and the device that df and mount report', async () => {
    const out = path.join(makeDirectory(), 'report.json');
    await macOS.run(['-q', '--dir', makeDirectory(), ...SMALL_FLAGS, '--out', out]);
    const { target } = reportSchema.parse(JSON.parse(readFileSync(out, 'utf8')));
    expect(target).toMatchObject({ filesystem: 'APFS', device: '/dev/disk3s1s1', mount: '/' });
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
