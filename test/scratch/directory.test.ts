import { chmodSync, chownSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { type Report, run } from 'gobonnie';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeDirectory } from '../support/disks/directory.js';
import { mountBindfs } from '../support/disks/mounts.js';
import { endWithWatcher } from '../support/programs/leftover.js';
import { runGobonnie } from '../support/programs/program.js';
import { startGobonnieForTest } from '../support/programs/running-program.js';
import { omitFlagsWithoutEffect, SMALL_FLAGS, SMALL_OPTIONS } from '../support/programs/small-run.js';
import { requireTools } from '../support/tools.js';

const OTHER_ID = 65_534;

function findWarning({ warnings }: Report): string | undefined {
  return warnings.find(({ code }) => code === 'writable-by-others')?.message;
}

describe('the warning that other users can write to the directory', () => {
  beforeEach(requireTools('root'));

  test.each([
    ['of mode 777', true, 0o777, 0],
    ['that a group of other users can write to', true, 0o775, OTHER_ID],
    ['that is sticky, like /tmp', false, 0o1777, 0],
    ['that the own group can write to, as with umask 002', false, 0o775, 0],
    ['of mode 755', false, 0o755, 0],
  ] as const)('for a directory %s: %s', async (_, isExpected, mode, group) => {
    const dir = makeDirectory();
    chownSync(dir, 0, group);
    chmodSync(dir, mode);
    const report = await run({ dir, ...SMALL_OPTIONS });
    expect(findWarning(report)?.startsWith(`other users can write to ${dir}, `)).toBe(
      isExpected || undefined,
    );
    expect(readdirSync(dir)).toEqual([]);
  });

  test('does not appear in the home directory of a user for whom root measures', async () => {
    const dir = makeDirectory();
    chownSync(dir, OTHER_ID, OTHER_ID);
    chmodSync(dir, 0o755);
    expect(findWarning(await run({ dir, ...SMALL_OPTIONS }))).toBeUndefined();
  });
});

describe('on a FUSE mount', () => {
  beforeEach(requireTools('root', 'bindfs', '/dev/fuse'));

  test('that gives new files to another user, a run is rejected with an explanation', async () => {
    const under = makeDirectory();
    chmodSync(under, 0o1777);
    const dir = mountBindfs(under, ['--create-for-user=nobody']);
    const { stderr, exitCode } = await runGobonnie(['-q', '--dir', dir, ...SMALL_FLAGS]);
    expect(stderr).toBe(
      `gobonnie: directories created in ${dir} belong to another user (uid ${OTHER_ID}) because of its mount options; ` +
        'run gobonnie as a user who owns new files there, or measure another directory\n',
    );
    expect(exitCode).toBe(1);
    expect(readdirSync(under)).toEqual([]);
  });

  test('that shows all files as writable by everybody, a run works with a warning, and the watcher cleans up after a kill', async () => {
    const under = makeDirectory();
    const dir = mountBindfs(under, ['-p', '0777']);
    mkdirSync(path.join(under, 'sub'));
    const phases = ['--files', '10', '--phases', 'write,create,delete'];
    const flags = omitFlagsWithoutEffect(['--dir', path.join(dir, 'sub'), ...SMALL_FLAGS, ...phases]);
    const { stderr, exitCode } = await runGobonnie(flags);
    expect(stderr).toMatch(/ warning: other users can write to \S+, and could move gobonnie's files aside/);
    expect(exitCode).toBe(0);
    const program = startGobonnieForTest(['-v', '--runs', '1000', ...flags]);
    await program.untilStderr(/Duration/);
    await endWithWatcher(program, 'SIGKILL');
    expect(readdirSync(under, { recursive: true })).toEqual(['sub']);
  });
});
