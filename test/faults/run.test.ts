import { readdirSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeDirectory } from '../support/disks/directory.js';
import { ENTRY, startProcess } from '../support/programs/program.js';
import { SMALL_FLAGS } from '../support/programs/small-run.js';
import { traceGobonnie } from '../support/programs/trace.js';
import { requireTools } from '../support/tools.js';

/** Returns the last line of stderr; throws if it is not the only message of gobonnie. */
function getErrorLine({ stderr }: { readonly stderr: string }): string {
  const line = stderr.trimEnd().split('\n').at(-1) ?? '';
  expect(stderr.split('gobonnie: ')).toHaveLength(2);
  expect(stderr).not.toMatch(/\n +at /);
  return line;
}

describe('a failing system call', () => {
  beforeEach(requireTools('root', 'strace'));

  test('in a sync that ends after its phase leaves the phase without a result', async () => {
    const dir = makeDirectory();
    // The iops phase syncs every three seconds: that is the third sync which no worker makes.
    const fault = 'inject=fsync:error=EIO:delay_enter=3000000:when=3';
    // strace counts the calls of each thread separately.
    const strace = ['-e', 'trace=fsync', '-e', fault, '-E', 'UV_THREADPOOL_SIZE=1'];
    const flags = '--size 0.01 --threads 1 --iops-duration 4.5 --cache drop'.split(' ');
    const result = await traceGobonnie(strace, ['--dir', dir, ...flags]);
    expect(getErrorLine(result)).toContain('could not be synced to the device: i/o error (EIO)');
    expect(result.stdout).not.toContain('IOPS');
    expect(result.exitCode).toBe(1);
  });
});

test.each<[flags: string[], message: RegExp, exitCode: number]>([
  [[], /\(ENOENT\); the current directory was removed: cd to one that exists$/, 1],
  [
    ['--out', 'report.json'],
    /^gobonnie: --out report\.json .*\(ENOENT\); the current directory was removed: /,
    2,
  ],
])('a removed current directory is named as the cause with %j', async (flags, message, exitCode) => {
  const script = 'cd "$1" && rmdir "$1" && shift && exec "$0" "$@"';
  const cwd = makeDirectory();
  const dir = makeDirectory();
  const args = [process.execPath, cwd, ENTRY, '--dir', dir, '--size', '0.01', ...flags];
  const result = await startProcess('sh', ['-c', script, ...args]).exitResult;
  expect(getErrorLine(result)).toMatch(message);
  expect({ stdout: result.stdout, exitCode: result.exitCode }).toEqual({ stdout: '', exitCode });
  expect(readdirSync(dir)).toEqual([]);
});

// Node 20 and 22 reserve 10 GiB of address space for the smallest WebAssembly memory, newer versions only its size.
test('too little address space for the memory is not an internal error', async () => {
  const script = 'ulimit -v 8000000; exec "$0" "$@"';
  const args = [process.execPath, ENTRY, ...SMALL_FLAGS, '--dir', makeDirectory()];
  const { stdout, stderr } = await startProcess('sh', ['-c', script, ...args]).exitResult;
  expect(stderr).not.toContain('internal error');
  expect(stdout + stderr).toMatch(/IOPS: |cannot allocate .* of memory .*; .*`ulimit -v`/);
});
