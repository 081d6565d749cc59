import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeDirectory } from '../support/disks/directory.js';
import { startGobonnieForTest } from '../support/programs/running-program.js';
import { SMALL_FLAGS } from '../support/programs/small-run.js';

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('--json prints the completed runs after %s', async (signal, exitCode) => {
  const dir = makeDirectory();
  const program = startGobonnieForTest(['-v', '--json', '--dir', dir, '--seconds', '3600', ...SMALL_FLAGS]);
  await program.untilStderr(/operations[\s\S]*Written/);
  program.kill(signal);
  const ended = await program.exitResult;
  const document = JSON.parse(ended.stdout);
  expect(ended.exitCode).toBe(exitCode);
  expect(ended.stdout).toBe(`${JSON.stringify(document)}\n`);
  expect(document.results.length).toBeGreaterThanOrEqual(1);
  expect(document.results.length).toBe(ended.stderr.match(/ operations /g)?.length);
  expect(ended.stderr).toMatch(
    new RegExp(`gobonnie: stopped by ${signal} after ${document.results.length} complete`),
  );
  expect(readdirSync(dir)).toEqual([]);
});

test('-q still reports that a signal stopped the run', async () => {
  const dir = makeDirectory();
  const program = startGobonnieForTest(['-q', '--dir', dir, ...SMALL_FLAGS, '--iops-duration', '600']);
  await new Promise((resolve) => program.child.stdout?.once('data', resolve));
  program.kill('SIGINT');
  const { stderr } = await program.exitResult;
  expect(stderr).toBe('gobonnie: stopped by SIGINT after 0 complete runs; the temporary files are removed\n');
});
