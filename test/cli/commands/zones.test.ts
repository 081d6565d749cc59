import { execFileSync, execSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { MIB } from '../../../src/text/units.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { mountLoop } from '../../support/disks/loop.js';
import { mount, mountBindfs } from '../../support/disks/mounts.js';
import { type OutputHooks, runInProcess } from '../../support/programs/in-process.js';
import { traceGobonnie } from '../../support/programs/trace.js';
import { requireTools } from '../../support/tools.js';
import { attachReadOnlyLoop, makeFile, makeSparseFile } from '../../zones/files.js';

const runZones = (args: readonly string[], hooks?: OutputHooks) => runInProcess(['zones', ...args], hooks);

const HEADER = '#block offset (GiB), MiB/s, time';
const ROW = String.raw`\d+\.\d\d \d+\.\d\d \d+\.\d\d\d`;
const SUMMARY = String.raw`# Read \d+\.\d\d MiB in \d+\.\d\d\d seconds, \d+\.\d\d MiB per second\.`;

function linesOf(text: string): readonly string[] {
  return text.trimEnd().split('\n');
}

function matching(...patterns: readonly string[]) {
  return patterns.map((pattern) => expect.stringMatching(new RegExp(`^${pattern}$`)));
}

/** Returns the first column of the data, as awk and gnuplot read it. */
function readOffsets(text: string): readonly string[] {
  const column = execFileSync('awk', ['!/^#/ { print $1 }'], { input: text, encoding: 'utf8' });
  return column.split('\n').slice(0, -1);
}

test('zones --help names the flags, their defaults and zcav', async () => {
  const { stdout, stderr, exitCode } = await runZones(['--help']);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  expect(stdout).toMatch(/^Usage: gobonnie zones \[options\] FILE\n/);
  expect(stdout).toMatch(/-b, --block <MiB> .*\(default: 512\)/);
  expect(stdout).toMatch(/-c, --loops <N> [^-]*\(default: 1\)/);
  expect(stdout).toContain('zcav');
});

const FILE_HINT = 'pass a file or block device, such as /dev/sda';

test.each([
  [[], `zones needs a FILE; ${FILE_HINT}`],
  [[''], `zones needs a FILE; ${FILE_HINT}`],
  [['-'], '- cannot be read: no such file or directory (ENOENT); name an existing file or block device'],
  [['a', 'b'], 'there is no command or argument b; see gobonnie zones --help'],
  [
    ['a', '-b', '0'],
    'invalid --block 0: expected a whole number of MiB from 1 to 1048576, or a size like 64m or 1g; for example, --block 64',
  ],
  [['a', '--loops=0'], 'invalid --loops 0: expected a whole number above 0; for example, --loops 3'],
  [
    ['a\nb'],
    '"a\\nb" cannot be read: no such file or directory (ENOENT); name an existing file or block device',
  ],
])('zones %j is rejected in one line', async (args, line) => {
  expect(await runZones(args)).toEqual({ stdout: '', stderr: `gobonnie: ${line}\n`, exitCode: 2 });
});

describe('the printed lines', () => {
  test('are the lines of zcav: the header, a line for each block, and a summary', async () => {
    const { stdout, exitCode } = await runZones(['--block', '16', makeFile(40 * MIB)]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/\n$/);
    const tail = String.raw`#0\.03 \d+\.\d\d \d+\.\d\d\d \(the last 8\.00 MiB\)`;
    expect(linesOf(stdout).slice(1)).toEqual(matching(ROW, ROW, tail, SUMMARY));
    expect(linesOf(stdout)[0]).toBe(HEADER);
    expect(linesOf(stdout).at(-1)).toMatch(/^# Read 40\.00 MiB in /);
    expect(readOffsets(stdout)).toEqual(['0.00', '0.02']);
  });

  test('of several loops are comments, followed by the means', async () => {
    const { stdout } = await runZones(['--block=16', '--loops=2', makeFile(32 * MIB)]);
    const loop = [`#${ROW}`, `#${ROW}`, SUMMARY];
    expect(linesOf(stdout).slice(1)).toEqual(
      matching('# Loop 1 of 2:', ...loop, '# Loop 2 of 2:', ...loop, '#loops: 2', ROW, ROW),
    );
    const times = (lines: readonly string[]) => lines.map((line) => Number(line.split(' ')[2]));
    const [first = 0, second = 0, mean = 0] = times([2, 6, 10].map((index) => linesOf(stdout)[index] ?? ''));
    expect(mean).toBeCloseTo((first + second) / 2, 2);
  });

  test('have the header and the offsets of the real zcav', async (context) => {
    requireTools('root', 'zcav')(context);
    const args = ['-b16', '-c', '2', makeFile(100 * MIB)];
    const zcavText = execFileSync('zcav', ['-u', 'root', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const { stdout } = await runZones(args);
    // zcav comments out blocks that took less than a second, so gnuplot skips them.
    const rows = zcavText.match(/^#?\d+\.\d\d (\+\+\+\+|\d+\.\d\d) \d+\.\d\d\d$/gm) ?? [];
    expect(linesOf(zcavText)).toContain(HEADER);
    expect(rows).toHaveLength(6);
    expect(readOffsets(stdout)).toEqual(rows.map((row) => row.replace('#', '').split(' ')[0]));
  });
});

describe('zones warns about cached reads:', () => {
  beforeEach(requireTools('root', 'mount', '/proc/self/io'));

  const BUFFERED =
    /^gobonnie: warning: \S+ cannot be read with O_DIRECT: .*\(gobonnie explain direct-io-unavailable\)$/m;
  /** Much larger than the program, whose code the kernel may read again when other tests drop the page cache. */
  const READ_BYTES = 64 * MIB;
  const IN_MEMORY = /^gobonnie: warning: \S+ is in memory; do not rely on .* not-read-from-device\)$/m;
  const FROM_MEMORY =
    /^gobonnie: warning: only \d % of \S+ was read from a device: .* not-read-from-device\)$/m;

  test('before it reads, on a filesystem that does not support O_DIRECT', async () => {
    const file = makeFile(READ_BYTES, mount(makeDirectory(), ['-t', 'ramfs', 'none']));
    const { stdout, stderr, exitCode } = await runZones(['--block', '32', file]);
    expect(exitCode).toBe(0);
    expect(readOffsets(stdout)).toHaveLength(2);
    expect(stderr).toMatch(BUFFERED);
    expect(stderr).toMatch(IN_MEMORY);
  });

  test('for a file that is a hole', async () => {
    expect((await runZones(['--block', '32', makeSparseFile(READ_BYTES)])).stderr).toMatch(FROM_MEMORY);
  });

  describe('or reports that the device share is unknown', () => {
    beforeEach(requireTools('losetup', 'bindfs'));

    test('for a loop device that may cache its file, with the command that turns this cache off', async () => {
      const device = attachReadOnlyLoop(makeFile(2 * MIB));
      const { stderr } = await runZones(['--block', '1', device]);
      expect(stderr).toContain(`is unknown (${device} may cache its backing file); run `);
      const [, command = ''] = /`(losetup .+)`/.exec(stderr) ?? [];
      execSync(command);
      expect((await runZones(['--block', '1', device])).stderr).toBe('');
    });

    test('for a file on a FUSE filesystem', async () => {
      const file = makeFile(2 * MIB);
      const served = path.join(mountBindfs(path.dirname(file), []), path.basename(file));
      const { stderr } = await runZones(['--block', '1', served]);
      expect(stderr).toContain(`how much of ${served} was cached is unknown (the kernel does not count`);
    });
  });

  test.for(['rw', 'data=journal'])(
    'but not for a cached file on a disk, because zones reads it from the disk: %s',
    async (mountOptions, context) => {
      requireTools('losetup', 'mkfs.ext4')(context);
      const file = path.join(mountLoop('ext4', { mountOptions }), 'data');
      copyFileSync(makeFile(8 * MIB), file);
      execFileSync('sync', [file]);
      readFileSync(file);
      const { stderr, exitCode } = await runZones(['--block', '2', '--loops', '2', file]);
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    },
  );
});

describe('a signal', () => {
  test('ends zones after the lines of the blocks that were read', async () => {
    const { stdout, stderr, exitCode } = await runZones(['--block', '1', makeFile(9 * MIB)], {
      onStdoutLine: (line) => (line.startsWith('0.0020') ? 'SIGTERM' : undefined),
    });
    expect(exitCode).toBe(143);
    expect(readOffsets(stdout)).toEqual(['0.0000', '0.0010', '0.0020']);
    expect(linesOf(stdout)).toHaveLength(4);
    expect(stderr).toMatch(/^gobonnie: stopped by SIGTERM after 3 blocks\n$/m);
  });

  test('in the second of three loops prints the means of the blocks that were read', async () => {
    const { stdout, exitCode } = await runZones(['-b', '16', '-c', '3', makeFile(48 * MIB)], {
      onStdoutLine: (line) => (line.startsWith('# Loop 2') ? 'SIGINT' : undefined),
    });
    expect(exitCode).toBe(130);
    expect(readOffsets(stdout)).toEqual(['0.00', '0.02', '0.03']);
    expect(stdout).not.toContain('# Loop 3');
  });
});

test('zones ends without an error when stdout is closed, as for head -1', async () => {
  const { stdout, stderr, exitCode } = await runZones(['--block', '1', makeSparseFile(8 * 1024 ** 4)], {
    closeStdoutAfterLines: 3,
  });
  expect(readOffsets(stdout)).toHaveLength(2);
  expect(stderr).not.toContain('EPIPE');
  expect(exitCode).toBe(141);
});

describe('under strace', () => {
  beforeEach(requireTools('strace'));

  /** A single reading thread, because strace counts the calls of each thread separately. */
  const env = { ...process.env, UV_THREADPOOL_SIZE: '1' };

  async function traceZones(file: string, filter: readonly string[], args: readonly string[]) {
    return traceGobonnie(['-P', file, ...filter], ['zones', ...args, file], { env });
  }

  test('zones opens the file only for reading, and writes nothing', async () => {
    const { calls, exitCode } = await traceZones(makeFile(3 * MIB), [], ['--block', '1']);
    expect(exitCode).toBe(0);
    const openCalls = calls.filter((call) => /\bopen(at2?)?\(/.test(call));
    expect(openCalls.length).toBeGreaterThan(0);
    for (const call of openCalls) expect(call).toMatch(/O_RDONLY/);
    expect(calls.join('\n')).not.toMatch(
      /O_CREAT|O_WRONLY|O_RDWR|O_TRUNC|\bp?write(v|64|v2)?\(|truncate|fsync/,
    );
    expect(calls.filter((call) => /\bpread64\(.*= 1048576$/.test(call))).toHaveLength(3);
  });

  test('an unreadable sector is reported after the lines of the blocks before it', async () => {
    const file = makeFile(6 * MIB);
    const fail = ['-e', 'trace=pread64', '-e', 'inject=pread64:error=EIO:when=5'];
    const { stdout, stderr, exitCode } = await traceZones(file, fail, ['--block', '2']);
    expect(exitCode).toBe(1);
    expect(linesOf(stdout)).toHaveLength(3);
    expect(readOffsets(stdout)).toEqual(['0.000', '0.002']);
    expect(stderr).toBe(
      `gobonnie: ${file} cannot be read at offset ${4 * MIB}: i/o error (EIO); ` +
        'check the system log (dmesg); the disk may be failing\n',
    );
  });
});
