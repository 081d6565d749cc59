import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { GIB } from '../../../src/text/units.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { SMALL_FLAGS } from '../../support/programs/small-run.js';
import { traceGobonnie } from '../../support/programs/trace.js';
import { requireTools } from '../../support/tools.js';

test('--dry-run --json prints the plan as one document that lists the slices of each file', async () => {
  const args = ['--dry-run', '--json', '--dir', makeDirectory(), ...SMALL_FLAGS];
  const { stdout, stderr, exitCode } = await runInProcess(args);
  const plan = JSON.parse(stdout);
  expect(exitCode).toBe(0);
  expect(stderr).toBe('');
  expect(stdout).toBe(`${JSON.stringify(plan)}\n`);
  expect(plan.steps.map(({ phase }: { phase: string }) => phase)).toEqual(['write', 'read', 'iops']);
  expect(plan.totalBytes).toBe(Math.floor((0.01 * GIB) / 65_536) * 65_536);
  expect(plan.slices.map(({ file }: { file: string }) => file)).toEqual(['bonnie.0', 'bonnie.1']);
});

test('sweep --dry-run --json prints the plan, not a result', async () => {
  const { stdout } = await runInProcess(['sweep', makeDirectory(), '--depth', '1,2', '--dry-run', '--json']);
  expect(JSON.parse(stdout).steps).toHaveLength(2);
});

test('--dry-run creates no file, opens none for writing and removes none', async (context) => {
  requireTools('strace')(context);
  const dir = makeDirectory();
  const { calls, exitCode } = await traceGobonnie(
    ['-e', 'trace=%file'],
    ['--dry-run', '--dir', dir, ...SMALL_FLAGS],
  );
  const directoryCalls = calls.filter((call) => call.includes(dir) && !call.includes('execve'));
  expect(exitCode).toBe(0);
  expect(directoryCalls).not.toEqual([]);
  expect(
    directoryCalls.filter((call) => /O_CREAT|O_WRONLY|O_RDWR|mkdir|unlink|rmdir|rename/.test(call)),
  ).toEqual([]);
});

test('--dry-run rejects a file of --out in a missing directory', async () => {
  const parent = makeDirectory();
  const out = path.join(parent, 'missing', 'report.json');
  const { stdout, stderr, exitCode } = await runInProcess(['--dry-run', ...SMALL_FLAGS, '--out', out]);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  expect(stderr).toBe(
    `gobonnie: --out ${out} cannot be written: no such file or directory (ENOENT); pass a path in an existing directory\n`,
  );
  expect(readdirSync(parent)).toEqual([]);
});
