import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { MARKER_NAME, NEW_MARKER_NAME } from '../../../src/scratch/marker.js';
import { findScratch, makeDirectory, makePublicDirectory } from '../../support/disks/directory.js';
import { runGobonnie, startProcess } from '../../support/programs/program.js';
import { traceGobonnie } from '../../support/programs/trace.js';
import { requireTools } from '../../support/tools.js';
import { splitLines, startPrompting, USER_FLAGS } from './run-bonnie-plus-plus.js';

/** A system call that strace printed. */
interface Call {
  readonly thread: string;
  readonly name: string;
  readonly file: string;
  readonly text: string;
}

/** Runs bonnie++ under strace, and returns its calls with these names on files in its scratch directory. */
async function traceCalls(names: string, flags: string, dir = makeDirectory(), more: readonly string[] = []) {
  const filter = ['-y', '-s', '0', '-e', `trace=${names}`, ...more];
  const args = ['bonnie++', ...USER_FLAGS, '-q', '-d', dir, ...flags.split(' ')];
  const { calls, exitCode } = await traceGobonnie(filter, args);
  expect(exitCode).toBe(0);
  expect(readdirSync(dir)).toEqual([]);
  return calls.flatMap((text): readonly Call[] => {
    const [, thread = '', name = '', file] =
      /^(\d+) +(\w+)\((?:\d+<|AT_FDCWD<[^>]*>, "|")[^">]*\/gobonnie-\w{6}\/?([^">]*)[">]/.exec(text) ?? [];
    const isData = file !== undefined && ![MARKER_NAME, NEW_MARKER_NAME].includes(file);
    return isData ? [{ thread, name, file, text }] : [];
  });
}

describe('under strace', () => {
  beforeEach(requireTools('strace'));

  const IO = '-r 0 -n 0 -f -s';

  test('-D opens the file with O_DIRECT for write, rewrite, read and every seeker', async () => {
    const directory = makeDirectory(os.tmpdir());
    const openCalls = await traceCalls('openat', `${IO} 1:8k:50:3 -D`, directory);
    const modes = openCalls
      .filter(({ file, text }) => file === 'bonnie.0' && !text.includes('O_CREAT'))
      .map(({ text }) => `${/O_(WRONLY|RDWR|RDONLY)/.exec(text)?.[1]} ${/O_DIRECT\b/.test(text)}`);
    // The final sync, which is not timed, opens the file again but transfers no data.
    const direct = modes.filter((mode) => mode.endsWith('true')).toSorted();
    expect(direct).toEqual([
      'RDONLY true',
      'RDWR true',
      'RDWR true',
      'RDWR true',
      'RDWR true',
      'WRONLY true',
    ]);
  });

  test('-D uses the page cache for the per-byte tests', async () => {
    const openCalls = await traceCalls('openat', '-r 0 -n 0 -f1 -s 1:8k:50:1 -D', makeDirectory(os.tmpdir()));
    const direct = openCalls.filter(({ text }) => /O_DIRECT\b/.test(text));
    expect(direct).toHaveLength(4);
  });

  test('without -D, bonnie++ opens no file with O_DIRECT', async () => {
    const openCalls = await traceCalls('openat', `${IO} 1:8k:50:1`);
    expect(openCalls.filter(({ file }) => file === 'bonnie.0').length).toBeGreaterThanOrEqual(4);
    expect(openCalls.filter(({ text }) => /O_DIRECT\b/.test(text))).toEqual([]);
  });

  test('-b syncs after every write', async () => {
    const calls = await traceCalls('pwrite64,fsync', `${IO} 1:64k:30:1 -b`);
    const writes = calls.filter(({ name }) => name === 'pwrite64');
    expect(writes).toHaveLength(16 + 16 + 3);
    expect(writes.filter((write) => nextOf(write, calls) !== 'fsync bonnie.0')).toEqual([]);
  });

  test('without -b, the writing thread syncs at the end of write and of rewrite, like the real bonnie++', async () => {
    const calls = await traceCalls('pwrite64,fsync', `${IO} 1:64k:30:1`);
    const writers = new Set(calls.filter(({ name }) => name === 'pwrite64').map(({ thread }) => thread));
    const writerCalls = calls.filter(({ thread }) => writers.has(thread)).map(({ name }) => name);
    const phase = [...Array.from({ length: 16 }, () => 'pwrite64'), 'fsync'];
    expect(writerCalls).toEqual([...phase, ...phase, 'pwrite64', 'pwrite64', 'pwrite64']);
  });

  test('without -b, bonnie++ syncs each directory once after it creates the files, and once after it deletes them', async () => {
    const calls = await traceCalls('fsync', '-s 0 -n 1:0:0:2');
    expect(calls.map(({ file }) => path.basename(file))).toEqual(
      ['create', 'delete', 'create-random', 'delete-random'].flatMap(() => ['00000', '00001']),
    );
  });

  test('-b syncs the directory after each creation or deletion of a file', async () => {
    const calls = await traceCalls('openat,unlink,fsync', '-s 0 -n 1:0:0:2 -b');
    const fileChanges = calls.filter(
      ({ name, text, file }) => /\/\d{5}\/./.test(file) && (name === 'unlink' || text.includes('O_CREAT')),
    );
    expect(fileChanges.filter(({ name }) => name === 'openat')).toHaveLength(2048);
    expect(fileChanges.filter(({ name }) => name === 'unlink')).toHaveLength(2048);
    const unsynced = fileChanges.filter((change) => {
      const nextCalls = laterCalls(change, calls).slice(0, 2);
      return !nextCalls.some(({ name, file }) => name === 'fsync' && file === path.dirname(change.file));
    });
    expect(unsynced).toEqual([]);
  });

  test('-c 2 writes two files at once', async () => {
    // Slow first writes, so a thread that starts late still overlaps with the other thread.
    const delay = ['-e', 'inject=pwrite64:delay_exit=300000:when=1..8'];
    const calls = await traceCalls('pwrite64', `${IO} 1:64k:30:1 -c 2`, makeDirectory(), delay);
    const writesTo = (name: string) =>
      [...calls.entries()].filter(([, { file }]) => file === name).slice(0, 8);
    const first = writesTo('bonnie.0');
    const second = writesTo('bonnie.1');
    expect([first.length, second.length]).toEqual([8, 8]);
    // The writes to each file begin before the writes to the other file end.
    expect(first[0]?.[0]).toBeLessThan(second.at(-1)?.[0] ?? 0);
    expect(second[0]?.[0]).toBeLessThan(first.at(-1)?.[0] ?? 0);
    const countThreads = (writes: typeof first) => new Set(writes.map(([, { thread }]) => thread)).size;
    expect(countThreads(first)).toBe(1);
    expect(countThreads(second)).toBe(1);
    expect(countThreads([...first, ...second])).toBe(2);
  });

  test('-c 2 makes two threads delete half of the small files each, in two trees', async () => {
    const calls = await traceCalls('unlink', '-s 0 -n 1 -c 2');
    for (const tree of ['tree.0', 'tree.1', 'tree.0-random', 'tree.1-random'])
      expect(calls.filter(({ file }) => file.startsWith(`${tree}/`))).toHaveLength(512);
    expect(new Set(calls.map(({ thread }) => thread)).size).toBe(2);
  });

  describe('random numbers', () => {
    const SEEKS = 60;

    async function seekOffsets(flags: string): Promise<readonly string[]> {
      const calls = await traceCalls('pread64', `${IO} 1:8k:${SEEKS}:1 ${flags}`);
      return calls.map(({ text }) => /, (\d+)\)/.exec(text)?.[1] ?? text).slice(-SEEKS);
    }

    test('the same -z seeks to the same offsets, and another -z seeks to other offsets', async () => {
      const offsets = await seekOffsets('-z 7');
      expect(new Set(offsets).size).toBeGreaterThan(SEEKS / 4);
      expect(await seekOffsets('-z 7')).toEqual(offsets);
      expect(await seekOffsets('-z 8')).not.toEqual(offsets);
    });

    test('the same -Z seeks to the same offsets', async () => {
      const file = fileURLToPath(import.meta.url);
      expect(await seekOffsets(`-Z ${file}`)).toEqual(await seekOffsets(`-Z ${file}`));
    });

    test('the same -z produces the same names of small files', async () => {
      const namesWith = async (seed: string) => {
        const calls = await traceCalls('unlink', `-s 0 -n 1 -z ${seed}`);
        return calls.map(({ file }) => path.basename(file));
      };
      const names = await namesWith('7');
      expect(names).toHaveLength(2048);
      expect(await namesWith('7')).toEqual(names);
      expect(await namesWith('8')).not.toEqual(names);
    });
  });
});

