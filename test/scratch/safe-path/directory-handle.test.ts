import { chmodSync, chownSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from 'gobonnie';
import { beforeEach, describe, expect, test } from 'vitest';
import { findScratch, makeDirectory, makePublicDirectory } from '../../support/disks/directory.js';
import { mountBindfs } from '../../support/disks/mounts.js';
import { endWithWatcher } from '../../support/programs/leftover.js';
import { runGobonnie } from '../../support/programs/program.js';
import { startGobonnieForTest } from '../../support/programs/running-program.js';
import { SMALL_FLAGS, SMALL_OPTIONS } from '../../support/programs/small-run.js';
import { NOBODY, requireNobody, requireTools } from '../../support/tools.js';

const OTHER_ID = 65_534;
const ENDLESS = ['-v', '--runs', '1000', ...SMALL_FLAGS];
const RENAMABLE = 'other users can rename';

test.for([
  ['all files', ['--force-user=nobody'], 0o755],
  ['new files in a sticky directory', ['--create-for-user=nobody'], 0o1777],
] as const)(
  'a mount that gives %s to another user is rejected with an explanation',
  async ([_, options, mode], context) => {
    requireTools('root', 'bindfs', '/dev/fuse')(context);
    const under = makeDirectory();
    chmodSync(under, mode);
    const dir = mountBindfs(under, options);
    const { stderr, exitCode } = await runGobonnie(['-q', '--dir', dir, ...SMALL_FLAGS]);
    expect(stderr).toBe(
      `gobonnie: directories created in ${dir} belong to another user (uid ${OTHER_ID}) because of its mount options; ` +
        'run gobonnie as a user who owns new files there, or measure another directory\n',
    );
    expect(exitCode).toBe(1);
    expect(readdirSync(under)).toEqual([]);
  },
);

describe('a mount on which everyone may write to new files', () => {
  beforeEach(requireTools('root', 'bindfs', '/dev/fuse'));
  const mountOpen = (under: string) => mountBindfs(under, ['-p', '0777']);

  test('a run works on a mount where everybody can write to new files, with a warning, and leaves nothing behind', async () => {
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

  test('root cannot measure small files there, because other users could redirect it with links', async () => {
    const under = makePublicDirectory();
    const dir = mountOpen(under);
    const args = ['-q', '--dir', dir, ...SMALL_FLAGS, '--files', '10', '--phases', 'create,delete'];
    const { stderr, exitCode } = await runGobonnie(args);
    expect(stderr).toMatch(
      /^gobonnie: other users can write to files created in \S+, and could redirect root with links/,
    );
    expect(exitCode).toBe(1);
    expect(readdirSync(under)).toEqual([]);
    expect(await runGobonnie(args, NOBODY)).toMatchObject({ stderr: '', exitCode: 0 });
  });

  test('the watcher cleans up there after a kill', async () => {
    const under = makeDirectory();
    const program = startGobonnieForTest([...ENDLESS, '--dir', mountOpen(under)]);
    await program.untilStderr(/Duration/);
    await endWithWatcher(program, 'SIGKILL');
    expect(readdirSync(under)).toEqual([]);
  });
});

test('a FUSE filesystem cannot redirect the clean-up with an invented link', async (context) => {
  requireTools('root', 'bindfs', '/dev/fuse', 'unshare')(context);
  const under = makeDirectory();
  const victim = makeDirectory();
  const mountPoint = makeDirectory();
  for (const name of ['owner', 'bonnie.0']) writeFileSync(path.join(victim, name), 'mine');
  chownSync(under, OTHER_ID, OTHER_ID);
  const noCache = ['-o', 'entry_timeout=0,attr_timeout=0'];
  const dir = mountBindfs(under, ['--force-user=root', '--force-group=root', ...noCache]);
  // Hide the victim from the FUSE program, which runs as root here and follows links.
  const script = 'mount --bind "$0" "$1"; shift; exec "$@"';
  const as = ['unshare', '--mount', 'sh', '-c', script, victim, mountPoint];
  const program = startGobonnieForTest([...ENDLESS, '--dir', dir], { as });
  await program.untilStderr(/Duration/);
  const scratch = findScratch(under) ?? '';
  renameSync(scratch, path.join(under, 'moved'));
  symlinkSync(mountPoint, scratch);
  program.kill('SIGINT');
  await program.exitResult;
  expect(readdirSync(victim).toSorted()).toEqual(['bonnie.0', 'owner']);
});

test.for([
  ['that looks like the kernel’s name of a removed file', Buffer.from('moved (deleted)')],
  ['that is not UTF-8', Buffer.from([0x78, 0xff])],
] as const)('a renamed directory is removed under a new name %s', async ([_, name], context) => {
  requireTools('root', '/proc/self/fd')(context);
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

test('gobonnie keeps a group-writable directory open, even if the group has the user’s name', async (context) => {
  requireNobody(context);
  const dir = makeDirectory();
  chownSync(dir, OTHER_ID, OTHER_ID);
  chmodSync(dir, 0o775);
  const args = ['--dir', dir, ...SMALL_FLAGS, '--files', '10', '--phases', 'create,delete'];
  expect((await runGobonnie(args, NOBODY)).stderr).toContain(RENAMABLE);
  chmodSync(dir, 0o755);
  expect((await runGobonnie(args, NOBODY)).stderr).not.toContain(RENAMABLE);
});
