import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { makeDirectory, makeOpenDirectory, scratchIn } from '../support/directory.js';
import { killWithWatcher, makeLeftover, startEndless } from '../support/leftover.js';
import { gobonnie, start } from '../support/program.js';
import { NOBODY, needs, needsNobody } from '../support/tool.js';

beforeEach(needs('/proc/self/io'));

async function waitUntilEmpty(directory: string): Promise<void> {
  await vi.waitUntil(() => readdirSync(directory).length === 0, { timeout: 30_000 });
}

describe('a scratch directory that was given another name', () => {
  beforeEach(needsNobody);

  test('is found by the watcher of a run that is killed', async () => {
    const dir = makeOpenDirectory();
    const program = await startEndless(dir);
    const names = [scratchIn(dir) ?? '', path.join(dir, '.hidden')];
    expect((await start('mv', names, NOBODY).ended).exitCode).toBe(0);
    program.kill('SIGKILL');
    await waitUntilEmpty(dir);
  });

  test('is found by clean, whatever its name', async () => {
    const dir = makeDirectory();
    const hidden = path.join(dir, '.hidden');
    renameSync(await makeLeftover(dir), hidden);
    const { stdout, stderr, exitCode } = await gobonnie(['clean', dir]);
    expect({ stdout, stderr, exitCode }).toEqual({ stdout: `removed ${hidden}\n`, stderr: '', exitCode: 0 });
    expect(readdirSync(dir)).toEqual([]);
  });
});

test('where the link in --dir led to when the run began, its watcher finds what it left', async () => {
  const dir = makeDirectory();
  const [link, real] = [path.join(dir, 'link'), path.join(dir, 'real')];
  for (const name of ['real', 'other']) mkdirSync(path.join(dir, name));
  symlinkSync('real', link);
  const program = await startEndless(path.join(link, 'made'));
  expect(readdirSync(real)).toEqual(['made']);
  rmSync(link);
  symlinkSync('other', link);
  program.kill('SIGKILL');
  await waitUntilEmpty(real);
});

describe('empty directories above, to which a scratch directory was moved, stay', () => {
  /** Gives where it is now, in as many of the user's own directories as were made for it elsewhere. */
  function move(scratch: string): string {
    const mine = path.join(makeDirectory(), 'mine');
    const deep = path.join(mine, 'own');
    mkdirSync(deep, { recursive: true });
    renameSync(scratch, path.join(deep, path.basename(scratch)));
    return deep;
  }

  test('when clean removes it', async () => {
    const made = path.join(makeDirectory(), 'made', 'deep');
    const deep = move(await makeLeftover(made));
    expect((await gobonnie(['clean', deep])).exitCode).toBe(0);
    expect(readdirSync(deep)).toEqual([]);
  });

  test('when the run that held it removes it', async () => {
    const above = makeOpenDirectory();
    const made = path.join(above, 'made', 'deep');
    const program = await startEndless(made);
    const deep = move(scratchIn(made) ?? '');
    program.kill('SIGINT');
    expect((await program.ended).exitCode).toBe(130);
    expect(readdirSync(deep)).toEqual([]);
  });

  test('when they bear the names of those that were made', async () => {
    const dir = makeDirectory();
    const program = await startEndless(path.join(dir, 'made'));
    renameSync(path.join(dir, 'made'), path.join(dir, 'theirs'));
    mkdirSync(path.join(dir, 'made'));
    const name = readdirSync(path.join(dir, 'theirs'))[0] ?? '';
    renameSync(path.join(dir, 'theirs', name), path.join(dir, 'made', name));
    await killWithWatcher(program);
    expect((await gobonnie(['clean', path.join(dir, 'made')])).exitCode).toBe(0);
    expect(readdirSync(path.join(dir, 'made'))).toEqual([]);
  });
});
