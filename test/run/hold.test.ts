import { readdirSync, renameSync } from 'node:fs';
import { run } from 'gobonnie';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeOpenDirectory, scratchIn } from '../directory.js';
import { SMALL_OPTIONS } from '../small-run.js';
import { needs } from '../tool.js';

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
