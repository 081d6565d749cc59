import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { findScratch, makeDirectory, makePublicDirectory } from '../../support/disks/directory.js';
import { endWithWatcher, killWithWatcher, startLongRun } from '../../support/programs/leftover.js';
import { runGobonnie, startProcess } from '../../support/programs/program.js';
import { NOBODY, requireNobody, requireTools } from '../../support/tools.js';

beforeEach(requireTools('/proc/self/io'));

test('a scratch directory that another process renames is kept by the watcher of a killed run, and removed by clean if the new name is one of a scratch directory', async (context) => {
  requireNobody(context);
  const dir = makePublicDirectory();
  const program = await startLongRun(dir);
  const moved = path.join(dir, 'gobonnie-moved1');
  expect((await startProcess('mv', [findScratch(dir) ?? '', moved], NOBODY).exitResult).exitCode).toBe(0);
  await endWithWatcher(program, 'SIGKILL');
  expect(readdirSync(moved)).toContain('bonnie.0');
  expect((await runGobonnie(['clean', dir])).stdout).toBe(`removed ${moved}\n`);
  expect(readdirSync(dir)).toEqual([]);
});

test('the watcher cleans up the directory to which the link in --dir led when the run started', async () => {
  const dir = makeDirectory();
  const link = path.join(dir, 'link');
  const real = path.join(dir, 'real');
  for (const name of ['real', 'other']) mkdirSync(path.join(dir, name));
  symlinkSync('real', link);
  const program = await startLongRun(path.join(link, 'created'));
  expect(readdirSync(real)).toEqual(['created']);
  rmSync(link);
  symlinkSync('other', link);
  await endWithWatcher(program, 'SIGKILL');
  expect(readdirSync(real)).toEqual([]);
});

test('clean keeps an empty directory that a scratch directory was moved into, even if it has the name of one that was created for it', async () => {
  const dir = makeDirectory();
  const program = await startLongRun(path.join(dir, 'created'));
  renameSync(path.join(dir, 'created'), path.join(dir, 'theirs'));
  mkdirSync(path.join(dir, 'created'));
  const name = readdirSync(path.join(dir, 'theirs'))[0] ?? '';
  renameSync(path.join(dir, 'theirs', name), path.join(dir, 'created', name));
  await killWithWatcher(program);
  expect((await runGobonnie(['clean', path.join(dir, 'created')])).exitCode).toBe(0);
  expect(readdirSync(path.join(dir, 'created'))).toEqual([]);
});
