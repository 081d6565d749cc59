import { beforeEach, describe, expect, test } from 'vitest';
import { makeDirectory, makeOpenDirectory } from '../directory.js';
import { mountExt4 } from '../mount.js';
import { ENTRY, gobonnie, type ProgramOptions, start } from '../program.js';
import { SMALL } from '../small-run.js';
import { NOBODY, needs, needsNobody } from '../tool.js';
import { traceGobonnie } from '../trace.js';
import { userProgram } from '../user-program.js';

const NOT_EMPTIED = / warning: the page cache was not emptied \(([^\n]*)\): /g;

/**
 * strace's lines as the steps of one thread's work. A sync counts when it is over, all else when it begins: then
 * `sync, drop` means that the one was over before the other began.
 */
function stepsOf(calls: readonly string[]): readonly string[] {
  const syncing = new Set<string>();
  return calls.flatMap((line) => {
    const [, thread = '', call = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    if (/^(fsync|fdatasync)\(\d+<.*\/bonnie\.0>/.test(call)) {
      if (!call.endsWith('<unfinished ...>')) return ['sync'];
      syncing.add(thread);
    }
    if (/^<\.\.\. (fsync|fdatasync) resumed>/.test(call) && syncing.delete(thread)) return ['sync'];
    if (/^write\(\d+<\/proc\/sys\/vm\/drop_caches>, "3", 1/.test(call)) return ['drop'];
    if (!/^openat\(.*\/bonnie\.0"/.test(call)) return [];
    if (call.includes('O_EXCL')) return ['write'];
    return [call.includes('O_RDONLY') ? 'read' : 'open'];
  });
}

/** How much of what the read phase read was fetched from the device, by the kernel's own account. */
async function deviceShare(dir: string, options?: ProgramOptions): Promise<number> {
  const source = `
    import { readFileSync } from 'node:fs';
    const fetched = () => Number(/^read_bytes: (\\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))[1]);
    const onEvent = ({ type, phase, measurement }) => {
      if (type === 'phase-start' && phase === 'read') before = fetched();
      if (measurement?.phase === 'read') console.log((fetched() - before) / measurement.bytes);
    };
    let before = 0;
    await run({ ...options, dir, size: 0.125 }, { onEvent });`;
  const { stdout } = await userProgram(source, dir, options);
  return Number.parseFloat(stdout);
}

describe('as root', () => {
  beforeEach(needs('root', 'strace', 'mount', 'mkfs.ext4'));

  test('the files are synced and the cache dropped before read, before iops and every three seconds', async () => {
    const { calls, exitCode } = await traceGobonnie(
      ['-y', '-s', '8', '-e', 'trace=openat,fsync,fdatasync,write'],
      ['-q', '--dir', makeDirectory(), '--size', '0.001', '--threads', '1', '--iops-duration', '7'],
    );
    const emptying = ['open', 'sync', 'drop'];
    expect(exitCode).toBe(0);
    expect(stepsOf(calls)).toEqual([
      ...['write', ...emptying, 'read'],
      // Then iops opens the file, and while it works the cache is emptied after 3 s and after 6 s.
      ...[...emptying, 'open', ...emptying, ...emptying],
    ]);
  });

  test('read comes from the device, and as nobody from memory', async () => {
    const dir = mountExt4(512 * 1024 ** 2);
    const asRoot = await deviceShare(dir);
    const asNobody = await deviceShare(dir, NOBODY);
    expect(asRoot).toBeGreaterThanOrEqual(0.9);
    expect(asNobody).toBeLessThan(0.1);
  });

  test('a /proc/sys that may not be written is said once, and the run goes on', async () => {
    const script = 'mount --bind /proc/sys /proc/sys && mount -o remount,bind,ro /proc/sys && exec "$0" "$@"';
    const { stdout, stderr, exitCode } = await start('unshare', [
      ...['--mount', 'sh', '-c', script, process.execPath, ENTRY],
      ...['--runs', '2', '--dir', makeDirectory(), ...SMALL],
    ]).ended;
    expect(exitCode).toBe(0);
    expect(stdout.match(/^IOPS: /gm)).toHaveLength(2);
    expect([...stderr.matchAll(NOT_EMPTIED)].map(([, reason]) => reason)).toEqual([
      'read-only file system (EROFS)',
    ]);
  });

  test('where it can be emptied nothing is said', async () => {
    const { stderr } = await gobonnie(['--dir', makeDirectory(), ...SMALL]);
    expect(stderr).not.toMatch(NOT_EMPTIED);
  });
});

describe('as nobody', () => {
  beforeEach(needsNobody);

  test('it is said exactly once that it cannot be emptied, and the run goes on', async () => {
    const dir = makeOpenDirectory();
    const { stdout, stderr, exitCode } = await gobonnie(['--runs', '2', '--dir', dir, ...SMALL], NOBODY);
    expect(exitCode).toBe(0);
    expect(stdout.match(/^IOPS: /gm)).toHaveLength(2);
    expect([...stderr.matchAll(NOT_EMPTIED)]).toHaveLength(1);
  });

  test('-q says nothing of it', async () => {
    const { stderr, exitCode } = await gobonnie(['-q', '--dir', makeOpenDirectory(), ...SMALL], NOBODY);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  });
});
