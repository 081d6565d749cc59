import {
  closeSync,
  openSync,
  readdirSync,
  readSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { type Report, type RunEvent, run } from 'gobonnie';
import { beforeEach, describe, expect, test } from 'vitest';
import { findScratch, makeDirectory } from '../support/disks/directory.js';
import { mountExt4 } from '../support/disks/loop.js';
import { mountTmpfs } from '../support/disks/mounts.js';
import { type ProcessOutput, runInProcess } from '../support/programs/in-process.js';
import { ENTRY, type ExitResult, startProcess } from '../support/programs/program.js';
import { startGobonnieForTest } from '../support/programs/running-program.js';
import { SMALL_FLAGS, SMALL_OPTIONS } from '../support/programs/small-run.js';
import { traceGobonnie } from '../support/programs/trace.js';
import { NOBODY, requireTools } from '../support/tools.js';

const MIB = 1024 ** 2;
/** One thread for all file calls, because strace counts the calls of each thread separately. */
const ONE_POOL_THREAD = ['-E', 'UV_THREADPOOL_SIZE=1'];

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

/** Writes zeros until the disk is full. */
function fill(directory: string): void {
  const zeros = new Uint8Array(64 * 1024);
  const fd = openSync(path.join(directory, 'filler'), 'wx');
  try {
    for (;;) writeSync(fd, zeros);
  } catch (error) {
    expect(error).toHaveProperty('code', 'ENOSPC');
  } finally {
    closeSync(fd);
  }
}

/** Runs gobonnie and calls `act` on its only file between the write and read phases of one run. */
async function runWithFileChange(
  flags: readonly string[],
  act: (file: string) => void,
  { run: runNumber = 1 } = {},
): Promise<ProcessOutput & { dir: string; file: string }> {
  const dir = makeDirectory();
  let file = '';
  let writes = 0;
  const onStderrLine = (line: string) => {
    if (!line.includes('Written (MiB)')) return;
    writes += 1;
    file = path.join(findScratch(dir) ?? '', 'bonnie.0');
    if (writes === runNumber) act(file);
  };
  const args = ['-v', '--dir', dir, ...SMALL_FLAGS, '--threads', '1', ...flags];
  return { ...(await runInProcess(args, { onStderrLine })), dir, file };
}

describe('if another process', () => {
  // In block 127, counted from 0: the second block that is compared.
  const offset = 127 * 65_536 + 77;

  test.each<[string, (file: string) => void, string]>([
    [
      'changes a byte',
      (file) => flipByte(file, offset),
      `at offset ${offset}: data mismatch: the data read back differs from what was written; `,
    ],
    [
      'truncates the file',
      (file) => truncateSync(file, offset),
      `at offset ${offset}: the file is shorter than the data that was written; `,
    ],
  ])('%s before the read phase, the message names the file and the offset', async (_, act, words) => {
    const result = await runWithFileChange([], act);
    expect(getErrorLine(result)).toContain(`gobonnie: read failed in ${result.file} ${words}`);
    expect(result.exitCode).toBe(1);
    expect(result.stdout).toMatch(/^Sequential Write MB\/s: [\d.]+\n$/);
    expect(readdirSync(result.dir)).toEqual([]);
  });

  test('removes the file before the read phase, the run fails', async () => {
    const result = await runWithFileChange([], unlinkSync);
    expect(getErrorLine(result)).toMatch(/bonnie\.0 .*no such file or directory \(ENOENT\)/);
    expect(result.exitCode).toBe(1);
    expect(readdirSync(result.dir)).toEqual([]);
  });

  test('changes a byte in the second run, the result of the first run is kept', async () => {
    const flags = ['--runs', '3', '--json'];
    const result = await runWithFileChange(flags, (file) => flipByte(file, offset), { run: 2 });
    expect(result.exitCode).toBe(1);
    expect(getErrorLine(result)).toContain('data mismatch: the data read back differs from what was written');
    expect(JSON.parse(result.stdout).results).toHaveLength(1);
  });
});

describe('a changed byte', () => {
  const BLOCK_BYTES = 65_536;

  async function runWithChangedBlock(block: number): Promise<Report> {
    const dir = makeDirectory();
    const onEvent = (event: RunEvent) => {
      if (event.type !== 'phase-end' || event.measurement.phase !== 'write') return;
      flipByte(path.join(findScratch(dir) ?? '', 'bonnie.0'), (block + 1) * BLOCK_BYTES - 1);
    };
    return run({ dir, ...SMALL_OPTIONS, size: 0.02, threads: 1 }, { onEvent });
  }

  test.each([0, 127, 254])('in block %i is detected', async (block) => {
    const { outcome, runs } = await runWithChangedBlock(block);
    expect(outcome).toMatchObject({ state: 'failed', code: 'data-corrupt' });
    expect(outcome).toHaveProperty(
      'message',
      expect.stringContaining(`bonnie.0 at offset ${(block + 1) * BLOCK_BYTES - 1}: `),
    );
    expect(runs[0]?.state).toBe('incomplete');
  });

  test.each([1, 126, 128])(
    'in block %i is not detected, because gobonnie compares only every 127th block, like gobonniego',
    async (block) => {
      expect((await runWithChangedBlock(block)).outcome).toEqual({ state: 'completed' });
    },
  );
});

describe('a full disk', () => {
  beforeEach(requireTools('root', 'mount'));

  test('that fills up before the write phase stops the run, and only other files remain', async () => {
    const dir = mountTmpfs('size=64m');
    const onStderrLine = (line: string) => {
      if (line.includes('gobonnie starting')) fill(dir);
    };
    const result = await runInProcess(['--dir', dir, '--size', '0.05', '--threads', '32'], { onStderrLine });
    expect(getErrorLine(result)).toMatch(
      /^gobonnie: write stopped: another process is filling \S+, which has 0 bytes free, but .*; free some space, /,
    );
    expect({ stdout: result.stdout, exitCode: result.exitCode }).toEqual({ stdout: '', exitCode: 1 });
    expect(readdirSync(dir)).toEqual(['filler']);
  });

  test('with too few inodes is rejected before gobonnie creates a file', async () => {
    const dir = mountTmpfs('size=64m,nr_inodes=4');
    const result = await startGobonnieForTest(['--dir', dir, '--size', '0.01', '--threads', '4']).exitResult;
    expect(getErrorLine(result)).toMatch(
      /: this run needs 6 inodes in \S+, but only 3 are free; pass fewer --files /,
    );
    expect(result.stdout).toBe('');
    expect(result.exitCode).toBe(2);
    expect(readdirSync(dir)).toEqual([]);
  });
});

describe('a faulty disk', () => {
  beforeEach(requireTools('root', 'setpriv', 'mount', 'mkfs.ext4'));

  test.each([
    ['root', {}],
    ['nobody', NOBODY],
  ])(
    'that is smaller than it claims fails in the sync, before a result is printed, as %s',
    async (_, user) => {
      const features = ['-E', 'lazy_itable_init=1,lazy_journal_init=1,nodiscard', '-O', '^has_journal'];
      const dir = mountExt4(256 * MIB, { parent: mountTmpfs('size=24m'), features });
      const result = await startGobonnieForTest(['--dir', dir, ...SMALL_FLAGS, '--size', '0.04'], user)
        .exitResult;
      expect(getErrorLine(result)).toMatch(
        /bonnie\.\d could not be synced to the device: .*\((EIO|ENOSPC)\)/,
      );
      expect({ stdout: result.stdout, exitCode: result.exitCode }).toEqual({ stdout: '', exitCode: 1 });
    },
  );

  test('that becomes read-only is reported with the directory that could not be removed', async () => {
    const dir = mountExt4(64 * MIB);
    let device = '';
    const onEvent = (event: RunEvent) => {
      if (event.type === 'start') device = path.basename(event.report.target.device ?? '');
      if (event.type === 'phase-end') writeFileSync(`/sys/fs/ext4/${device}/trigger_fs_error`, '1');
    };
    const { outcome } = await run({ dir, ...SMALL_OPTIONS }, { onEvent });
    expect(outcome).toMatchObject({ state: 'failed' });
    expect(outcome).toHaveProperty(
      'message',
      expect.stringMatching(/read-only file system \(EROFS\); and .* could not be removed: .*\(EROFS\)/),
    );
  });
});

describe('a failing system call', () => {
  beforeEach(requireTools('root', 'strace'));

  const DROP = ['--cache', 'drop'];

  test.each<[call: string, fault: string, flags: string[], lines: number, message: RegExp]>([
    [
      'pwrite64',
      'error=EIO:when=7',
      [],
      0,
      / write failed in .*\/bonnie\.0 at offset 393216: i\/o error \(EIO\); /,
    ],
    ['pwrite64', 'error=EDQUOT:when=7', [], 0, / write failed in .*EDQUOT.*; your quota is used up/],
    // The data is synced after the write phase, then before read and before iops.
    [
      'fsync',
      'error=EIO:when=1',
      [],
      0,
      /\/bonnie\.0 could not be synced to the device: i\/o error \(EIO\); /,
    ],
    ['fsync', 'error=EIO:when=2', DROP, 1, /\/bonnie\.0 could not be synced to the device: .*\(EIO\); /],
    ['fsync', 'error=EIO:when=3', DROP, 2, /\/bonnie\.0 could not be synced to the device: .*\(EIO\); /],
    [
      'fsync',
      'error=ENOSPC',
      ['-y'],
      0,
      / write failed in .*\/bonnie\.0 while syncing it to the device: no space left on device \(ENOSPC\); free/,
    ],
    [
      'pread64',
      'error=EIO:when=20',
      [],
      1,
      / read failed in .*\/bonnie\.0 at offset \d+: i\/o error \(EIO\); /,
    ],
    [
      'pread64',
      'error=EIO:when=300',
      ['--iops-duration', '60'],
      2,
      / iops failed in .*\/bonnie\.0 at offset \d+: i\/o error \(EIO\); /,
    ],
    ['mkdir', 'error=ENOSPC', [], 0, / cannot create a temporary directory in .*\(ENOSPC\); free some space/],
  ])('%s with %s and %j ends the run after %i results', async (call, fault, flags, lines, message) => {
    const dir = makeDirectory();
    const inject = ['-e', `trace=${call}`, '-e', `inject=${call}:${fault}`, ...ONE_POOL_THREAD];
    const result = await traceGobonnie(inject, ['--dir', dir, ...SMALL_FLAGS, '--threads', '1', ...flags]);
    expect(getErrorLine(result)).toMatch(message);
    expect(result.stdout.split('\n')).toHaveLength(lines + 1);
    expect(result.exitCode).toBe(1);
    expect(readdirSync(dir)).toEqual([]);
  });

  test('in several threads is reported in one line with the number of threads', async () => {
    // The delay makes all three fail before the first failure is reported.
    const fault = 'inject=pwrite64:error=EIO:delay_enter=3000000:when=1';
    const inject = ['-e', 'trace=pwrite64', '-e', fault];
    const result = await traceGobonnie(inject, ['--dir', makeDirectory(), ...SMALL_FLAGS, '--threads', '3']);
    expect(getErrorLine(result)).toMatch(/ at offset 0: i\/o error \(EIO\) \(and 2 more threads failed\); /);
  });

  /** Makes later unlinks fail: the first two ensure that neither file exists yet. */
  function failingUnlink(fault: string): readonly string[] {
    const calls = 'unlink,unlinkat';
    return ['-e', `trace=${calls}`, '-e', `inject=${calls}:error=${fault}`, ...ONE_POOL_THREAD];
  }

  test('during the removal of the files is reported with the directory, after the results', async () => {
    const dir = makeDirectory();
    const inject = failingUnlink('EPERM:when=3+');
    const result = await traceGobonnie(inject, ['--dir', dir, ...SMALL_FLAGS]);
    expect(getErrorLine(result)).toContain(
      `${findScratch(dir)} could not be removed: operation not permitted`,
    );
    expect(result.stdout).toMatch(/\nIOPS: \d+\n$/);
    expect(result.exitCode).toBe(1);
  });

  test('during the removal of the first run’s files keeps the first run’s result', async () => {
    const dir = makeDirectory();
    const inject = failingUnlink('EIO:when=3');
    const result = await traceGobonnie(inject, ['--json', '--runs', '2', '--dir', dir, ...SMALL_FLAGS]);
    expect(getErrorLine(result)).toMatch(/bonnie\.\d could not be removed: i\/o error \(EIO\)/);
    expect(JSON.parse(result.stdout).results).toHaveLength(1);
    expect(result.exitCode).toBe(1);
    expect(readdirSync(dir)).toEqual([]);
  });

  test('in a sync that ends after its phase leaves the phase without a result', async () => {
    const dir = makeDirectory();
    // The iops phase syncs every three seconds: its first sync is the fourth sync of the file.
    const inject = [
      '-e',
      'trace=fsync',
      '-e',
      'inject=fsync:error=EIO:delay_enter=3000000:when=4',
      ...ONE_POOL_THREAD,
    ];
    const flags = ['--dir', dir, '--size', '0.01', '--threads', '1', '--iops-duration', '4.5', ...DROP];
    const result = await traceGobonnie(inject, flags);
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

  test.each([
    ['the file size', '-f 100', [], / write failed in .*: file too large \(EFBIG\).*; .*`ulimit -f`/],
    ['open files, with many threads', '-n 200', ['--threads', '64'], /EMFILE.*; .*pass fewer --threads/],
  ])('on %s is reported with a fix', async (_, limit, flags, message) => {
    const dir = makeDirectory();
    const result = await runWithLimit(limit, ['--dir', dir, ...flags]);
    expect(getErrorLine(result)).toMatch(message);
    expect({ stdout: result.stdout, exitCode: result.exitCode }).toEqual({ stdout: '', exitCode: 1 });
    expect(readdirSync(dir)).toEqual([]);
  });

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
