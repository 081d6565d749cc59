import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeDirectory } from '../../support/disks/directory.js';
import { createLeftover } from '../../support/programs/leftover.js';
import { runGobonnie, startProcess } from '../../support/programs/program.js';
import { SMALL_FLAGS } from '../../support/programs/small-run.js';
import { requireTools } from '../../support/tools.js';

beforeEach(requireTools('/proc/self/io'));

describe('the next run in a directory with leftovers', () => {
  test('removes them with a message, and then measures', async () => {
    const dir = makeDirectory();
    const scratch = await createLeftover(dir);
    const { stderr, exitCode } = await runGobonnie(['-q', '--dir', dir, ...SMALL_FLAGS]);
    expect(stderr).toBe(`gobonnie: removed ${scratch}, left by a killed run\n`);
    expect(exitCode).toBe(0);
    expect(readdirSync(dir)).toEqual([]);
  });

  test('keeps them with --dry-run', async () => {
    const dir = makeDirectory();
    const scratch = await createLeftover(dir);
    await runGobonnie(['--dry-run', '--dir', dir, ...SMALL_FLAGS]);
    expect(existsSync(scratch)).toBe(true);
  });
});

test('gobonnie clean removes a leftover, with the directories that were created for it', async () => {
  const dir = makeDirectory();
  const created = path.join(dir, 'created', 'for it');
  const scratch = await createLeftover(created);
  const { stdout, stderr, exitCode } = await runGobonnie(['clean', created]);
  expect({ stdout, stderr, exitCode }).toEqual({
    stdout: `removed "${scratch}"\n`,
    stderr: '',
    exitCode: 0,
  });
  expect(readdirSync(dir)).toEqual([]);
});

describe('the watcher', () => {
  test('survives a signal to the whole process group', async () => {
    const dir = makeDirectory();
    const program = startProcess('setsid', ['--wait', process.execPath, ...groupKillArgs(dir)]);
    onTestFinished(() => program.exitResult.then(() => {}));
    await program.exitResult;
    await vi.waitUntil(() => readdirSync(dir).length === 0, { timeout: 100_000 });
  });
});

/** Returns the arguments of a Node.js program that starts gobonnie in its own process group and kills the group. */
function groupKillArgs(dir: string): readonly string[] {
  const source = `
    const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, ['bin/gobonnie.cjs', '-v', '--dir', ${JSON.stringify(dir)}, '--size', '0.01'], { stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.on('data', (text) => { if (/operations|Read/.test(text)) process.kill(0, 'SIGKILL'); });`;
  return ['-e', source];
}
