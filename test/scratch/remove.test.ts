import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { MARKER_NAME, NEW_MARKER_NAME } from '../../src/scratch/marker.js';
import { makeDirectory, makeOpenDirectory, scratchIn } from '../support/disks/directory.js';
import { endWatched, makeLeftover, startEndless } from '../support/programs/leftover.js';
import { gobonnie, start } from '../support/programs/program.js';
import type { RunningProgram } from '../support/programs/running.js';
import { needs } from '../support/tool.js';

beforeEach(needs('/proc/self/io'));

async function startIn(dir: string): Promise<[program: RunningProgram, scratch: string]> {
  const program = await startEndless(dir);
  return [program, scratchIn(dir) ?? 'no scratch directory'];
}

test('a half-written new marker is removed after its run was killed', async () => {
  const dir = makeDirectory();
  const scratch = await makeLeftover(dir);
  writeFileSync(path.join(scratch, NEW_MARKER_NAME), '{"format":');
  expect((await gobonnie(['clean', dir])).stdout).toBe(`removed ${scratch}\n`);
  expect(readdirSync(dir)).toEqual([]);
});

describe('a scratch directory that cannot be removed yet keeps its marker', () => {
  test.each([
    ['SIGINT', 'its run'],
    ['SIGKILL', 'the watcher'],
  ] as const)('after %s, when %s tried', async (signal, _) => {
    const dir = makeDirectory();
    const [program, scratch] = await startIn(dir);
    const theirs = path.join(scratch, 'theirs');
    writeFileSync(theirs, 'x');
    await endWatched(program, signal);
    expect(readdirSync(scratch).toSorted()).toEqual([MARKER_NAME, 'theirs']);
    rmSync(theirs);
    expect((await gobonnie(['clean', dir])).stdout).toBe(`removed ${scratch}\n`);
    expect(readdirSync(dir)).toEqual([]);
  });

  test('when no more files can be opened, and an error names it', async () => {
    const dir = makeOpenDirectory();
    const [program, scratch] = await startIn(dir);
    const limit = ['--pid', String(program.pid), '--nofile=3:3'];
    expect((await start('prlimit', limit).ended).exitCode).toBe(0);
    program.kill('SIGINT');
    const { stderr, exitCode } = await program.ended;
    expect(stderr).toContain(`${scratch} could not be removed: too many open files (EMFILE)`);
    expect(exitCode).toBe(1);
    expect(readdirSync(scratch)).toEqual([MARKER_NAME]);
    expect((await gobonnie(['clean', dir])).stdout).toBe(`removed ${scratch}\n`);
    expect(readdirSync(dir)).toEqual([]);
  });
});
