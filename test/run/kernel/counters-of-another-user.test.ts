import { cpSync, readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { beforeEach, describe, expect, test } from 'vitest';
import { keepOwnIoOpen, readOwnIo } from '../../../src/run/kernel/counters.js';
import { makeDirectory, makePublicDirectory } from '../../support/disks/directory.js';
import { type ExitResult, startProcess } from '../../support/programs/program.js';
import { joinCallLines } from '../../support/programs/trace.js';
import { requireTools } from '../../support/tools.js';

const COUNTS = /^rchar: \d+\nwchar: (\d+)\n[\s\S]*^read_bytes: \d+\nwrite_bytes: \d+$/m;
const NOBODY_ID = 65_534;
const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));
const WRITTEN_BYTES = 1_000_000;
/** Number of phases of bonnie++ -n 0 -f. */
const PHASES = 4;

const parseWchar = (text: string | null) => Number(COUNTS.exec(text ?? '')?.[1]);

/** Becomes nobody, reads its counters, writes something, and reads them again. */
const PROGRAM = `
import { writeFileSync } from 'node:fs';
import { keepOwnIoOpen, readOwnIo } from './counters.js';
const [keeps] = process.argv.slice(2);
if (keeps === 'keeps') keepOwnIoOpen();
process.setgroups([]);
process.setgid(${NOBODY_ID});
process.setuid(${NOBODY_ID});
const before = readOwnIo();
writeFileSync('/dev/null', Buffer.alloc(${WRITTEN_BYTES}));
const after = readOwnIo();
process.stdout.write(JSON.stringify({ uid: process.getuid(), before, after }));
`;

describe('a process that keeps its user', () => {
  beforeEach(requireTools('/proc/self/io'));

  test('readOwnIo() reads the same counters with and without the open file', () => {
    expect(readOwnIo()).toMatch(COUNTS);
    keepOwnIoOpen();
    keepOwnIoOpen();
    const kept = readOwnIo();
    const now = readFileSync('/proc/self/io', 'utf8');
    expect(kept).toMatch(COUNTS);
    expect(parseWchar(kept)).toBeLessThanOrEqual(parseWchar(now));
    expect(readOwnIo()).toMatch(/^rchar: .*\n$/s);
  });
});

describe('a root process that became nobody', () => {
  beforeEach(requireTools('root', '/proc/self/io'));

  function runChild(keeps: string): Promise<ExitResult> {
    const outfile = path.join(makePublicDirectory(), 'child.mjs');
    const stdin = { contents: PROGRAM, resolveDir: path.join(PROJECT, 'src/run/kernel') };
    buildSync({ stdin, bundle: true, platform: 'node', format: 'esm', outfile });
    return startProcess(process.execPath, [outfile, keeps]).exitResult;
  }

  test('a root process that became nobody can read its counters if it kept the file open', async () => {
    const { stdout, stderr } = await runChild('keeps');
    expect(stderr).toBe('');
    const { uid, before, after } = JSON.parse(stdout);
    expect(uid).toBe(NOBODY_ID);
    for (const text of [before, after]) expect(text).toMatch(COUNTS);
    expect(parseWchar(after)).toBeGreaterThanOrEqual(parseWchar(before) + WRITTEN_BYTES);
  });

  test('a root process that became nobody cannot read its counters if it did not keep the file open', async () => {
    const { stdout } = await runChild('forgets');
    expect(JSON.parse(stdout)).toEqual({ uid: NOBODY_ID, before: null, after: null });
  });

  describe('under strace', () => {
    beforeEach(requireTools('strace'));

    /** Copies gobonnie to a directory that the user nobody can read: the checkout may be in root's home. */
    function installGobonnie(): string {
      const directory = makePublicDirectory();
      for (const part of ['bin', 'dist', 'package.json'])
        cpSync(path.join(PROJECT, part), path.join(directory, part), { recursive: true });
      return path.join(directory, 'bin/gobonnie.cjs');
    }

    test('bonnie++ -u nobody reads its counters before and after each phase without opening them again', async () => {
      const dir = makePublicDirectory();
      const log = path.join(makeDirectory(os.tmpdir()), 'calls');
      const filter = ['-f', '-qq', '-y', '-s', '300', '--seccomp-bpf', '-e', 'trace=setuid,openat,pread64'];
      const flags = ['-q', '-u', 'nobody', '-d', dir, '-s', '1', '-r', '0', '-n', '0', '-f'];
      const program = [process.execPath, installGobonnie(), 'bonnie++', ...flags];
      const { exitCode } = await startProcess('strace', [...filter, '-o', log, ...program]).exitResult;
      expect(exitCode).toBe(0);
      expect(readdirSync(dir)).toEqual([]);

      const calls = joinCallLines(readFileSync(log, 'utf8').split('\n'));
      const became = calls.findIndex((call) => call.includes(`setuid(${NOBODY_ID}`));
      expect(became).toBeGreaterThan(0);
      const own = calls.slice(became).filter((call) => /\/proc\/(self|\d+)\/io\b/.test(call));
      expect(own.filter((call) => call.includes('openat('))).toEqual([]);
      const read = own.filter((call) => /"rchar: .*write_bytes: .*" *, 4096, 0\) = \d+$/.test(call));
      expect(read).toHaveLength(2 * PHASES);
    });
  });
});
