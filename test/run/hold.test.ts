import { chmodSync, chownSync, readdirSync, renameSync } from 'node:fs';
import { run } from 'gobonnie';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeDirectory, makeOpenDirectory, scratchIn } from '../directory.js';
import { gobonnie } from '../program.js';
import { SMALL, SMALL_OPTIONS } from '../small-run.js';
import { NOBODY, needs, needsNobody } from '../tool.js';

const OTHER_ID = 65_534;
const HELD = 'others may rename';

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
