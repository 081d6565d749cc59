import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { run } from 'gobonnie';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { clearLeftovers, removeAbandoned } from '../../../src/scratch/leftovers.js';
import { MARKER_NAME } from '../../../src/scratch/marker.js';
import { ownOwner, ownProcessId } from '../../../src/scratch/owner.js';
import { makeDirectory, makeOpenDirectory, scratchIn } from '../../support/disks/directory.js';
import { changeMarker, endWatched, makeLeftover, startEndless } from '../../support/programs/leftover.js';
import { gobonnie, start } from '../../support/programs/program.js';
import { SMALL, SMALL_OPTIONS } from '../../support/programs/small-run.js';
import { NOBODY, needs, needsNobody } from '../../support/tool.js';

const NO_MARKER = 'it has no valid gobonnie marker; remove it by hand if you do not need it';

beforeEach(needs('/proc/self/io'));

test('a run that is killed together with its watcher leaves its files', async () => {
  const scratch = await makeLeftover(makeDirectory());
  expect(readdirSync(scratch).toSorted()).toEqual([
    ...['bonnie.0', 'bonnie.1', 'owner', 'tree.0', 'tree.0-random', 'tree.1', 'tree.1-random'],
  ]);
});

describe('the next run in a directory with leftovers', () => {
  test('removes them, says so, and measures', async () => {
    const dir = makeDirectory();
    const scratch = await makeLeftover(dir);
    const { stderr, exitCode } = await gobonnie(['-q', '--dir', dir, ...SMALL]);
    expect(stderr).toBe(`gobonnie: removed ${scratch}, left by a killed run\n`);
    expect(exitCode).toBe(0);
    expect(readdirSync(dir)).toEqual([]);
  });

  test('removes them without a message in the library', async () => {
    const dir = makeDirectory();
    await makeLeftover(dir);
    expect((await run({ dir, ...SMALL_OPTIONS })).outcome.state).toBe('completed');
    expect(readdirSync(dir)).toEqual([]);
  });

  test('leaves them with --dry-run', async () => {
    const dir = makeDirectory();
    const scratch = await makeLeftover(dir);
    await gobonnie(['--dry-run', '--dir', dir, ...SMALL]);
    expect(existsSync(scratch)).toBe(true);
  });

  test('does not touch the files of a run in progress', async () => {
    const dir = makeDirectory();
    const other = await startEndless(dir);
    const { stderr, exitCode } = await gobonnie(['-q', '--dir', dir, ...SMALL]);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(readdirSync(scratchIn(dir) ?? '')).toContain('bonnie.0');
    other.kill('SIGINT');
    expect((await other.ended).exitCode).toBe(130);
    expect(readdirSync(dir)).toEqual([]);
  });
});

