import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { makeDirectory, makeOpenDirectory, scratchIn } from '../../support/disks/directory.js';
import { killWithWatcher, makeLeftover, startEndless, watchersOf } from '../../support/programs/leftover.js';
import { gobonnie, start } from '../../support/programs/program.js';
import { NOBODY, needs, needsNobody } from '../../support/tool.js';

beforeEach(needs('/proc/self/io'));

async function waitUntilEmpty(directory: string): Promise<void> {
  await vi.waitUntil(() => readdirSync(directory).length === 0, { timeout: 100_000 });
}

describe('a scratch directory that another process renamed', () => {
  beforeEach(needsNobody);

  test('is left by the watcher of a killed run, and removed by clean if its name still looks like one', async () => {
    const dir = makeOpenDirectory();
    const program = await startEndless(dir);
    const watchers = watchersOf(program.pid);
    const moved = path.join(dir, 'gobonnie-moved');
    expect((await start('mv', [scratchIn(dir) ?? '', moved], NOBODY).ended).exitCode).toBe(0);
    program.kill('SIGKILL');
    await program.ended;
    await vi.waitUntil(() => watchers.every((pid) => !existsSync(`/proc/${pid}`)), { timeout: 100_000 });
    expect(readdirSync(moved)).toContain('bonnie.0');
    expect((await gobonnie(['clean', dir])).stdout).toBe(`removed ${moved}\n`);
    expect(readdirSync(dir)).toEqual([]);
  });

  test('is left by clean under any other name', async () => {
    const dir = makeDirectory();
    const hidden = path.join(dir, '.hidden');
    renameSync(await makeLeftover(dir), hidden);
    expect((await gobonnie(['clean', dir])).stdout).toBe('');
    expect(readdirSync(hidden)).toContain('bonnie.0');
  });
});

test('the watcher cleans up where the link in --dir led when the run began', async () => {
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

describe('empty directories above a scratch directory that was moved there stay', () => {
  /** Moves it below as many directories of the user as were created for it, and returns the new path. */
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

  test('when they have the names of those that were created', async () => {
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
