import { chmodSync, chownSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from 'gobonnie';
import { beforeEach, describe, expect, test } from 'vitest';
import { findScratch, makeDirectory, makePublicDirectory } from '../../support/disks/directory.js';
import { mountBindfs } from '../../support/disks/mounts.js';
import { createLeftover, endWithWatcher } from '../../support/programs/leftover.js';
import { runGobonnie } from '../../support/programs/program.js';
import { startGobonnieForTest } from '../../support/programs/running-program.js';
import { SMALL_FLAGS, SMALL_OPTIONS } from '../../support/programs/small-run.js';
import { NOBODY, requireNobody, requireTools } from '../../support/tools.js';

const OTHER_ID = 65_534;
const ENDLESS = ['-v', '--runs', '1000', ...SMALL_FLAGS];
const KEPT_OPEN = 'other users can rename';

describe('a mount that assigns new files to another user', () => {
  beforeEach(requireTools('root', 'bindfs', '/dev/fuse'));

  test.each([
    ['everything', ['--force-user=nobody'], 0o755],
    ['new files, in a sticky directory', ['--create-for-user=nobody'], 0o1777],
  ])('is refused, and the message says why: %s', async (_, options, mode) => {
    const under = makeDirectory();
    chmodSync(under, mode);
    const dir = mountBindfs(under, options);
    const { stderr, exitCode } = await runGobonnie(['-q', '--dir', dir, ...SMALL_FLAGS]);
    expect(stderr).toBe(
      `gobonnie: files made in ${dir} belong to another user (uid ${OTHER_ID}), as it is mounted that way; ` +
        'run gobonnie as a user who owns what it makes there, or measure another directory\n',
    );
    expect(exitCode).toBe(1);
    expect(readdirSync(under)).toEqual([]);
  });

  test('is measured if others may only read its files', async () => {
    const under = makeDirectory();
    const { stderr, exitCode } = await runGobonnie([
      ...['-q', '--dir', mountBindfs(under, ['-p', '0755']), ...SMALL_FLAGS],
    ]);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(readdirSync(under)).toEqual([]);
  });
});

describe('a mount on which everyone may write to new files', () => {
  beforeEach(requireTools('root', 'bindfs', '/dev/fuse'));
  const mountOpen = (under: string) => mountBindfs(under, ['-p', '0777']);

  test('is measured, with a warning, and nothing is left behind', async () => {
    const under = makeDirectory();
    const dir = mountOpen(under);
    const args = ['--dir', path.join(dir, 'made'), ...SMALL_FLAGS, '--files', '10', '--phases', 'write,read'];
    const { stderr, exitCode } = await runGobonnie(args);
    expect(stderr).toMatch(
      / warning: other users of this system can write to the files in \S+ because of its mount options/,
    );
    expect(exitCode).toBe(0);
    expect(readdirSync(under)).toEqual([]);
  });

  test('is refused to root for small files, which links of others could lead elsewhere', async () => {
    const under = makePublicDirectory();
    const dir = mountOpen(under);
    const args = ['-q', '--dir', dir, ...SMALL_FLAGS, '--files', '10', '--phases', 'create,delete'];
    const { stderr, exitCode } = await runGobonnie(args);
    expect(stderr).toMatch(
      /^gobonnie: other users can write to files made in \S+, and could lead root elsewhere/,
    );
    expect(exitCode).toBe(1);
    expect(readdirSync(under)).toEqual([]);
    expect(await runGobonnie(args, NOBODY)).toMatchObject({ stderr: '', exitCode: 0 });
  });

  test('is cleaned up by the watcher after a kill', async () => {
    const under = makeDirectory();
    const program = startGobonnieForTest([...ENDLESS, '--dir', mountOpen(under)]);
    await program.untilStderr(/Duration/);
    await endWithWatcher(program, 'SIGKILL');
    expect(readdirSync(under)).toEqual([]);
  });

  test('is cleaned up by gobonnie clean', async () => {
    const under = makeDirectory();
    const dir = mountOpen(under);
    await createLeftover(under);
    expect((await runGobonnie(['clean', dir])).exitCode).toBe(0);
    expect(readdirSync(under)).toEqual([]);
  });
});

describe('a FUSE filesystem', () => {
  beforeEach(requireTools('root', 'bindfs', '/dev/fuse', 'unshare'));

  test('cannot redirect the clean-up with a link that it makes up', async () => {
    const [under, victim, seen] = [makeDirectory(), makeDirectory(), makeDirectory()];
    for (const name of ['owner', 'bonnie.0']) writeFileSync(path.join(victim, name), 'mine');
    chownSync(under, OTHER_ID, OTHER_ID);
    const noCache = ['-o', 'entry_timeout=0,attr_timeout=0'];
    const dir = mountBindfs(under, ['--force-user=root', '--force-group=root', ...noCache]);
    // The FUSE program, which runs as root here and follows links, sees no victim.
    const script = 'mount --bind "$0" "$1"; shift; exec "$@"';
    const as = ['unshare', '--mount', 'sh', '-c', script, victim, seen];
    const program = startGobonnieForTest([...ENDLESS, '--dir', dir], { as });
    await program.untilStderr(/Duration/);
    const scratch = findScratch(under) ?? '';
    renameSync(scratch, path.join(under, 'moved'));
    symlinkSync(seen, scratch);
    program.kill('SIGINT');
    await program.exitResult;
    expect(readdirSync(victim).toSorted()).toEqual(['bonnie.0', 'owner']);
  });
});

describe('a directory that was renamed during the run', () => {
  beforeEach(requireTools('root', '/proc/self/fd'));

  test.each([
    ['to a name like those the kernel shows for removed files', Buffer.from('moved (deleted)')],
    ['to bytes that are not UTF-8', Buffer.from([0x78, 0xff])],
  ])('is removed under its new name: %s', async (_, name) => {
    const dir = makePublicDirectory();
    let isRenamed = false;
    const { outcome } = await run(
      { dir, ...SMALL_OPTIONS },
      {
        onEvent: ({ type }) => {
          if (type !== 'run-end') return;
          renameSync(findScratch(dir) ?? '', Buffer.concat([Buffer.from(`${dir}/`), name]));
          isRenamed = true;
        },
      },
    );
    expect(isRenamed).toBe(true);
    expect(outcome).toEqual({ state: 'completed' });
    expect(readdirSync(dir)).toEqual([]);
  });
});

describe('a directory that a group may write to', () => {
  beforeEach(requireNobody);

  test('is kept open, even if the group has the name of its user, because it may have other members', async () => {
    const dir = makeDirectory();
    chownSync(dir, OTHER_ID, OTHER_ID);
    chmodSync(dir, 0o775);
    const args = ['--dir', dir, ...SMALL_FLAGS, '--files', '10', '--phases', 'create,delete'];
    expect((await runGobonnie(args, NOBODY)).stderr).toContain(KEPT_OPEN);
    chmodSync(dir, 0o755);
    expect((await runGobonnie(args, NOBODY)).stderr).not.toContain(KEPT_OPEN);
  });
});