describe('gobonnie clean', () => {
  test('removes a leftover, with the directories that were created for it', async () => {
    const dir = makeDirectory();
    const made = path.join(dir, 'made', 'for it');
    const scratch = await makeLeftover(made);
    const { stdout, stderr, exitCode } = await gobonnie(['clean', made]);
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: `removed "${scratch}"\n`,
      stderr: '',
      exitCode: 0,
    });
    expect(readdirSync(dir)).toEqual([]);
  });

  test('--dry-run says what it would remove', async () => {
    const dir = makeDirectory();
    const scratch = await makeLeftover(dir);
    const { stdout, exitCode } = await gobonnie(['clean', '--dry-run', dir]);
    expect({ stdout, exitCode }).toEqual({ stdout: `would remove ${scratch}\n`, exitCode: 0 });
    expect(readdirSync(scratch)).toContain('bonnie.0');
  });

  test('leaves files of other programs in a leftover, and names the directory that stays', async () => {
    const dir = makeDirectory();
    const scratch = await makeLeftover(dir);
    writeFileSync(path.join(scratch, 'theirs'), 'x');
    const { stdout, stderr, exitCode } = await gobonnie(['clean', dir]);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    expect(stderr).toMatch(
      /^gobonnie: could not remove \S+, left by a killed run: directory not empty \(ENOTEMPTY\)/,
    );
    expect(readdirSync(scratch).toSorted()).toEqual([MARKER_NAME, 'theirs']);
  });

  const ELSEWHERE = {
    'another machine': [{ host: 'elsewhere' }, 'it may be in use on elsewhere; run gobonnie clean there'],
    'another container': [
      { pidNamespace: 'pid:[1]' },
      'it may be in use in another container; run gobonnie clean there',
    ],
    'a running process': [{ pid: process.pid, startTime: '' }, `process ${process.pid} is using it`],
  } as const;

  test.each(Object.entries(ELSEWHERE))('leaves the directory of %s', async (_, [change, reason]) => {
    const dir = makeDirectory();
    const scratch = await makeLeftover(dir);
    changeMarker(scratch, ({ owner }) => ({ owner: { ...owner, ...change } }));
    const { stdout, stderr, exitCode } = await gobonnie(['clean', dir]);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 0 });
    expect(stderr).toContain(`gobonnie: ${scratch} stays: ${reason}`);
    expect(readdirSync(scratch)).toContain('bonnie.0');
  });

  const ODD = {
    'no marker': null,
    'an empty marker': '',
    'a truncated marker': '{"format":"gobonnie-scratch/2","owner":{"host":',
    'a marker with invalid numbers': '{"format":"gobonnie-scratch/2","owner":{},"files":"1"}\n',
    'a marker of another program': '{"format":"gobonnie-scratch/9"}\n',
  };

  test.each(Object.entries(ODD))('leaves a directory with its name and %s', async (_, marker) => {
    const dir = makeDirectory();
    const theirs = path.join(dir, 'gobonnie-theirs');
    mkdirSync(theirs);
    writeFileSync(path.join(theirs, 'bonnie.0'), 'x');
    if (marker !== null) writeFileSync(path.join(theirs, MARKER_NAME), marker);
    const { stdout, stderr, exitCode } = await gobonnie(['clean', dir]);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 0 });
    expect(stderr).toBe(`gobonnie: ${theirs} stays: ${NO_MARKER}\n`);
    expect(readdirSync(theirs)).toContain('bonnie.0');
  });

  test.each([1, 9])('leaves one whose marker has the format of another version, %i', async (version) => {
    const dir = makeDirectory();
    const scratch = await makeLeftover(dir);
    changeMarker(scratch, () => ({ format: `gobonnie-scratch/${version}` }));
    expect((await gobonnie(['clean', dir])).stderr).toContain(NO_MARKER);
    expect(readdirSync(scratch)).toContain('bonnie.0');
  });

  test.each(['a link to a marker', 'a FIFO'])('leaves one in which %s is the marker', async (what) => {
    const dir = makeDirectory();
    const scratch = await makeLeftover(dir);
    const marker = path.join(scratch, MARKER_NAME);
    renameSync(marker, path.join(dir, 'marker'));
    if (what === 'a FIFO') execFileSync('mkfifo', [marker]);
    else symlinkSync(path.join(dir, 'marker'), marker);
    expect((await gobonnie(['clean', dir])).stderr).toContain(NO_MARKER);
    expect(readdirSync(scratch)).toContain('bonnie.0');
  });

  test('leaves one that has come into use when its turn comes', async () => {
    const dir = makeDirectory();
    for (let made = 0; made < 2; made++) {
      const scratch = await makeLeftover(makeDirectory());
      // Trying 20,000 files takes a while.
      changeMarker(scratch, () => ({ files: 20_000 }));
      renameSync(scratch, path.join(dir, path.basename(scratch)));
    }
    const withData = () => readdirSync(dir).filter((name) => existsSync(path.join(dir, name, 'bonnie.0')));
    const clearing = clearLeftovers(dir);
    await vi.waitUntil(() => withData().length === 1, { timeout: 100_000, interval: 1 });
    const [other = ''] = withData();
    changeMarker(path.join(dir, other), ({ owner }) => ({ owner: { ...owner, ...ownProcessId() } }));
    expect(await clearing).toHaveLength(2);
    expect(readdirSync(dir)).toEqual([other]);
    expect(readdirSync(path.join(dir, other))).toContain('bonnie.0');
  });

  test.each([
    ['in a directory of this user', makeDirectory],
    ['in a directory where others may rename it', makeOpenDirectory],
  ])('leaves one that others can write to, %s', async (_, make) => {
    const dir = make();
    const scratch = await makeLeftover(dir);
    chmodSync(scratch, 0o777);
    const { stderr, exitCode } = await gobonnie(['clean', dir]);
    expect(stderr).toContain(', left by a killed run: other users can write to it');
    expect(exitCode).toBe(1);
    expect(readdirSync(scratch)).toContain('bonnie.0');
  });

  test('does not follow a link to a leftover', async () => {
    const [dir, other] = [makeDirectory(), makeDirectory()];
    const scratch = await makeLeftover(other);
    symlinkSync(scratch, path.join(dir, path.basename(scratch)));
    const { stdout, stderr } = await gobonnie(['clean', dir]);
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: nothingOfYours(dir) });
    expect(readdirSync(scratch)).toContain('bonnie.0');
  });

  test('names a directory that it cannot search', async () => {
    const { stdout, stderr, exitCode } = await gobonnie(['clean', path.join(makeDirectory(), 'gone')]);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toMatch(
      /^gobonnie: cannot search \S+gone for leftovers: no such file or directory \(ENOENT\); pass /,
    );
  });

  describe('a scratch directory of another user', () => {
    beforeEach(needsNobody);

    test('is not touched, even for root', async () => {
      const dir = makeOpenDirectory();
      const scratch = await makeLeftover(dir, [], NOBODY);
      const { stdout, stderr } = await gobonnie(['clean', dir]);
      expect({ stdout, stderr }).toEqual({ stdout: '', stderr: nothingOfYours(dir) });
      expect(readdirSync(scratch)).toContain('bonnie.0');
    });

    test('is not touched if only its marker belongs to that user', async () => {
      const dir = makeDirectory();
      const scratch = await makeLeftover(dir);
      chownSync(path.join(scratch, MARKER_NAME), 65534, 65534);
      expect((await gobonnie(['clean', dir])).stderr).toContain(NO_MARKER);
      expect(readdirSync(scratch)).toContain('bonnie.0');
    });
  });
});

