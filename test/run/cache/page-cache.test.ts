import { readdirSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { mountExt4 } from '../../support/disks/loop.js';
import { mountTmpfs } from '../../support/disks/mounts.js';
import {
  ENTRY,
  type ExitResult,
  type ProgramOptions,
  runGobonnie,
  startProcess,
} from '../../support/programs/program.js';
import { SMALL_FLAGS } from '../../support/programs/small-run.js';
import { traceGobonnie } from '../../support/programs/trace.js';
import { NOBODY, requireTools } from '../../support/tools.js';

const NOT_EMPTIED = / warning: the page cache was not dropped \(/g;
const NO_DROP = 'mount --bind /proc/sys /proc/sys && mount -o remount,bind,ro /proc/sys';
/** A program that is no GNU dd, for both paths of dd; one may be a link to the other. */
const NO_DD = 'for dd in /usr/bin/dd /bin/dd; do mount --bind /bin/false "$dd" || exit; done';

/**
 * strace's lines as the steps of one thread's work. A sync counts when it is over, all else when it begins: then
 * `sync, drop` means that the one was over before the other began.
 */
function stepsOf(lines: readonly string[]): readonly string[] {
  const syncing = new Set<string>();
  return lines.flatMap((line) => {
    const [, thread = '', call = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    if (/^(fsync|fdatasync)\(\d+<.*\/bonnie\.0>/.test(call)) {
      if (!call.endsWith('<unfinished ...>')) return ['sync'];
      syncing.add(thread);
    }
    if (/^<\.\.\. (fsync|fdatasync) resumed>/.test(call) && syncing.delete(thread)) return ['sync'];
    if (/^write\(\d+<\/proc\/sys\/vm\/drop_caches>, "3", 1/.test(call)) return ['drop'];
    if (/^fadvise64\(\d+<.*\/bonnie\.0>, 0, 0, POSIX_FADV_DONTNEED/.test(call)) return ['evict'];
    // Node opens with O_CLOEXEC, dd without.
    if (!/^openat\(.*\/bonnie\.0".*O_CLOEXEC/.test(call)) return [];
    if (call.includes('O_EXCL')) return ['make'];
    if (call.includes('O_WRONLY')) return ['write'];
    return [call.includes('O_RDONLY') ? 'read' : 'open'];
  });
}

/** Without the memory ceiling's reads, which follow those of the phases and empty no cache. */
function withoutCeiling(steps: readonly string[]): readonly string[] {
  const second = steps.indexOf('read', steps.indexOf('read') + 1);
  const ceiling = second < 0 ? [] : steps.slice(second);
  expect(ceiling.filter((step) => step !== 'read' && step !== 'open')).toEqual([]);
  return steps.slice(0, steps.length - ceiling.length);
}

/** Reads that wait: a thread that reads from memory for seconds would keep a processor busy. */
const SLOW_READS = ['-e', 'inject=pread64:delay_exit=20000'];

/** The steps of a run on a disk with one thread. */
async function tracedSteps(flags: readonly string[], options?: ProgramOptions): Promise<readonly string[]> {
  const { lines, exitCode } = await traceGobonnie(
    ['-y', '-s', '8', '-e', 'trace=openat,fsync,fdatasync,write,fadvise64', ...SLOW_READS],
    ['-q', '--dir', mountExt4(64 * 1024 ** 2), '--size', '0.001', '--threads', '1', ...flags],
    options,
  );
  expect(exitCode).toBe(0);
  return withoutCeiling(stepsOf(lines));
}

/** Then the files are synced, for the durable rate. */
const WRITING = ['make', 'write', 'open', 'sync'];

/** The program in its own mount namespace, in which `script` has removed something. */
async function without(
  script: string,
  args: readonly string[],
  { as = [], ...place }: ProgramOptions = {},
): Promise<ExitResult & { dir: string }> {
  const dir = mountExt4(64 * 1024 ** 2);
  const command = [...as, process.execPath, ENTRY, '--dir', dir, ...SMALL_FLAGS, ...args];
  const inside = ['--mount', 'sh', '-c', `{ ${script}; } && exec "$@"`, 'sh', ...command];
  return { ...(await startProcess('unshare', inside, place).exitResult), dir };
}

describe('as root', () => {
  beforeEach(requireTools('root', 'strace', 'mount', 'mkfs.ext4'));

  test('the files are synced and the cache dropped before read, before iops and every three seconds', async () => {
    const emptying = ['open', 'sync', 'drop'];
    expect(await tracedSteps(['--iops-duration', '7.5'])).toEqual([
      ...[...WRITING, ...emptying, 'read'],
      // Then iops opens the file, and the cache is emptied 3 s and 6 s later.
      ...[...emptying, 'open', ...emptying, ...emptying],
    ]);
  });

  test.each([
    [
      ['--cache', 'evict'],
      [...WRITING, 'open', 'sync', 'evict', 'read', 'open', 'sync', 'evict', 'open'],
    ],
    [
      ['--cache', 'keep'],
      [...WRITING, 'read', 'open'],
    ],
    [['--direct'], [...WRITING, 'read', 'open']],
  ])('with %j the files are synced and evicted as planned', async (flags, steps) => {
    expect(await tracedSteps(['--iops-duration', '0.1', ...flags])).toEqual(steps);
  });

  test('a read-only /proc/sys brings no warning when dd works', async () => {
    const { stdout, stderr, exitCode } = await without(NO_DROP, ['--runs', '2']);
    expect(exitCode).toBe(0);
    expect(stdout.match(/^IOPS: /gm)).toHaveLength(2);
    expect(stderr).not.toMatch(NOT_EMPTIED);
    expect(stderr).not.toContain('Sequential Read: only ');
  });

  test('there is one warning when neither works, without advice to be root, and the run continues', async () => {
    const { stdout, stderr, exitCode } = await without(`${NO_DROP} && ${NO_DD}`, ['--runs', '2']);
    expect(exitCode).toBe(0);
    expect(stdout.match(/^IOPS: /gm)).toHaveLength(2);
    expect(stderr.match(NOT_EMPTIED)).toHaveLength(1);
    expect(stderr).toContain(
      '; pass --direct, or install GNU coreutils (Alpine: apk add coreutils), or use a ',
    );
  });

  test.each([
    ['drop', NO_DROP],
    ['evict', NO_DD],
  ])('--cache %s that does not work ends the run', async (mode, script) => {
    const { dir, stdout, stderr, exitCode } = await without(script, ['-q', '--cache', mode]);
    expect(stderr).toMatch(new RegExp(`^gobonnie: --cache ${mode} could not empty the page cache: `));
    expect(stdout).toMatch(/^Sequential Write MB\/s: [\d.]+\n$/);
    expect(exitCode).toBe(1);
    expect(readdirSync(dir)).toEqual(['lost+found']);
  });

  test('there is no warning when the cache can be emptied', async () => {
    const { stderr } = await runGobonnie(['--dir', mountExt4(64 * 1024 ** 2), ...SMALL_FLAGS]);
    expect(stderr).not.toMatch(NOT_EMPTIED);
  });
});

describe('as nobody', () => {
  beforeEach(requireTools('root', 'setpriv', 'strace', 'mount', 'mkfs.ext4'));

  test('the files are synced and evicted before read and before iops', async () => {
    const evicting = ['open', 'sync', 'evict'];
    expect(await tracedSteps(['--iops-duration', '3.4'], NOBODY)).toEqual([
      ...[...WRITING, ...evicting, 'read'],
      ...[...evicting, 'open'],
    ]);
  });

  test('without GNU dd there is exactly one warning that the cache cannot be emptied, and the run continues', async () => {
    const { stdout, stderr, exitCode } = await without(NO_DD, ['--runs', '2'], NOBODY);
    expect(exitCode).toBe(0);
    expect(stdout.match(/^IOPS: /gm)).toHaveLength(2);
    expect(stderr.match(NOT_EMPTIED)).toHaveLength(1);
    expect(stderr).toMatch(
      / the page cache was not dropped \(\S+dd is not GNU dd\): some reads may be cached.*; pass .* GNU coreutils .*\n/,
    );
  });

  test('-q suppresses that warning', async () => {
    const { stderr, exitCode } = await without(NO_DD, ['-q'], NOBODY);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  });
});

describe('in memory', () => {
  beforeEach(requireTools('root', 'strace', 'mount'));

  test('no cache is emptied and there is no warning', async () => {
    const { lines, stderr, exitCode } = await traceGobonnie(
      ['-y', '-e', 'trace=openat,fsync,write,fadvise64'],
      ['--dir', mountTmpfs('size=16m'), '--size', '0.001', '--threads', '1', '--iops-duration', '0.1'],
    );
    expect(exitCode).toBe(0);
    expect(withoutCeiling(stepsOf(lines))).toEqual([...WRITING, 'read', 'open']);
    expect(stderr).not.toMatch(NOT_EMPTIED);
  });
});
