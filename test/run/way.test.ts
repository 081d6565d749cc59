import { chmodSync, chownSync, mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { isTrusted } from '../../src/run/way.js';
import { makeDirectory } from '../directory.js';
import { needs } from '../tool.js';

const OTHER_ID = 65_534;

beforeEach(needs('root'));

/** A directory in one that has this mode and belongs to this user. */
function below(mode: number, user = 0, group = 0): string {
  const above = realpathSync(makeDirectory());
  mkdirSync(path.join(above, 'below'));
  chownSync(above, user, group);
  chmodSync(above, mode);
  return path.join(above, 'below');
}

test.each([
  ['root’s alone', 0o755, 0, 0, true],
  ['everybody’s', 0o777, 0, 0, false],
  ['everybody’s, and sticky', 0o1777, 0, 0, true],
  ['a group’s', 0o775, 0, OTHER_ID, false],
  ['a group’s, and sticky', 0o1775, 0, OTHER_ID, true],
  ['of root’s group, where an access list may let in others', 0o775, 0, 0, false],
  ['another user’s, who may rename what is in it', 0o755, OTHER_ID, 0, false],
  ['another user’s, sticky or not', 0o1777, OTHER_ID, 0, false],
] as const)('a directory in one that is %s', async (_, mode, user, group, expected) => {
  expect(await isTrusted(below(mode, user, group))).toBe(expected);
});

test('what is wrong far above is seen', async () => {
  const deep = path.join(below(0o777), 'a', 'b');
  mkdirSync(deep, { recursive: true });
  expect(await isTrusted(deep)).toBe(false);
});
