import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { findScratch, makeDirectory, makePublicDirectory } from '../../support/disks/directory.js';
import {
  createLeftover,
  endWithWatcher,
  killWithWatcher,
  startLongRun,
} from '../../support/programs/leftover.js';
import { runGobonnie, startProcess } from '../../support/programs/program.js';
import { NOBODY, requireNobody, requireTools } from '../../support/tools.js';

beforeEach(requireTools('/proc/self/io'));

describe('a scratch directory that another process renamed', () => {
  beforeEach(requireNobody);

  test('is left by the watcher of a killed run, and removed by clean if the new name begins with gobonnie-', async () => {
    const dir = makePublicDirectory();
    const program = await startLongRun(dir);
    const moved = path.join(dir, 'gobonnie-moved');
    expect((await startProcess('mv', [findScratch(dir) ?? '', moved], NOBODY).exitResult).exitCode).toBe(0);
    await endWithWatcher(program, 'SIGKILL');
    expect(readdirSync(moved)).toContain('bonnie.0');
    expect((await runGobonnie(['clean', dir])).stdout).toBe(`removed ${moved}\n`);
    expect(readdirSync(dir)).toEqual([]);
  });

  test('is left by clean under any other name', async () => {
    const dir = makeDirectory();
    const hidden = path.join(dir, '.hidden');
    renameSync(await createLeftover(dir), hidden);
    expect((await runGobonnie(['clean', dir])).stdout).toBe('');
    expect(readdirSync(hidden)).toContain('bonnie.0');
  });
});

test('the watcher cleans up where the link in --dir led when the run began', async () => {
  const dir = makeDirectory();
  const [link, real] = [path.join(dir, 'link'), path.join(dir, 'real')];
  for (const name of ['real', 'other']) mkdirSync(path.join(dir, name));
  symlinkSync('real', link);
  const program = await startLongRun(path.join(link, 'made'));
  expect(readdirSync(real)).toEqual(['made']);
  rmSync(link);
  symlinkSync('other', link);
  await endWithWatcher(program, 'SIGKILL');
  expect(readdirSync(real)).toEqual([]);
});

describe('empty directories that a scratch directory was moved into stay', () => {
  /** Moves it into as many empty directories of the user as were created for it, and returns the innermost. */
  function move(scratch: string): string {
    const mine = path.join(makeDirectory(), 'mine');
    const deep = path.join(mine, 'own');
    mkdirSync(deep, { recursive: true });
    renameSync(scratch, path.join(deep, path.basename(scratch)));
    return deep;
  }

  test('when clean removes it', async () => {
    const made = path.join(makeDirectory(), 'made', 'deep');
    const deep = move(await createLeftover(made));
    expect((await runGobonnie(['clean', deep])).exitCode).toBe(0);
    expect(readdirSync(deep)).toEqual([]);
  });

  test('when the run removes it', async () => {
    const above = makePublicDirectory();
    const made = path.join(above, 'made', 'deep');
    const program = await startLongRun(made);
    const deep = move(findScratch(made) ?? '');
    program.kill('SIGINT');
    expect((await program.exitResult).exitCode).toBe(130);
    expect(readdirSync(deep)).toEqual([]);
  });

  test('when clean removes it and they have the names of those that were created', async () => {
    const dir = makeDirectory();
    const program = await startLongRun(path.join(dir, 'made'));
    renameSync(path.join(dir, 'made'), path.join(dir, 'theirs'));
    mkdirSync(path.join(dir, 'made'));
    const name = readdirSync(path.join(dir, 'theirs'))[0] ?? '';
    renameSync(path.join(dir, 'theirs', name), path.join(dir, 'made', name));
    await killWithWatcher(program);
    expect((await runGobonnie(['clean', path.join(dir, 'made')])).exitCode).toBe(0);
    expect(readdirSync(path.join(dir, 'made'))).toEqual([]);
  });
});
