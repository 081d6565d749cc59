import { closeSync, openSync, readdirSync, readSync, truncateSync, unlinkSync, writeSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { findScratch, makeDirectory } from '../support/disks/directory.js';
import { type ProcessOutput, runInProcess } from '../support/programs/in-process.js';
import { ENTRY, type ExitResult, startProcess } from '../support/programs/program.js';
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

function flipByte(file: string, offset: number): void {
  const fd = openSync(file, 'r+');
  const byte = new Uint8Array(1);
  readSync(fd, byte, 0, 1, offset);
  writeSync(fd, Uint8Array.of(~(byte[0] ?? 0)), 0, 1, offset);
  closeSync(fd);
}

/** Runs gobonnie and calls `act` on its only file between the write and read phases of one run. */
async function runWithFileChange(
  flags: readonly string[],
  act: (file: string) => void,
  { run: runNumber = 1 } = {},
): Promise<ProcessOutput & { dir: string }> {
  const dir = makeDirectory();
  let writes = 0;
  const onStderrLine = (line: string) => {
    if (!line.includes('Written (MiB)')) return;
    writes += 1;
    if (writes === runNumber) act(path.join(findScratch(dir) ?? '', 'bonnie.0'));
  };
  const args = ['-v', '--dir', dir, ...SMALL_FLAGS, '--threads', '1', ...flags];
  return { ...(await runInProcess(args, { onStderrLine })), dir };
}

describe('if another process', () => {
  // In block 127, counted from 0: the second block that is compared.
  const offset = 127 * 65_536 + 77;

  test.each<[string, (file: string) => void, RegExp]>([
    [
      'truncates the file',
      (file) => truncateSync(file, offset),
      /bonnie\.0 at offset 8323149: the file is shorter than the data that was written; /,
    ],
    ['removes the file', unlinkSync, /bonnie\.0 .*no such file or directory \(ENOENT\)/],
  ])('%s before the read phase, the run fails with a message that names the file', async (_, act, words) => {
    const { dir, ...result } = await runWithFileChange([], act);
    expect(getErrorLine(result)).toMatch(words);
    expect(result.exitCode).toBe(1);
    expect(result.stdout).toMatch(/^Sequential Write MB\/s: [\d.]+\n$/);
    expect(readdirSync(dir)).toEqual([]);
  });

  test('changes a byte in the second run, the result of the first run is kept', async () => {
    const flags = ['--runs', '3', '--json'];
    const result = await runWithFileChange(flags, (file) => flipByte(file, offset), { run: 2 });
    expect(result.exitCode).toBe(1);
    expect(getErrorLine(result)).toContain('data mismatch: the data read back differs from what was written');
    expect(JSON.parse(result.stdout).results).toHaveLength(1);
  });
});

describe('a failing system call', () => {
  beforeEach(requireTools('root', 'strace'));

  test('in a sync that ends after its phase leaves the phase without a result', async () => {
    const dir = makeDirectory();
    // The iops phase syncs every three seconds: its first sync is the fourth sync of the file.
    const fault = 'inject=fsync:error=EIO:delay_enter=3000000:when=4';
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

describe('a shell limit', () => {
  function runWithLimit(limit: string, flags: readonly string[]): Promise<ExitResult> {
    const script = `ulimit ${limit}; exec "$0" "$@"`;
    return startProcess('sh', ['-c', script, process.execPath, ENTRY, ...SMALL_FLAGS, ...flags]).exitResult;
  }

  // Node 20 and 22 reserve 10 GiB of address space for the smallest WebAssembly memory, newer versions only its size.
  test('too little address space for the memory is not an internal error', async () => {
    const { stdout, stderr } = await runWithLimit('-v 8000000', ['--dir', makeDirectory()]);
    expect(stderr).not.toContain('internal error');
    expect(stdout + stderr).toMatch(/IOPS: |cannot allocate .* of memory .*; .*`ulimit -v`/);
  });

  // Newer versions of Node load one module at a time, so the limit suffices.
  test('too few open files to load all modules is not an internal error', async () => {
    const { stderr } = await runWithLimit('-n 60', ['--dir', makeDirectory()]);
    expect(stderr).not.toContain('internal error');
  });
});
