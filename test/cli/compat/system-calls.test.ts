import { cpSync, lstatSync, readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { findScratch, makeDirectory, makePublicDirectory } from '../../support/disks/directory.js';
import { runGobonnie, startProcess } from '../../support/programs/program.js';
import { traceGobonnie } from '../../support/programs/trace.js';
import { requireTools } from '../../support/tools.js';
import { startPrompting, USER_FLAGS } from './run-bonnie-plus-plus.js';

/** A system call on a file in the scratch directory. */
interface Call {
  readonly thread: string;
  readonly name: string;
  readonly file: string;
  readonly text: string;
}

/** Runs bonnie++ under strace without the file tests, and returns these calls on the data files. */
async function traceCalls(
  names: string,
  flags: string,
  more: readonly string[] = [],
): Promise<readonly Call[]> {
  const dir = makeDirectory(os.tmpdir());
  const args = ['bonnie++', ...USER_FLAGS, '-q', '-d', dir, '-r', '0', '-n', '0', ...flags.split(' ')];
  const { calls, exitCode } = await traceGobonnie(['-y', '-s', '0', '-e', `trace=${names}`, ...more], args);
  expect(exitCode).toBe(0);
  expect(readdirSync(dir)).toEqual([]);
  return calls.flatMap((text) => {
    const [, thread = '', name = '', file = ''] =
      /^(\d+) +(\w+)\(.*\/gobonnie-\w{6}\/(bonnie\.\d)[">]/.exec(text) ?? [];
    return file === '' ? [] : [{ thread, name, file, text }];
  });
}

describe('under strace', () => {
  beforeEach(requireTools('strace'));

  test('-D opens the file with O_DIRECT in write, rewrite, read and each of three seekers, but not in the per-byte tests', async () => {
    const calls = await traceCalls('openat', '-s 1:8k:50:3 -f1 -D');
    const modes = calls.flatMap(({ text }) => /O_(WRONLY|RDWR|RDONLY)\b.*\bO_DIRECT\b/.exec(text)?.[1] ?? []);
    expect(modes.toSorted()).toEqual(['RDONLY', 'RDWR', 'RDWR', 'RDWR', 'RDWR', 'WRONLY']);
    expect(calls.length).toBeGreaterThan(modes.length);
  });

  test('the writing thread syncs only at the end of write and of rewrite, like the real bonnie++', async () => {
    const calls = await traceCalls('pwrite64,fsync', '-s 1:64k:30:1 -f');
    const writer = calls.find(({ name }) => name === 'pwrite64')?.thread;
    const phase = [...Array.from({ length: 16 }, () => 'pwrite64'), 'fsync'];
    expect(calls.filter(({ thread }) => thread === writer).map(({ name }) => name)).toEqual([
      ...phase,
      ...phase,
      ...['pwrite64', 'pwrite64', 'pwrite64'],
    ]);
  });
});

describe('another user', () => {
  beforeEach(requireTools('root'));

  const NOBODY_IDS = [65_534, 65_534];
  const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));

  /** Copies the program for the user nobody, because the checkout may be in root's home. */
  function installProgram(): string {
    const directory = makePublicDirectory();
    for (const part of ['bin', 'dist', 'package.json'])
      cpSync(path.join(PROJECT, part), path.join(directory, part), { recursive: true });
    return path.join(directory, 'bin/gobonnie.cjs');
  }

  test('owns the files with -u nobody:nogroup, and no files remain', async () => {
    const dir = makePublicDirectory();
    const program = startPrompting(dir, '-u nobody:nogroup -s 1 -r 0 -n 1 -f', installProgram());
    /** Starts these tests, and waits for the prompt of the next test. */
    const runTests = async (...next: readonly string[]) => {
      for (const phase of next) {
        program.type('\n');
        await program.untilPrompt(phase);
      }
    };
    const ownerOf = (name: string) => {
      const { uid, gid } = lstatSync(path.join(findScratch(dir) ?? '', name));
      return [uid, gid];
    };
    await program.untilPrompt('write');
    await runTests('rewrite');
    expect([ownerOf('.'), ownerOf('bonnie.0')]).toEqual([NOBODY_IDS, NOBODY_IDS]);
    await runTests('read', 'seeks', 'create', 'stat');
    expect(ownerOf('tree.0')).toEqual(NOBODY_IDS);
    await runTests('delete', 'create-random', 'stat-random', 'delete-random');
    program.type('\n');
    expect(await program.exitResult).toMatchObject({ exitCode: 0 });
    expect(readdirSync(dir)).toEqual([]);
  });

  test('is rejected with -u nobody if nobody may not write to the directory', async () => {
    const dir = makeDirectory();
    const flags = '-u nobody -s 1 -r 0 -n 0 -f'.split(' ');
    const args = [installProgram(), 'bonnie++', ...flags, '-d', dir];
    const { stdout, stderr, exitCode } = await startProcess(process.execPath, args).exitResult;
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toMatch(/^Using uid:65534, gid:65534\.\ngobonnie: -d \S+ cannot be [^\n]+; [^\n]+\n$/);
  });

  test('is required for root: bonnie++ rejects root without -u and -g, and creates no files', async () => {
    const dir = makeDirectory();
    const { stdout, stderr, exitCode } = await runGobonnie(['bonnie++', '-d', dir, '-s', '1', '-r', '0']);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toBe(
      'gobonnie: bonnie++ does not run as root without -u; pass -u root, or -u nobody to run as that user\n',
    );
    expect(readdirSync(dir)).toEqual([]);
  });
});
