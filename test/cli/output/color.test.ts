import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { reportWith, runsAt } from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { SMALL_FLAGS } from '../../support/programs/small-run.js';

const ESCAPE = '\u001b';
const RED = `${ESCAPE}[31m`;
const GREEN = `${ESCAPE}[32m`;
const FORCED = { FORCE_COLOR: '1' };

describe('a piped run', () => {
  const argsWith = (...flags: readonly string[]) => {
    const conditions = ['--expect', 'iops>0', '--expect', 'iops>1000M', '--allow-cached'];
    return ['--dir', makeDirectory(), ...SMALL_FLAGS, ...conditions, ...flags];
  };

  test.each<[string[], NodeJS.ProcessEnv]>([
    [['--color'], {}],
    [[], FORCED],
  ])('prints colors on stderr with %j and %j, but no progress line', async (flags, env) => {
    const { stdout, stderr } = await runInProcess(argsWith(...flags), { env });
    expect(stderr).toContain(`${GREEN}✓ iops>0`);
    expect(stderr).toContain(`${RED}✗ iops>1000M`);
    expect(stdout).toMatch(/^Sequential Write MB\/s: [\d.]+\nSequential Read MB\/s: [\d.]+\nIOPS: \d+\n$/);
    expect(stripVTControlCharacters(stderr)).not.toContain(ESCAPE);
    expect(stderr).not.toContain('\r');
  });
});

describe('a comparison', () => {
  const compareReports = async (flags: readonly string[], env: NodeJS.ProcessEnv = {}) => {
    const dir = makeDirectory();
    const files = [1, 0.5].map((share, at) => {
      const file = path.join(dir, `${at}.json`);
      const runs = runsAt(1e9 * share, 1.01e9 * share);
      writeFileSync(file, JSON.stringify(reportWith({ runs, outcome: { state: 'completed' } })));
      return file;
    });
    const { stdout, exitCode } = await runInProcess(['compare', ...files, ...flags], { env });
    expect(exitCode).toBe(3);
    return stdout;
  };

  test('prints a regression in red only with --color', async () => {
    expect(await compareReports(['--color'])).toContain(`${RED}worse${ESCAPE}[39m`);
    expect(await compareReports([])).not.toContain(ESCAPE);
    expect(await compareReports(['--no-color'], FORCED)).not.toContain(ESCAPE);
  });
});
