import { chmodSync, readdirSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { mountExt4 } from '../../support/disks/loop.js';
import { ALPINE_TOOLS, alpineOptions } from '../../support/platforms/alpine.js';
import { endWithWatcher, startLongRun } from '../../support/programs/leftover.js';
import { runGobonnie, startProcess } from '../../support/programs/program.js';
import { SMALL_FLAGS } from '../../support/programs/small-run.js';
import { requireTools } from '../../support/tools.js';

const MIB = 1024 ** 2;
const VALUES = /^Sequential Write MB\/s: .*\nSequential Read MB\/s: .*\nIOPS: .*\n$/;
const NOT_GNU = '/bin/dd is not GNU dd';
const INSTALL = 'install GNU coreutils (Alpine: apk add coreutils)';

beforeEach(requireTools(...ALPINE_TOOLS, 'mkfs.ext4'));

function mountDisk(): string {
  return mountExt4(64 * MIB);
}

const EMPTY = ['lost+found'];

test('Node uses musl, and dd is from BusyBox', async () => {
  const options = alpineOptions(mountDisk());
  const source = 'process.report.getReport().header.glibcVersionRuntime ?? "no glibc"';
  expect((await startProcess(process.execPath, ['--print', source], options).exitResult).stdout).toBe(
    'no glibc\n',
  );
  expect((await startProcess('/bin/dd', ['--version'], options).exitResult).stderr).toContain('BusyBox');
});

describe.each([
  ['root', false],
  ['nobody', true],
])('as %s', (_, asNobody) => {
  test('a run without further options prints all results and leaves no files', async () => {
    const dir = mountDisk();
    const { stdout, stderr, exitCode } = await runGobonnie(
      ['--dir', dir, ...SMALL_FLAGS],
      alpineOptions(dir, { asNobody }),
    );
    expect({ stdout, exitCode }).toEqual({ stdout: expect.stringMatching(VALUES), exitCode: 0 });
    expect(stderr.includes(`the page cache was not dropped (${NOT_GNU})`)).toBe(asNobody);
    expect(readdirSync(dir)).toEqual(EMPTY);
  });

  test.each([
    ['--direct', []],
    ['--phases', ['create,stat,delete', '--files', '100']],
  ])('%s %j prints three results and leaves no files', async (flag, values) => {
    const dir = mountDisk();
    const args = ['-q', '--dir', dir, ...SMALL_FLAGS, flag, ...values];
    const { stdout, stderr, exitCode } = await runGobonnie(args, alpineOptions(dir, { asNobody }));
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout.match(/: [\d.]+$/gm)).toHaveLength(3);
    expect(readdirSync(dir)).toEqual(EMPTY);
  });

  test('--cache evict fails with the command that installs GNU dd', async () => {
    const dir = mountDisk();
    const args = ['-q', '--dir', dir, ...SMALL_FLAGS, '--cache', 'evict'];
    const { stderr, exitCode } = await runGobonnie(args, alpineOptions(dir, { asNobody }));
    expect(stderr).toBe(
      `gobonnie: --cache evict could not drop the page cache: ${NOT_GNU}; ` +
        `${INSTALL}, or pass --cache auto, which uses the best available method\n`,
    );
    expect(exitCode).toBe(1);
    expect(readdirSync(dir)).toEqual(EMPTY);
  });

  test('the watcher removes the files of a killed run', async () => {
    const dir = mountDisk();
    await endWithWatcher(await startLongRun(dir, [], alpineOptions(dir, { asNobody })), 'SIGKILL');
    expect(readdirSync(dir)).toEqual(EMPTY);
  });
});

test('without /proc, a run prints all results and leaves no files', async () => {
  const dir = mountDisk();
  // Without /proc, gobonnie requires a directory that others cannot change.
  chmodSync(dir, 0o755);
  const { stdout, exitCode } = await runGobonnie(
    ['--dir', dir, ...SMALL_FLAGS],
    alpineOptions(dir, { proc: 'none' }),
  );
  expect({ stdout, exitCode }).toEqual({ stdout: expect.stringMatching(VALUES), exitCode: 0 });
  expect(readdirSync(dir)).toEqual(EMPTY);
});