describe('the watcher', () => {
  /** Kills a run after a change to its directory, and waits until its watcher has ended. */
  async function killWatched(dir: string, happens: (scratch: string) => void): Promise<void> {
    const program = await startEndless(dir);
    happens(scratchIn(dir) ?? '');
    await endWatched(program, 'SIGKILL');
  }

  test('is one process that ends with the run', async () => {
    const dir = makeDirectory();
    await endWatched(await startEndless(dir), 'SIGINT');
    expect(readdirSync(dir)).toEqual([]);
  });

  test('survives a signal to the whole process group', async () => {
    const dir = makeDirectory();
    const program = start('setsid', ['--wait', process.execPath, ...groupKilled(dir)]);
    onTestFinished(() => program.ended.then(() => {}));
    await program.ended;
    await vi.waitUntil(() => readdirSync(dir).length === 0, { timeout: 100_000 });
  });

  test.each<[string, (other: string) => void]>([
    [
      'of another run',
      (other) => changeMarker(other, ({ owner }) => ({ owner: { ...owner, startTime: '1' } })),
    ],
    ['of another format', (other) => changeMarker(other, () => ({ format: 'gobonnie-scratch/9' }))],
    ['whose marker is empty', (other) => writeFileSync(path.join(other, MARKER_NAME), '')],
  ])('leaves what has replaced the directory it watches: a directory %s', async (_, change) => {
    const [dir, other] = [makeDirectory(), await makeLeftover(makeDirectory())];
    change(other);
    const before = readdirSync(other);
    await killWatched(dir, (scratch) => {
      renameSync(scratch, path.join(dir, 'moved'));
      renameSync(other, scratch);
    });
    expect(readdirSync(scratchIn(dir) ?? '')).toEqual(before);
  });

  test.each(['a link', 'a FIFO'])(
    'does not open %s that has replaced the directory it watches',
    async (what) => {
      const [dir, other] = [makeDirectory(), makeDirectory()];
      const moved = path.join(other, 'moved');
      await killWatched(dir, (scratch) => {
        renameSync(scratch, moved);
        if (what === 'a link') symlinkSync(moved, scratch);
        else execFileSync('mkfifo', [scratch]);
      });
      expect(readdirSync(moved)).toContain('bonnie.0');
    },
  );

  test('leaves empty directories above once the scratch directory was moved', async () => {
    const dir = makeDirectory();
    const [made, mine] = [path.join(dir, 'made'), path.join(dir, 'mine')];
    mkdirSync(mine);
    await killWatched(made, (scratch) => {
      renameSync(scratch, path.join(dir, 'moved'));
      renameSync(made, path.join(dir, 'unused'));
      renameSync(mine, made);
    });
    expect(readdirSync(dir).toSorted()).toEqual(['made', 'moved', 'unused']);
  });

  describe('as root', () => {
    beforeEach(needs('root'));

    test('leaves a directory that now belongs to another user', async () => {
      const dir = makeOpenDirectory();
      await killWatched(dir, (scratch) => chownSync(scratch, 65534, 65534));
      expect(readdirSync(scratchIn(dir) ?? '')).toContain('bonnie.0');
    });
  });
});

