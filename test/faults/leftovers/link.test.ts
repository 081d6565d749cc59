import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { makeDirectory } from '../../support/disks/directory.js';
import { changeMarker, makeLeftover } from '../../support/programs/leftover.js';
import { gobonnie } from '../../support/programs/program.js';
import { SMALL } from '../../support/programs/small-run.js';
import { needs } from '../../support/tool.js';

beforeEach(needs('/proc/self/io'));

// On a mounted disk, whoever prepared or serves it can have put a link into any directory.
test.each([
  ['a tree', 'tree.0'],
  ['a directory of a tree', 'tree.1-random/00000'],
])('a link in place of %s is not followed by the next run', async (_, below) => {
  const dir = makeDirectory();
  const scratch = await makeLeftover(dir, ['--directories', '2']);
  const [place, victim] = [path.join(scratch, below), path.join(makeDirectory(), 'victim')];
  renameSync(place, victim);
  symlinkSync(victim, place);
  const before = readdirSync(victim, { recursive: true });
  expect(before.length).toBeGreaterThan(10);
  const { stderr, exitCode } = await gobonnie(['-q', '--dir', dir, ...SMALL]);
  expect(stderr).toMatch(
    /^gobonnie: could not remove \S+, left by a killed run: not a directory \(ENOTDIR\); /,
  );
  expect(exitCode).toBe(0);
  expect(readdirSync(victim, { recursive: true })).toEqual(before);
});

test('a link in place of a tree is not followed to the target of its links', async () => {
  const dir = makeDirectory();
  const scratch = await makeLeftover(dir);
  const victim = makeDirectory();
  writeFileSync(path.join(victim, 'target'), 'mine');
  mkdirSync(path.join(victim, '00000'));
  const tree = { kind: 'symlinks', count: 0, directories: 1, minBytes: 0, maxBytes: 0 };
  changeMarker(scratch, () => ({ trees: [tree] }));
  renameSync(path.join(scratch, 'tree.0'), path.join(makeDirectory(), 'away'));
  symlinkSync(victim, path.join(scratch, 'tree.0'));
  expect((await gobonnie(['clean', dir])).exitCode).toBe(1);
  expect(readdirSync(victim).toSorted()).toEqual(['00000', 'target']);
});