/** Returns the later calls of the same thread. */
function laterCalls(call: Call, calls: readonly Call[]): readonly Call[] {
  return calls.slice(calls.indexOf(call) + 1).filter(({ thread }) => thread === call.thread);
}

function nextOf(call: Call, calls: readonly Call[]): string {
  const [next] = laterCalls(call, calls);
  return `${next?.name} ${next?.file}`;
}

describe('another user', () => {
  beforeEach(requireTools('root'));

  const NOBODY_ID = 65_534;
  const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));

  /** Copies the program for the user nobody, because the checkout may be in root's home. */
  function installProgram(): string {
    const directory = makePublicDirectory();
    for (const part of ['bin', 'dist', 'package.json'])
      cpSync(path.join(PROJECT, part), path.join(directory, part), { recursive: true });
    return path.join(directory, 'bin/gobonnie.cjs');
  }

  test.each(['-u nobody', '-u 65534', '-u nobody:nogroup', '-u nobody -g nogroup'])(
    'owns the files with %s, and no files remain',
    async (userFlags) => {
      const dir = makePublicDirectory();
      const program = startPrompting(dir, `${userFlags} -s 1 -r 0 -n 1 -f`, installProgram());
      await program.untilPrompt('write');
      program.type('\n');
      await program.untilPrompt('rewrite');
      const scratch = findScratch(dir) ?? '';
      for (const file of [scratch, path.join(scratch, 'bonnie.0')]) {
        const { uid, gid } = lstatSync(file);
        expect([uid, gid]).toEqual([NOBODY_ID, NOBODY_ID]);
      }
      for (const phase of ['read', 'seeks', 'create', 'stat']) {
        program.type('\n');
        await program.untilPrompt(phase);
      }
      expect(lstatSync(path.join(scratch, 'tree.0')).uid).toBe(NOBODY_ID);
      for (const phase of ['delete', 'create-random', 'stat-random', 'delete-random']) {
        program.type('\n');
        await program.untilPrompt(phase);
      }
      program.type('\n');
      expect(await program.exitCode).toBe(0);
      expect(readdirSync(dir)).toEqual([]);
    },
  );

  test('is rejected with -u nobody if nobody may not write to the directory', async () => {
    const dir = makeDirectory();
    const args = [
      installProgram(),
      'bonnie++',
      '-u',
      'nobody',
      '-d',
      dir,
      '-s',
      '1',
      '-r',
      '0',
      '-n',
      '0',
      '-f',
    ];
    const { stdout, stderr, exitCode } = await startProcess(process.execPath, args).exitResult;
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toMatch(/^Using uid:65534, gid:65534\.\ngobonnie: -d \S+ cannot be [^\n]+; [^\n]+\n$/);
  });

  test('joins with -u nobody a barrier that was created with -u nobody', async () => {
    const dir = makePublicDirectory();
    const temporary = makePublicDirectory();
    // Like /tmp: without the sticky bit, another user could replace the directory of the barrier.
    chmodSync(temporary, 0o1777);
    const env = { ...process.env, TMPDIR: temporary };
    const program = installProgram();
    const creation = await startProcess(process.execPath, [program, 'bonnie++', '-u', 'nobody', '-p', '1'], {
      env,
    }).exitResult;
    expect(creation).toEqual({
      stdout: '',
      stderr: 'Creating semaphore for 1 procs.\n',
      exitCode: 0,
      signal: null,
    });
    const flags = '-u nobody -q -s 1 -r 0 -n 0 -f -y s'.split(' ');
    const args = [program, 'bonnie++', ...flags, '-d', dir];
    const { stdout, exitCode } = await startProcess(process.execPath, args, { env }).exitResult;
    expect(exitCode).toBe(0);
    expect(splitLines(stdout)).toHaveLength(1);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('is required for root: bonnie++ rejects root without -u and -g, and creates no files', async () => {
    const dir = path.join(makeDirectory(), 'missing');
    for (const args of [
      ['-s', '1', '-r', '0', '-n', '0', '-f'],
      ['-p', '2'],
      ['-s', '1', '-r', '0', '-y', 's'],
    ]) {
      const { stdout, stderr, exitCode } = await runGobonnie(['bonnie++', '-d', dir, ...args]);
      expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
      expect(stderr).toBe(
        'gobonnie: bonnie++ does not run as root without -u; pass -u root, or -u nobody to run as that user\n',
      );
    }
    expect(() => lstatSync(dir)).toThrow('ENOENT');
  });

  test('keeps the user root with -u root -g nogroup', async () => {
    const dir = makePublicDirectory();
    mkdirSync(path.join(dir, 'mine'));
    const program = startPrompting(path.join(dir, 'mine'), '-u root -g nogroup -s 1 -r 0 -n 0 -f');
    await program.untilPrompt('write');
    const { uid, gid } = lstatSync(findScratch(path.join(dir, 'mine')) ?? '');
    expect([uid, gid]).toEqual([0, NOBODY_ID]);
    program.kill('SIGINT');
    expect(await program.exitCode).toBe(5);
  });
});
