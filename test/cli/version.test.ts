import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runGobonnie } from '../support/programs/program.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

test.each(['-version', 'version'])(
  'gobonnie %s prints the version of the package and nothing else',
  async (flag) => {
    expect(await runGobonnie([flag])).toEqual({
      stdout: `gobonnie version ${version}\n`,
      stderr: '',
      exitCode: 0,
      signal: null,
    });
  },
);
