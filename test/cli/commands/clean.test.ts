import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { makeDirectory } from '../../support/disks/directory.js';
import { changeOwner, createLeftover } from '../../support/programs/leftover.js';
import { runGobonnie } from '../../support/programs/program.js';
import { requireTools } from '../../support/tools.js';

beforeEach(requireTools('/proc/self/io'));

test('clean reports a directory that it cannot remove, and how to remove it', async () => {
  const dir = makeDirectory();
  const scratch = await createLeftover(dir);
  writeFileSync(path.join(scratch, 'theirs'), 'x');
  const { stderr, exitCode } = await runGobonnie(['clean', dir]);
  expect(stderr).toBe(
    `gobonnie: could not remove ${scratch}, left by a killed run: directory not empty ` +
      '(ENOTEMPTY); remove it by hand, or fix that and run gobonnie clean\n',
  );
  expect(exitCode).toBe(1);
});

test('clean --host removes the leftovers of a host that its user declares dead', async () => {
  const dir = makeDirectory();
  const scratch = await createLeftover(dir);
  changeOwner(scratch, { host: 'node7', boot: 'another' });
  const listed = await runGobonnie(['clean', '--dry-run', '--host', 'node7', dir]);
  expect([listed.stdout, listed.stderr]).toEqual([`would remove ${scratch}\n`, '']);
  const { stdout, stderr, exitCode } = await runGobonnie(['clean', '--host', 'node7', dir]);
  expect([stdout, stderr, exitCode]).toEqual([`removed ${scratch}\n`, '', 0]);
});

test('clean rejects a file, because it expects a directory', async () => {
  const file = path.join(makeDirectory(), 'file');
  writeFileSync(file, '');
  const { stderr, exitCode } = await runGobonnie(['clean', file]);
  expect(stderr).toBe(
    `gobonnie: cannot search ${file} for leftovers: not a directory (ENOTDIR); pass the measured directory\n`,
  );
  expect(exitCode).toBe(2);
});
