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
/** strace counts the calls of each thread separately. */
const ONE_POOL_THREAD = ['-E', 'UV_THREADPOOL_SIZE=1'];

/** The last line of stderr, which is the only message about the failure. */
function complaintOf({ stderr }: { readonly stderr: string }): string {
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

/** Changes the one file after it was written and before it is read. */
async function meddle(
  flags: readonly string[],
  act: (file: string) => void,
  { run: at = 1 } = {},
): Promise<ProcessOutput & { dir: string; file: string }> {
  const dir = makeDirectory();
  let file = '';
  let writes = 0;
  const onStderrLine = (line: string) => {
    if (!line.includes('Written (MiB)')) return;
    writes += 1;
    file = path.join(findScratch(dir) ?? '', 'bonnie.0');
    if (writes === at) act(file);
  };
  const args = ['-v', '--dir', dir, ...SMALL_FLAGS, '--threads', '1', ...flags];
  return { ...(await runInProcess(args, { onStderrLine })), dir, file };
}

describe('another process opens the file before it is read', () => {
  // In the second block that is compared.
  const position = 127 * 65_536 + 77;

  test.each<[string, (file: string) => void, string]>([
    [
      'and changes a byte',
      (file) => flipByte(file, position),
      `at offset ${position}: data mismatch: the data read back differs from what was written; `,
    ],
    [
      'and truncates it',
      (file) => truncateSync(file, position),
      `at offset ${position}: the file is shorter than the data that was written; `,
    ],
  ])('%s: this is reported with the file and the offset', async (_, act, words) => {
    const ended = await meddle([], act);
    expect(complaintOf(ended)).toContain(`gobonnie: read failed in ${ended.file} ${words}`);
    expect(ended.exitCode).toBe(1);
    expect(ended.stdout).toMatch(/^Sequential Write MB\/s: [\d.]+\n$/);
    expect(readdirSync(ended.dir)).toEqual([]);
  });

  test('and removes it: the run ends', async () => {
    const ended = await meddle([], unlinkSync);
    expect(complaintOf(ended)).toMatch(/bonnie\.0 .*no such file or directory \(ENOENT\)/);
    expect(ended.exitCode).toBe(1);
    expect(readdirSync(ended.dir)).toEqual([]);
  });

  test('and changes a byte in the second run: the first run is kept', async () => {
    const flags = ['--runs', '3', '--json'];
    const ended = await meddle(flags, (file) => flipByte(file, position), { run: 2 });
    expect(ended.exitCode).toBe(1);
    expect(complaintOf(ended)).toContain('data mismatch: the data read back differs from what was written');
    expect(JSON.parse(ended.stdout).results).toHaveLength(1);
  });
});

describe('a damaged block:', () => {
  const BLOCK_BYTES = 65_536;

  async function runWithChanged(block: number): Promise<Report> {
    const dir = makeDirectory();
    const onEvent = (event: RunEvent) => {
      if (event.type !== 'phase-end' || event.measurement.phase !== 'write') return;
      flipByte(path.join(findScratch(dir) ?? '', 'bonnie.0'), (block + 1) * BLOCK_BYTES - 1);
    };
    return run({ dir, ...SMALL_OPTIONS, size: 0.02, threads: 1 }, { onEvent });
  }

  test.each([0, 127, 254])('block %i is compared, and the damage found', async (block) => {
    const { outcome, runs } = await runWithChanged(block);
    expect(outcome).toMatchObject({ state: 'failed', code: 'data-corrupt' });
    expect(outcome).toHaveProperty(
      'message',
      expect.stringContaining(`bonnie.0 at offset ${(block + 1) * BLOCK_BYTES - 1}: `),
    );
    expect(runs[0]?.state).toBe('incomplete');
  });

  test.each([1, 126, 128])(
    'block %i is not compared, because as in gobonniego only every 127th block is',
    async (block) => {
      expect((await runWithChanged(block)).outcome).toEqual({ state: 'completed' });
    },
  );
});

describe('a disk that fills up', () => {
  beforeEach(requireTools('root', 'mount'));

  test('before it is written to ends the run, and only other files remain', async () => {
    const dir = mountTmpfs('size=64m');
    const onStderrLine = (line: string) => {
      if (line.includes('gobonnie starting')) fill(dir);
    };
    const ended = await runInProcess(['--dir', dir, '--size', '0.05', '--threads', '32'], { onStderrLine });
    expect(complaintOf(ended)).toMatch(
      /^gobonnie: write stopped: another process is filling \S+, which has 0 bytes free, but .*; free some space, /,
    );
    expect({ stdout: ended.stdout, exitCode: ended.exitCode }).toEqual({ stdout: '', exitCode: 1 });
    expect(readdirSync(dir)).toEqual(['filler']);
  });

  test('without free inodes is refused before anything is created', async () => {
    const dir = mountTmpfs('size=64m,nr_inodes=4');
    const ended = await startGobonnieForTest(['--dir', dir, '--size', '0.01', '--threads', '4']).exitResult;
    expect(complaintOf(ended)).toMatch(
      /: this run needs 6 inodes in \S+, but only 3 are free; pass fewer --files /,
    );
    expect(ended.stdout).toBe('');
    expect(ended.exitCode).toBe(2);
    expect(readdirSync(dir)).toEqual([]);
  });
});

describe('a faulty disk', () => {
  beforeEach(requireTools('root', 'setpriv', 'mount', 'mkfs.ext4'));

  test.each([
    ['root', {}],
    ['nobody', NOBODY],
  ])(
    'that is smaller than it claims is found by the sync, before a figure is printed, as %s',
    async (_, user) => {
      const features = ['-E', 'lazy_itable_init=1,lazy_journal_init=1,nodiscard', '-O', '^has_journal'];
      const dir = mountExt4(256 * MIB, { parent: mountTmpfs('size=24m'), features });
      const ended = await startGobonnieForTest(['--dir', dir, ...SMALL_FLAGS, '--size', '0.04'], user)
        .exitResult;
      expect(complaintOf(ended)).toMatch(/bonnie\.\d could not be synced to the device: .*\((EIO|ENOSPC)\)/);
      expect({ stdout: ended.stdout, exitCode: ended.exitCode }).toEqual({ stdout: '', exitCode: 1 });
    },
  );

  test('that turns read-only is reported with what could not be removed', async () => {
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

  test.each<[call: string, fault: string, flags: string[], lines: number, complaint: RegExp]>([
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
  ])('%s with %s and %j ends the run after %i figures', async (call, fault, flags, lines, complaint) => {
    const dir = makeDirectory();
    const inject = ['-e', `trace=${call}`, '-e', `inject=${call}:${fault}`, ...ONE_POOL_THREAD];
    const ended = await traceGobonnie(inject, ['--dir', dir, ...SMALL_FLAGS, '--threads', '1', ...flags]);
    expect(complaintOf(ended)).toMatch(complaint);
    expect(ended.stdout.split('\n')).toHaveLength(lines + 1);
    expect(ended.exitCode).toBe(1);
    expect(readdirSync(dir)).toEqual([]);
  });

  test('in several threads is reported in one line with the number of threads', async () => {
    // The delay makes all three fail before the first failure is reported.
    const fault = 'inject=pwrite64:error=EIO:delay_enter=3000000:when=1';
    const inject = ['-e', 'trace=pwrite64', '-e', fault];
    const ended = await traceGobonnie(inject, ['--dir', makeDirectory(), ...SMALL_FLAGS, '--threads', '3']);
    expect(complaintOf(ended)).toMatch(/ at offset 0: i\/o error \(EIO\) \(and 2 more threads failed\); /);
  });

  /** The first two unlinks of a run make sure that neither file exists yet. */
  function failingUnlink(fault: string): readonly string[] {
    const calls = 'unlink,unlinkat';
    return ['-e', `trace=${calls}`, '-e', `inject=${calls}:error=${fault}`, ...ONE_POOL_THREAD];
  }

  test('during the removal of the files is reported with the directory, after the figures', async () => {
    const dir = makeDirectory();
    const inject = failingUnlink('EPERM:when=3+');
    const ended = await traceGobonnie(inject, ['--dir', dir, ...SMALL_FLAGS]);
    expect(complaintOf(ended)).toContain(`${findScratch(dir)} could not be removed: operation not permitted`);
    expect(ended.stdout).toMatch(/\nIOPS: \d+\n$/);
    expect(ended.exitCode).toBe(1);
  });

  test('during the removal of the first run’s files keeps that run', async () => {
    const dir = makeDirectory();
    const inject = failingUnlink('EIO:when=3');
    const ended = await traceGobonnie(inject, ['--json', '--runs', '2', '--dir', dir, ...SMALL_FLAGS]);
    expect(complaintOf(ended)).toMatch(/bonnie\.\d could not be removed: i\/o error \(EIO\)/);
    expect(JSON.parse(ended.stdout).results).toHaveLength(1);
    expect(ended.exitCode).toBe(1);
    expect(readdirSync(dir)).toEqual([]);
  });

  test('in a sync that ends after its phase leaves that phase without a figure', async () => {
    const dir = makeDirectory();
    // The fourth sync of the one file is the first of those every three seconds in the iops phase.
    const inject = [
      '-e',
      'trace=fsync',
      '-e',
      'inject=fsync:error=EIO:delay_enter=3000000:when=4',
      ...ONE_POOL_THREAD,
    ];
    const flags = ['--dir', dir, '--size', '0.01', '--threads', '1', '--iops-duration', '4.5', ...DROP];
    const ended = await traceGobonnie(inject, flags);
    expect(complaintOf(ended)).toContain('could not be synced to the device: i/o error (EIO)');
    expect(ended.stdout).not.toContain('IOPS');
    expect(ended.exitCode).toBe(1);
  });
});

test.each<[flags: string[], complaint: RegExp, exitCode: number]>([
  [[], /\(ENOENT\); the current directory was removed: cd to one that exists$/, 1],
  [
    ['--out', 'report.json'],
    /^gobonnie: --out report\.json .*\(ENOENT\); the current directory was removed: /,
    2,
  ],
])('a removed current directory is reported as such with %j', async (flags, complaint, exitCode) => {
  const script = 'cd "$1" && rmdir "$1" && shift && exec "$0" "$@"';
  const [place, dir] = [makeDirectory(), makeDirectory()];
  const args = [process.execPath, place, ENTRY, '--dir', dir, '--size', '0.01', ...flags];
  const ended = await startProcess('sh', ['-c', script, ...args]).exitResult;
  expect(complaintOf(ended)).toMatch(complaint);
  expect({ stdout: ended.stdout, exitCode: ended.exitCode }).toEqual({ stdout: '', exitCode });
  expect(readdirSync(dir)).toEqual([]);
});

describe('a limit of the shell', () => {
  function limited(limit: string, flags: readonly string[]): Promise<ExitResult> {
    const script = `ulimit ${limit}; exec "$0" "$@"`;
    return startProcess('sh', ['-c', script, process.execPath, ENTRY, ...SMALL_FLAGS, ...flags]).exitResult;
  }

  test.each([
    ['the file size', '-f 100', [], / write failed in .*: file too large \(EFBIG\).*; .*`ulimit -f`/],
    ['open files, for the threads', '-n 200', ['--threads', '64'], /EMFILE.*; .*pass fewer --threads/],
  ])('on %s is reported with what to do', async (_, limit, flags, complaint) => {
    const dir = makeDirectory();
    const ended = await limited(limit, ['--dir', dir, ...flags]);
    expect(complaintOf(ended)).toMatch(complaint);
    expect({ stdout: ended.stdout, exitCode: ended.exitCode }).toEqual({ stdout: '', exitCode: 1 });
    expect(readdirSync(dir)).toEqual([]);
  });

  // Node 20 and 22 reserve 10 GiB of addresses for the smallest WebAssembly memory, newer versions only its size.
  test('too little address space for the memory is not an internal error', async () => {
    const { stdout, stderr } = await limited('-v 8000000', ['--dir', makeDirectory()]);
    expect(stderr).not.toContain('internal error');
    expect(stdout + stderr).toMatch(/IOPS: |cannot allocate .* of memory .*; .*`ulimit -v`/);
  });

  // Newer versions of Node load one module at a time and need no more.
  test('too few open files to load all modules is not an internal error', async () => {
    const { stderr } = await limited('-n 60', ['--dir', makeDirectory()]);
    expect(stderr).not.toContain('internal error');
  });
});
