import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Report } from '../../src/report/schema/report.js';
import { makeDirectory } from '../support/disks/directory.js';
import { ENTRY, type ExitResult, startProcess } from '../support/programs/program.js';
import { startGobonnieForTest } from '../support/programs/running-program.js';
import { SMALL_FLAGS } from '../support/programs/small-run.js';
import { traceGobonnie } from '../support/programs/trace.js';
import { requireTools } from '../support/tools.js';

const ENDLESS = ['-v', '--runs', '1000', ...SMALL_FLAGS];

/** Runs gobonnie with another program as `node`. */
function runWithNode(node: string, args: readonly string[]): Promise<ExitResult> {
  const source = `process.execPath = ${JSON.stringify(node)}; require(${JSON.stringify(ENTRY)})`;
  return startProcess(process.execPath, ['-e', source, 'gobonnie', ...args]).exitResult;
}

/** Returns the watcher's process ID: it is the first child process. */
async function findWatcher(pid: number): Promise<number> {
  const children = () => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? [];
  return Number(await vi.waitUntil(() => children().at(0), { timeout: 100_000 }));
}

function readWarnings(file: string): Report['warnings'] {
  return (JSON.parse(readFileSync(file, 'utf8')) as Report).warnings;
}

beforeEach(requireTools('/proc/self/io'));

describe('a lost watcher is reported', () => {
  test.each([
    ['could not be started', '/nonexistent', /could not start the clean-up process \(.*ENOENT\)/],
    ['ended at once', '/bin/false', /the clean-up process ended \(exit code 1\)/],
  ])('if it %s', async (_, node, words) => {
    const dir = makeDirectory();
    const out = path.join(makeDirectory(), 'report.json');
    const args = ['--dir', dir, ...SMALL_FLAGS, '--iops-duration', '1', '--out', out];
    const ended = await runWithNode(node, args);
    expect(ended.stderr).toMatch(words);
    expect(ended.exitCode).toBe(0);
    const notices = readWarnings(out).filter(({ code }) => code === 'no-cleanup-process');
    expect(notices).toMatchObject([{ step: null, message: expect.stringMatching(words) }]);
  });

  test('if Node throws because a filter forbids the system call, and the run continues', async (context) => {
    requireTools('strace')(context);
    // Threads are not affected, because they start with clone3.
    const calls = 'clone,?fork,?vfork';
    const filter = ['-e', `trace=${calls}`, '-e', `inject=${calls}:error=EPERM`];
    const ended = await traceGobonnie(filter, ['--dir', makeDirectory(), ...SMALL_FLAGS]);
    expect(ended.stderr).toContain(
      ' warning: could not start the clean-up process (operation not permitted (EPERM)); if this run is killed, ',
    );
    expect(ended.stdout).toMatch(/^IOPS: \d+$/m);
    expect(ended.exitCode).toBe(0);
  });

  test('if it is killed during the run', async () => {
    const out = path.join(makeDirectory(), 'report.json');
    const program = startGobonnieForTest([...ENDLESS, '--dir', makeDirectory(), '--out', out]);
    await program.untilStderr(/Duration/);
    process.kill(await findWatcher(program.pid), 'SIGKILL');
    await program.untilStderr(/warning: the clean-up process ended \(SIGKILL\); if this run/);
    program.kill('SIGINT');
    expect((await program.exitResult).exitCode).toBe(130);
    expect(readWarnings(out).filter(({ code }) => code === 'no-cleanup-process')).toHaveLength(1);
  });
});

test('the watcher inherits only the variables that locate libraries', async () => {
  const env = { LD_LIBRARY_PATH: '/nonexistent', NODE_OPTIONS: '--no-warnings', SECRET: 'secret' };
  const program = startGobonnieForTest([...ENDLESS, '--dir', makeDirectory()], { env });
  await program.untilStderr(/Duration/);
  const watcher = await findWatcher(program.pid);
  expect(existsSync(`/proc/${watcher}`)).toBe(true);
  expect(readFileSync(`/proc/${watcher}/environ`, 'utf8')).toBe('LD_LIBRARY_PATH=/nonexistent\0');
  program.kill('SIGINT');
  await program.exitResult;
});