describe('after a run was killed while it created its directory', () => {
  const owner = ownOwner();

  /** Two directories that were created for a scratch directory, which has this marker. */
  function making(marker: string | null) {
    const dir = makeDirectory();
    const directory = path.join(dir, 'made', 'for it', 'gobonnie-abcdef');
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    if (marker !== null) writeFileSync(path.join(directory, MARKER_NAME), marker, { mode: 0o600 });
    return { dir, directory };
  }

  test.each([
    ['no marker', null],
    ['an empty marker', ''],
    ['the beginning of a marker', '{"format":"gobonnie-scr'],
  ])('the watcher removes a directory with %s', async (_, marker) => {
    const { dir, directory } = making(marker);
    await removeAbandoned({ directory, owner, newParents: 2 });
    expect(readdirSync(dir)).toEqual([]);
  });

  test('the watcher removes the directories above when nothing else was created yet', async () => {
    const dir = makeDirectory();
    mkdirSync(path.join(dir, 'made'));
    const directory = path.join(dir, 'made', 'not yet', 'gobonnie-abcdef');
    await removeAbandoned({ directory, owner, newParents: 2 });
    expect(readdirSync(dir)).toEqual([]);
  });

  test('the watcher leaves a directory that existed before', async () => {
    const { dir, directory } = making(null);
    await removeAbandoned({ directory, owner, newParents: 1 });
    expect(readdirSync(dir)).toEqual(['made']);
  });

  test.each([
    ['a marker of another program', 'theirs', 2],
    ['no marker although the run had written one', null, null],
  ])('the watcher leaves a directory with %s', async (_, marker, newParents) => {
    const { dir, directory } = making(marker);
    const before = readdirSync(dir, { recursive: true });
    await removeAbandoned({ directory, owner, newParents }).catch(() => {});
    expect(readdirSync(dir, { recursive: true })).toEqual(before);
  });
});

/** The message of clean when it finds nothing. */
function nothingOfYours(dir: string): string {
  return `gobonnie: no leftovers of yours in ${dir}\n`;
}

/** A program that runs gobonnie in its own process group, and kills the group. */
function groupKilled(dir: string): readonly string[] {
  const source = `
    const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, ['bin/gobonnie.cjs', '-v', '--dir', ${JSON.stringify(dir)}, '--size', '0.01'], { stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.on('data', (text) => { if (/operations|Read/.test(text)) process.kill(0, 'SIGKILL'); });`;
  return ['-e', source];
}
