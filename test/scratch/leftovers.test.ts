import { execFileSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { findLeftovers, removeDeadLeftovers, removeDeadRun } from '../../src/scratch/leftovers.js';
import { MARKER_NAME } from '../../src/scratch/marker.js';
import { currentOwner } from '../../src/scratch/owner.js';
import { makeDirectory } from '../support/disks/directory.js';
import { requireTools } from '../support/tools.js';

beforeEach(requireTools('/proc/self/stat'));

const NO_MARKER = 'it has no valid gobonnie marker; remove it by hand if you do not need it';
/** A process that has ended and had this process's ID. */
const DEAD = { ...currentOwner(), startTime: '1' };
/** Another machine. */
const ELSEWHERE = { host: 'elsewhere', boot: 'another' };

/** Returns the text of a marker. */
function markerText(facts: object = {}): string {
  const valid = { format: 'gobonnie-scratch/4', owner: DEAD };
  return JSON.stringify({ ...valid, ...facts });
}

/** Makes a scratch directory in `dir` with one data file and this marker. */
function makeScratch(dir: string, marker: string | null, name = 'gobonnie-abcdef'): string {
  const scratch = path.join(dir, name);
  mkdirSync(scratch, { mode: 0o700 });
  writeFileSync(path.join(scratch, 'bonnie.0'), 'x');
  if (marker !== null) writeFileSync(path.join(scratch, MARKER_NAME), marker);
  return scratch;
}

describe('a host that the user declares dead', () => {
  const ON_DEAD_HOST = markerText({ owner: { ...DEAD, ...ELSEWHERE } });

  test('loses its leftovers, and other hosts keep theirs', async () => {
    const dir = makeDirectory();
    const scratch = makeScratch(dir, ON_DEAD_HOST);
    const other = markerText({ owner: { ...DEAD, ...ELSEWHERE, host: 'other' } });
    makeScratch(dir, other, 'gobonnie-zzzzzz');
    const found = await findLeftovers(dir, 'elsewhere');
    expect(found.filter(({ reason }) => reason === null).map(({ path }) => path)).toEqual([scratch]);
    expect(await removeDeadLeftovers(dir, 'elsewhere')).toEqual([{ path: scratch, error: null }]);
    expect(readdirSync(dir)).toEqual(['gobonnie-zzzzzz']);
  });

  test('keeps the directories of its live processes if it is this host', async () => {
    const dir = makeDirectory();
    makeScratch(dir, markerText({ owner: currentOwner() }));
    expect((await findLeftovers(dir, currentOwner().host))[0]?.reason).toBe(
      `process ${process.pid} is using it`,
    );
    expect(await removeDeadLeftovers(dir, currentOwner().host)).toEqual([]);
  });

  test('keeps a directory that has no marker', async () => {
    const dir = makeDirectory();
    makeScratch(dir, null);
    expect(await removeDeadLeftovers(dir, 'elsewhere')).toEqual([]);
  });
});

async function expectKept(scratch: string, reason: string): Promise<void> {
  const dir = path.dirname(scratch);
  const before = readdirSync(scratch);
  expect(await findLeftovers(dir)).toEqual([{ path: scratch, reason }]);
  expect(await removeDeadLeftovers(dir)).toEqual([]);
  expect(readdirSync(scratch)).toEqual(before);
}

test('the scratch directory of a dead process is removed', async () => {
  const dir = makeDirectory();
  const scratch = makeScratch(dir, markerText());
  expect(await findLeftovers(dir)).toEqual([{ path: scratch, reason: null }]);
  expect(await removeDeadLeftovers(dir)).toEqual([{ path: scratch, error: null }]);
  expect(readdirSync(dir)).toEqual([]);
});

test('files of another program among the small files of a dead process are kept, with the marker', async () => {
  const dir = makeDirectory();
  const scratch = makeScratch(dir, markerText());
  const tree = path.join(scratch, 'tree.0-random', '00000');
  mkdirSync(tree, { recursive: true });
  for (const name of ['theirs', 'xYz0000000001', '0000000001.bak']) writeFileSync(path.join(tree, name), '');
  const error = expect.objectContaining({ code: 'ENOTEMPTY' });
  expect(await removeDeadLeftovers(dir)).toEqual([{ path: scratch, error }]);
  expect(readdirSync(tree).toSorted()).toEqual(['0000000001.bak', 'theirs']);
  expect(readdirSync(scratch).toSorted()).toEqual([MARKER_NAME, 'tree.0-random']);
});

test('files that another rank still creates during the removal are also removed', async () => {
  const dir = makeDirectory();
  const tree = path.join(makeScratch(dir, markerText()), 'tree.0');
  mkdirSync(tree);
  const first = path.join(tree, '0000000000');
  let end = Number.POSITIVE_INFINITY;
  let created = 0;
  const creating = (async () => {
    for (; performance.now() < end && existsSync(tree); created++) {
      writeFileSync(path.join(tree, `${created}`.padStart(10, '0')), '');
      await setImmediate();
      // The removal has begun.
      if (!existsSync(first)) end = Math.min(end, performance.now() + 100);
    }
  })();
  expect((await removeDeadLeftovers(dir))[0]?.error).toBeNull();
  await creating;
  expect(created).toBeGreaterThan(2);
  expect(readdirSync(dir)).toEqual([]);
});

test.each<[string, object, string]>([
  [
    'on another machine',
    { ...DEAD, ...ELSEWHERE },
    'it may be in use on elsewhere; run gobonnie clean there, or gobonnie clean --host elsewhere if that host is gone',
  ],
  ['that is alive', currentOwner(), `process ${process.pid} is using it`],
])('the scratch directory of a process %s is kept', async (_, owner, reason) => {
  await expectKept(makeScratch(makeDirectory(), markerText({ owner })), reason);
});

test.each([
  ['no marker', null],
  ['a truncated marker', markerText().slice(0, 100)],
  ['a marker of a newer format', markerText({ format: 'gobonnie-scratch/9' })],
  ['a marker with an incomplete owner', markerText({ owner: { host: DEAD.host } })],
])('a directory with the name of a scratch directory and %s is kept', async (_, marker) => {
  await expectKept(makeScratch(makeDirectory(), marker), NO_MARKER);
});

test('a leftover that another process uses by the time of its removal is kept', async () => {
  const dir = makeDirectory();
  const names = ['gobonnie-aaaaaa', 'gobonnie-bbbbbb'];
  // Removing 2,000 files takes a while.
  for (const scratch of names.map((name) => makeScratch(dir, markerText(), name)))
    for (let index = 1; index < 2000; index++) writeFileSync(path.join(scratch, `bonnie.${index}`), '');
  const complete = () => names.filter((name) => readdirSync(path.join(dir, name)).length === 2001);
  const clearing = removeDeadLeftovers(dir);
  await vi.waitUntil(() => complete().length === 1, { timeout: 100_000, interval: 1 });
  const [other = ''] = complete();
  writeFileSync(path.join(dir, other, MARKER_NAME), markerText({ owner: currentOwner() }));
  expect(await clearing).toHaveLength(1);
  expect(readdirSync(dir)).toEqual([other]);
  expect(readdirSync(path.join(dir, other))).toContain('bonnie.0');
});

test.each<[string, (marker: string, file: string) => void]>([
  ['a link to a marker', (marker, file) => symlinkSync(file, marker)],
  ['a FIFO', (marker) => execFileSync('mkfifo', [marker])],
])('a scratch directory with %s in place of its marker is kept', async (_, put) => {
  const scratch = makeScratch(makeDirectory(), markerText());
  const marker = path.join(scratch, MARKER_NAME);
  const file = path.join(makeDirectory(), 'marker');
  renameSync(marker, file);
  put(marker, file);
  await expectKept(scratch, NO_MARKER);
});

test('a link to a scratch directory is not followed', async () => {
  const dir = makeDirectory();
  const scratch = makeScratch(makeDirectory(), markerText());
  symlinkSync(scratch, path.join(dir, path.basename(scratch)));
  expect(await findLeftovers(dir)).toEqual([]);
  expect(await removeDeadLeftovers(dir)).toEqual([]);
  expect(readdirSync(scratch)).toContain('bonnie.0');
});

test('the removal does not follow a link in place of a tree', async () => {
  const dir = makeDirectory();
  const victim = makeDirectory();
  writeFileSync(path.join(victim, 'target'), 'mine');
  mkdirSync(path.join(victim, '00000'));
  const scratch = makeScratch(dir, markerText());
  symlinkSync(victim, path.join(scratch, 'tree.0'));
  const error = expect.objectContaining({ message: 'another file or directory has replaced it' });
  expect(await removeDeadLeftovers(dir)).toEqual([{ path: scratch, error }]);
  expect(readdirSync(victim).toSorted()).toEqual(['00000', 'target']);
});

test('a scratch directory whose marker belongs to another user is kept', async (context) => {
  requireTools('root')(context);
  const scratch = makeScratch(makeDirectory(), markerText());
  chownSync(path.join(scratch, MARKER_NAME), 65_534, 65_534);
  await expectKept(scratch, NO_MARKER);
});

test('the watcher keeps a directory that now belongs to another user', async (context) => {
  requireTools('root')(context);
  const scratch = makeScratch(makeDirectory(), markerText());
  chownSync(scratch, 65_534, 65_534);
  await removeDeadRun({ directory: scratch, owner: DEAD });
  expect(readdirSync(scratch)).toContain('bonnie.0');
});

test('the watcher removes the scratch directory of its run', async () => {
  const dir = makeDirectory();
  const directory = makeScratch(dir, markerText());
  await removeDeadRun({ directory, owner: DEAD });
  expect(readdirSync(dir)).toEqual([]);
});

test.each([
  ['of another run', markerText({ owner: { ...DEAD, startTime: '2' } })],
  ['with a marker of another format', markerText({ format: 'gobonnie-scratch/9' })],
  ['with an empty marker', ''],
])('the watcher keeps a directory %s that has replaced the watched directory', async (_, marker) => {
  const directory = makeScratch(makeDirectory(), marker);
  await removeDeadRun({ directory, owner: DEAD });
  expect(readdirSync(directory).toSorted()).toEqual(['bonnie.0', MARKER_NAME]);
});

test.each<[string, (moved: string, directory: string) => void]>([
  ['a link', (moved, directory) => symlinkSync(moved, directory)],
  ['a FIFO', (_, directory) => execFileSync('mkfifo', [directory])],
])('the watcher does not open %s that has replaced the watched directory', async (_, put) => {
  const directory = makeScratch(makeDirectory(), markerText());
  const moved = path.join(makeDirectory(), 'moved');
  renameSync(directory, moved);
  put(moved, directory);
  await removeDeadRun({ directory, owner: DEAD });
  expect(readdirSync(moved).toSorted()).toEqual(['bonnie.0', MARKER_NAME]);
});

describe('after a run was killed while it created its directory', () => {
  function createUnfinished(marker: string | null) {
    const dir = makeDirectory();
    const directory = path.join(dir, 'gobonnie-abcdef');
    mkdirSync(directory, { mode: 0o700 });
    if (marker !== null) writeFileSync(path.join(directory, MARKER_NAME), marker, { mode: 0o600 });
    return { dir, directory };
  }

  test.each([
    ['no marker', null],
    ['an empty marker', ''],
  ])('the watcher removes a directory with %s', async (_, marker) => {
    const { dir, directory } = createUnfinished(marker);
    await removeDeadRun({ directory, owner: DEAD });
    expect(readdirSync(dir)).toEqual([]);
  });

  test('the watcher keeps a directory with a marker of another program', async () => {
    const { dir, directory } = createUnfinished('theirs');
    const before = readdirSync(dir, { recursive: true });
    await removeDeadRun({ directory, owner: DEAD }).catch(() => {});
    expect(readdirSync(dir, { recursive: true })).toEqual(before);
  });
});
