import { readdirSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { mountExt4 } from '../../support/disks/loop.js';
import { mountTmpfs } from '../../support/disks/mounts.js';
import { ENTRY, type ExitResult, type ProgramOptions, startProcess } from '../../support/programs/program.js';
import { SMALL_FLAGS } from '../../support/programs/small-run.js';
import { traceGobonnie } from '../../support/programs/trace.js';
import { NOBODY, requireTools } from '../../support/tools.js';

const NOT_EMPTIED = / warning: the page cache was not dropped \(/g;
const NO_DROP = 'mount --bind /proc/sys /proc/sys && mount -o remount,bind,ro /proc/sys';
/** Replaces both paths of dd, one of which may be a link to the other, with a program that is not GNU dd. */
const NO_DD = 'for dd in /usr/bin/dd /bin/dd; do mount --bind /bin/false "$dd" || exit; done';

/**
 * Returns strace's lines as the steps of one thread. A sync counts when it ends, other steps when they begin, so
 * `sync, drop` means that the sync ended before the drop began.
 */
function parseSteps(lines: readonly string[]): readonly string[] {
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
    // Ignore dd's opens: only Node uses O_CLOEXEC.
    if (!/^openat\(.*\/bonnie\.0".*O_CLOEXEC/.test(call)) return [];
    if (call.includes('O_EXCL')) return ['make'];
    if (call.includes('O_WRONLY')) return ['write'];
    return [call.includes('O_RDONLY') ? 'read' : 'open'];
  });
}

/** Removes the memory ceiling's reads, which follow the phases' reads and drop no cache. */
function withoutCeiling(steps: readonly string[]): readonly string[] {
  const second = steps.indexOf('read', steps.indexOf('read') + 1);
  const ceiling = second < 0 ? [] : steps.slice(second);
  expect(ceiling.filter((step) => step !== 'read' && step !== 'open')).toEqual([]);
  return steps.slice(0, steps.length - ceiling.length);
}

/** Removes the opens of the warm-up, which follow the read phase: all but the last of the opens there. */
function withoutWarmUp(steps: readonly string[]): readonly string[] {
  const next = steps.indexOf('read') + 1;
  const opens = steps.slice(next).findIndex((step) => step !== 'open');
  return opens < 2 ? steps : steps.toSpliced(next, opens - 1);
}

const ONE_THREAD = '-q --size 0.001 --threads 1 --allow-cached'.split(' ');
/** Delays reads: a thread that reads from the page cache for seconds would keep a CPU busy. */
const SLOW_READS = ['-e', 'inject=pread64:delay_exit=20000'];

/** Returns the steps of a run on a disk with one thread, in which no step is measured again. */
async function traceSteps(flags: readonly string[], options?: ProgramOptions): Promise<readonly string[]> {
  const trace = ['-y', '-s', '8', '-e', 'trace=openat,fsync,fdatasync,write,fadvise64', ...SLOW_READS];
  const args = ['--dir', mountExt4(64 * 1024 ** 2), ...ONE_THREAD, ...flags];
  const { lines, exitCode } = await traceGobonnie(trace, args, options);
  expect(exitCode).toBe(0);
  return withoutCeiling(withoutWarmUp(parseSteps(lines)));
}

const WRITING = ['make', 'write', 'sync'];

/** Runs gobonnie in its own mount namespace after `script` has disabled something there. */
async function runWithout(
  script: string,
  args: readonly string[],
  { as = [], ...options }: ProgramOptions = {},
): Promise<ExitResult & { dir: string }> {
  const dir = mountExt4(64 * 1024 ** 2);
  const command = [...as, process.execPath, ENTRY, '--dir', dir, ...SMALL_FLAGS, ...args];
  const inside = ['--mount', 'sh', '-c', `{ ${script}; } && exec "$@"`, 'sh', ...command];
  return { ...(await startProcess('unshare', inside, options).exitResult), dir };
}

describe('as root', () => {
  beforeEach(requireTools('root', 'strace', 'mount', 'mkfs.ext4'));

  test('gobonnie syncs the files and drops the cache before read, before iops and every three seconds', async () => {
    const emptying = ['open', 'sync', 'drop'];
    const steps = await traceSteps(['--iops-duration', '7.5']);
    const beforeIops = [...WRITING, ...emptying, 'read', ...emptying, 'open'];
    expect(steps.slice(0, beforeIops.length)).toEqual(beforeIops);
    // The cache is dropped 3 s and 6 s later. On a busy machine, the second time may come after the end.
    const once = [...emptying, 'sync'];
    expect([once, [...emptying, ...once]]).toContainEqual(steps.slice(beforeIops.length));
  });

  test.each([
    [
      ['--cache', 'evict'],
      [...WRITING, 'open', 'sync', 'evict', 'read', 'open', 'sync', 'evict', 'open', 'sync'],
    ],
    [
      ['--cache', 'keep'],
      [...WRITING, 'read', 'open', 'sync'],
    ],
    [['--direct'], [...WRITING, 'read', 'open', 'sync']],
  ])('with %j gobonnie syncs and evicts the files exactly as the flags request', async (flags, steps) => {
    expect(await traceSteps(['--iops-duration', '0.1', ...flags])).toEqual(steps);
  });

  test('a read-only /proc/sys raises no warning if dd works', async () => {
    const { stdout, stderr, exitCode } = await runWithout(NO_DROP, ['--runs', '2']);
    expect(exitCode).toBe(0);
    expect(stdout.match(/^IOPS: /gm)).toHaveLength(2);
    expect(stderr).not.toMatch(NOT_EMPTIED);
    expect(stderr).not.toContain('Sequential Read: only ');
  });

  test('if neither method works, the run continues with one warning that does not suggest root', async () => {
    const { stdout, stderr, exitCode } = await runWithout(`${NO_DROP} && ${NO_DD}`, ['--runs', '2']);
    expect(exitCode).toBe(0);
    expect(stdout.match(/^IOPS: /gm)).toHaveLength(2);
    expect(stderr.match(NOT_EMPTIED)).toHaveLength(1);
    expect(stderr).toContain(
      '; pass --direct, or install GNU coreutils (Alpine: apk add coreutils), or use a ',
    );
  });

  test.each([
    ['drop', NO_DROP, ''],
    [
      'evict',
      NO_DD,
      String.raw`\S+dd is not GNU dd; install GNU coreutils \(Alpine: apk add coreutils\), or `,
    ],
  ])('a --cache %s that fails ends the run', async (mode, script, reason) => {
    const { dir, stdout, stderr, exitCode } = await runWithout(script, ['-q', '--cache', mode]);
    expect(stderr).toMatch(new RegExp(`^gobonnie: --cache ${mode} could not drop the page cache: ${reason}`));
    expect(stdout).toMatch(/^Sequential Write MB\/s: [\d.]+\n$/);
    expect(exitCode).toBe(1);
    expect(readdirSync(dir)).toEqual(['lost+found']);
  });
});

describe('as nobody', () => {
  beforeEach(requireTools('root', 'setpriv', 'strace', 'mount', 'mkfs.ext4'));

  test('gobonnie syncs and evicts the files before read and before iops', async () => {
    const evicting = ['open', 'sync', 'evict'];
    const steps = [...WRITING, ...evicting, 'read', ...evicting, 'open', 'sync'];
    expect(await traceSteps(['--iops-duration', '3.4'], NOBODY)).toEqual(steps);
  });

  test('without GNU dd, the run continues with exactly one warning that the cache was not dropped', async () => {
    const { stdout, stderr, exitCode } = await runWithout(NO_DD, ['--runs', '2'], NOBODY);
    expect(exitCode).toBe(0);
    expect(stdout.match(/^IOPS: /gm)).toHaveLength(2);
    expect(stderr.match(NOT_EMPTIED)).toHaveLength(1);
    expect(stderr).toMatch(
      / the page cache was not dropped \(\S+dd is not GNU dd\): some reads may be cached.*; pass .* GNU coreutils .*\n/,
    );
  });
});

describe('on tmpfs', () => {
  beforeEach(requireTools('root', 'strace', 'mount'));

  test('gobonnie drops no cache and prints no warning', async () => {
    const { lines, stderr, exitCode } = await traceGobonnie(
      ['-y', '-e', 'trace=openat,fsync,write,fadvise64'],
      ['--dir', mountTmpfs('size=16m'), '--size', '0.001', '--threads', '1', '--iops-duration', '0.1'],
    );
    expect(exitCode).toBe(0);
    expect(withoutCeiling(parseSteps(lines))).toEqual([...WRITING, 'read', 'open', 'sync']);
    expect(stderr).not.toMatch(NOT_EMPTIED);
  });
});
