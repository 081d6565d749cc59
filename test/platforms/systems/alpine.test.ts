import { chmodSync, readdirSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { mountExt4 } from '../../support/disks/loop.js';
import { ALPINE_TOOLS, alpineOptions } from '../../support/platforms/alpine.js';
import { endWithWatcher, startLongRun } from '../../support/programs/leftover.js';
import { runGobonnie, startProcess } from '../../support/programs/program.js';
import { SMALL_FLAGS } from '../../support/programs/small-run.js';
import { requireTools } from '../../support/tools.js';

const MIB = 1024 ** 2;
const FIGURES = /^Sequential Write MB\/s: .*\nSequential Read MB\/s: .*\nIOPS: .*\n$/;
const NOT_GNU = '/bin/dd is not GNU dd';
const INSTALL = 'install GNU coreutils (Alpine: apk add coreutils)';

beforeEach(requireTools(...ALPINE_TOOLS, 'mkfs.ext4'));

function mountDisk(): string {
  return mountExt4(64 * MIB);
}

const EMPTY = ['lost+found'];

test('the programs there are those of musl and busybox', async () => {
  const place = alpineOptions(mountDisk());
  const source = 'process.report.getReport().header.glibcVersionRuntime ?? "no glibc"';
  expect((await startProcess(process.execPath, ['--print', source], place).exitResult).stdout).toBe(
    'no glibc\n',
  );
  expect((await startProcess('/bin/dd', ['--version'], place).exitResult).stderr).toContain('BusyBox');
});

describe.each([
  ['root', false],
  ['nobody', true],
])('as %s', (_, asNobody) => {
  test('a run without options of its own gives all figures and leaves nothing', async () => {
    const dir = mountDisk();
    const { stdout, stderr, exitCode } = await runGobonnie(
      ['--dir', dir, ...SMALL_FLAGS],
      alpineOptions(dir, { asNobody }),
    );
    expect({ stdout, exitCode }).toEqual({ stdout: expect.stringMatching(FIGURES), exitCode: 0 });
    expect(stderr.includes(`the page cache was not dropped (${NOT_GNU})`)).toBe(asNobody);
    expect(readdirSync(dir)).toEqual(EMPTY);
  });

  test.each([
    ['--direct', []],
    ['--phases', ['create,stat,delete', '--files', '100']],
  ])('%s %j gives three figures, and leaves nothing', async (flag, values) => {
    const dir = mountDisk();
    const args = ['-q', '--dir', dir, ...SMALL_FLAGS, flag, ...values];
    const { stdout, stderr, exitCode } = await runGobonnie(args, alpineOptions(dir, { asNobody }));
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout.match(/: [\d.]+$/gm)).toHaveLength(3);
    expect(readdirSync(dir)).toEqual(EMPTY);
  });

  test('--cache evict says how to get GNU dd', async () => {
    const dir = mountDisk();
    const args = ['-q', '--dir', dir, ...SMALL_FLAGS, '--cache', 'evict'];
    const { stderr, exitCode } = await runGobonnie(args, alpineOptions(dir, { asNobody }));
    expect(stderr).toBe(
      `gobonnie: --cache evict could not drop the page cache: ${NOT_GNU}; ` +
        `${INSTALL}, or pass --cache auto, which does the best available\n`,
    );
    expect(exitCode).toBe(1);
    expect(readdirSync(dir)).toEqual(EMPTY);
  });

  test('when the cache cannot be dropped either, only nobody is advised to run as root', async () => {
    const dir = mountDisk();
    const place = alpineOptions(dir, { asNobody, proc: 'no-drop' });
    const { stderr, exitCode } = await runGobonnie(['--dir', dir, ...SMALL_FLAGS], place);
    const asRoot = asNobody ? 'run as root, or ' : '';
    expect(stderr).toContain(`the page cache was not dropped (${NOT_GNU}): `);
    expect(stderr).toContain(`; pass --direct, or ${asRoot}${INSTALL}, or use a --size well above the RAM (`);
    expect(exitCode).toBe(0);
  });

  test('what a killed run leaves is removed', async () => {
    const dir = mountDisk();
    await endWithWatcher(await startLongRun(dir, [], alpineOptions(dir, { asNobody })), 'SIGKILL');
    expect(readdirSync(dir)).toEqual(EMPTY);
  });
});

test('without /proc a run gives all figures and leaves nothing', async () => {
  const dir = mountDisk();
  // Without /proc only a directory that others cannot change is accepted.
  chmodSync(dir, 0o755);
  const { stdout, exitCode } = await runGobonnie(
    ['--dir', dir, ...SMALL_FLAGS],
    alpineOptions(dir, { proc: 'none' }),
  );
  expect({ stdout, exitCode }).toEqual({ stdout: expect.stringMatching(FIGURES), exitCode: 0 });
  expect(readdirSync(dir)).toEqual(EMPTY);
});
