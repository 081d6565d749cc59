import { cpSync, readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { makeDirectory, makePublicDirectory } from '../../support/disks/directory.js';
import { startProcess } from '../../support/programs/program.js';
import { joinCallLines } from '../../support/programs/trace.js';
import { requireTools } from '../../support/tools.js';

const NOBODY_ID = 65_534;
const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));
/** Number of phases of bonnie++ -n 0 -f. */
const PHASES = 4;

beforeEach(requireTools('root', 'strace', '/proc/self/io'));

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
