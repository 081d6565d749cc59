import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeDirectory } from '../../support/disks/directory.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { ENTRY, type ExitResult, startProcess } from '../../support/programs/program.js';
import { startGobonnieForTest } from '../../support/programs/running-program.js';
import { SMALL_FLAGS } from '../../support/programs/small-run.js';

/** Runs a shell script in which `"$0" "$@"` is the real program. */
function inShell(script: string, args: readonly string[]): Promise<ExitResult> {
  return startProcess('sh', ['-c', script, process.execPath, ENTRY, ...args]).exitResult;
}

test.each([[[]], [['--version']]])(
  'if stdout is on a full disk, a run with %j exits with 1 and an error',
  async (flags) => {
    const dir = makeDirectory();
    const args = ['-q', '--dir', dir, ...SMALL_FLAGS, ...flags];
    const { stderr, exitCode } = await inShell('exec "$0" "$@" >/dev/full', args);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^gobonnie: could not write to stdout: [^\n]+ \(ENOSPC\)[^\n]*\n$/);
    expect(readdirSync(dir)).toEqual([]);
  },
);

describe('with a closed pipe,', () => {
  test('a run piped to `head` exits without a message, like a program killed by SIGPIPE', async () => {
    const dir = makeDirectory();
    const args = ['-q', '--dir', dir, '--seconds', '3600', ...SMALL_FLAGS];
    const { stdout, stderr } = await inShell('{ "$0" "$@"; echo "exit $?" >&2; } | head -c 1', args);
    expect(stdout).toBe('S');
    expect(stderr).toBe('exit 141\n');
    expect(readdirSync(dir)).toEqual([]);
  });

  test('a run with -v and a closed stderr still prints all of stdout', async () => {
    const program = startGobonnieForTest(['--dir', makeDirectory(), ...SMALL_FLAGS, '-v']);
    program.child.stderr?.destroy();
    const { stdout, exitCode } = await program.exitResult;
    expect(exitCode).toBe(0);
    expect(stdout.split('\n')).toHaveLength(4);
  });

  test('a run with closed stdin, stdout and stderr leaves no files', async () => {
    const dir = makeDirectory();
    const { exitCode } = await inShell('exec "$0" "$@" <&- >&- 2>&-', ['--dir', dir, ...SMALL_FLAGS]);
    expect([0, 1]).toContain(exitCode);
    expect(readdirSync(dir)).toEqual([]);
  });
});

test('a run exits without waiting for an open stdin', async () => {
  const child = spawn(process.execPath, [ENTRY, '-q', '--dir', makeDirectory(), ...SMALL_FLAGS]);
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  child.stdout.resume();
  const [exitCode] = await once(child, 'exit');
  expect(exitCode).toBe(0);
});

test('an error is a single line, followed by a stack trace only with GOBONNIE_DEBUG', async () => {
  const env = { GOBONNIE_DEBUG: '1' };
  expect((await runInProcess(['--size', 'x'])).stderr).not.toMatch(/\n +at /);
  expect((await runInProcess(['--size', 'x'], { env })).stderr).toMatch(
    /^gobonnie: invalid --size x: [^\n]+\n[\s\S]*\n +at /,
  );
});
