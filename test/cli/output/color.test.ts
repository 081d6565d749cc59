import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { reportWith, runsAt } from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { SMALL_FLAGS } from '../../support/programs/small-run.js';

const ESCAPE = '\u001b';
const RED = `${ESCAPE}[31m`;
const GREEN = `${ESCAPE}[32m`;
const FORCED = { FORCE_COLOR: '1' };

test.each<[string[], NodeJS.ProcessEnv]>([
  [['--color'], {}],
  [[], FORCED],
])('a piped run prints colors on stderr with %j and %j, but no progress line', async (flags, env) => {
  const conditions = ['--expect', 'iops>0', '--expect', 'iops>1000M', '--allow-cached'];
  const args = ['--dir', makeDirectory(), ...SMALL_FLAGS, ...conditions, ...flags];
  const { stdout, stderr } = await runInProcess(args, { env });
  expect(stderr).toContain(`${GREEN}✓ iops>0`);
  expect(stderr).toContain(`${RED}✗ iops>1000M`);
  expect(stdout).toMatch(/^Sequential Write MB\/s: [\d.]+\nSequential Read MB\/s: [\d.]+\nIOPS: \d+\n$/);
  expect(stripVTControlCharacters(stderr)).not.toContain(ESCAPE);
  expect(stderr).not.toContain('\r');
});

test('a comparison prints a regression in red only with --color', async () => {
  const files = [1e9, 0.5e9].map((rate) => {
    const file = path.join(makeDirectory(), 'report.json');
    const report = reportWith({ runs: runsAt(rate, rate * 1.01) });
    writeFileSync(file, JSON.stringify(report));
    return file;
  });
  const compare = async (flags: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    (await runInProcess(['compare', ...files, ...flags], { env })).stdout;
  expect(await compare(['--color'])).toContain(`${RED}worse${ESCAPE}[39m`);
  expect(await compare([])).not.toContain(ESCAPE);
  expect(await compare(['--no-color'], FORCED)).not.toContain(ESCAPE);
});
