import { chmodSync, chownSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from 'gobonnie';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeDirectory, makeOpenDirectory, scratchIn } from '../../support/directory.js';
import { mountBindfs } from '../../support/mount.js';
import { gobonnie } from '../../support/program.js';
import { runningGobonnie } from '../../support/running.js';
import { SMALL, SMALL_OPTIONS } from '../../support/small-run.js';
import { NOBODY, needs, needsNobody } from '../../support/tool.js';

const OTHER_ID = 65_534;
const ENDLESS = ['-v', '--runs', '1000', ...SMALL];
const HELD = 'other users can rename';

describe('a mount that gives what is made to another user', () => {
  beforeEach(needs('root', 'bindfs', '/dev/fuse'));

  test.each([
    ['everything', ['--force-user=nobody'], 0o755],
    ['what is new, in a sticky directory', ['--create-for-user=nobody'], 0o1777],
  ])('is refused in its own words: %s', async (_, options, mode) => {
    const under = makeDirectory();
    chmodSync(under, mode);
    const dir = mountBindfs(under, options);
    const { stderr, exitCode } = await gobonnie(['-q', '--dir', dir, ...SMALL]);
    expect(stderr).toBe(
      `gobonnie: files made in ${dir} belong to another user (uid ${OTHER_ID}), as it is mounted that way; ` +
        'run gobonnie as a user who owns what it makes there, or measure another directory\n',
    );
    expect(exitCode).toBe(1);
    expect(readdirSync(under)).toEqual([]);
  });

  test('and lets all write to it is refused, too', async () => {
    const under = makeDirectory();
    const dir = mountBindfs(under, ['-p', '0777']);
    const { stderr, exitCode } = await gobonnie(['-q', '--dir', dir, ...SMALL]);
    expect(stderr).toBe(
      `gobonnie: other users can write to files made in ${dir}, as it is mounted that way; ` +
        'mount it with umask=022, or measure another directory\n',
    );
    expect(exitCode).toBe(1);
    expect(readdirSync(under)).toEqual([]);
  });

  test('but is measured where others may only read what it holds', async () => {
    const under = makeDirectory();
    const { stderr, exitCode } = await gobonnie([
      ...['-q', '--dir', mountBindfs(under, ['-p', '0755']), ...SMALL],
    ]);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(readdirSync(under)).toEqual([]);
  });
});

describe('a filesystem that a program serves', () => {
  beforeEach(needs('root', 'bindfs', '/dev/fuse', 'unshare'));

  test('is held, so that a link that it comes up with is not followed', async () => {
    const [under, victim, seen] = [makeDirectory(), makeDirectory(), makeDirectory()];
    for (const name of ['owner', 'bonnie.0']) writeFileSync(path.join(victim, name), 'mine');
    chownSync(under, OTHER_ID, OTHER_ID);
    const noCache = ['-o', 'entry_timeout=0,attr_timeout=0'];
    const dir = mountBindfs(under, ['--force-user=root', '--force-group=root', ...noCache]);
    // The program itself, which is root's here and follows links, sees no victim.
    const script = 'mount --bind "$0" "$1"; shift; exec "$@"';
    const as = ['unshare', '--mount', 'sh', '-c', script, victim, seen];
    const program = runningGobonnie([...ENDLESS, '--dir', dir], { as });
    await program.said(/Duration/);
    const scratch = scratchIn(under) ?? '';
    renameSync(scratch, path.join(under, 'moved'));
    symlinkSync(seen, scratch);
    program.kill('SIGINT');
    await program.ended;
    expect(readdirSync(victim).toSorted()).toEqual(['bonnie.0', 'owner']);
  });
});

describe('a directory that was renamed meanwhile', () => {
  beforeEach(needs('root', '/proc/self/fd'));

  test.each([
    ['as the kernel calls what is removed', Buffer.from('moved (deleted)')],
    ['to what is no text', Buffer.from([0x78, 0xff])],
  ])('is removed under its name: %s', async (_, name) => {
    const dir = makeOpenDirectory();
    let isRenamed = false;
    const { outcome } = await run(
      { dir, ...SMALL_OPTIONS },
      {
        onEvent: ({ type }) => {
          if (type !== 'run-end') return;
          renameSync(scratchIn(dir) ?? '', Buffer.concat([Buffer.from(`${dir}/`), name]));
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
  beforeEach(needsNobody);

  test('is held, be the group called as its user: it may have others in it', async () => {
    const dir = makeDirectory();
    chownSync(dir, OTHER_ID, OTHER_ID);
    chmodSync(dir, 0o775);
    const args = ['--dir', dir, ...SMALL, '--files', '10', '--phases', 'create,delete'];
    expect((await gobonnie(args, NOBODY)).stderr).toContain(HELD);
    chmodSync(dir, 0o755);
    expect((await gobonnie(args, NOBODY)).stderr).not.toContain(HELD);
  });
});
