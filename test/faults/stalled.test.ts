import { readdirSync } from 'node:fs';
import os from 'node:os';
import { beforeEach, expect, test, vi } from 'vitest';
import { MIB } from '../../src/text/units.js';
import { makeDirectory } from '../support/disks/directory.js';
import { FUSE_TOOLS, type FuseMount, mountFuse } from '../support/disks/fuse.js';
import { runGobonnie } from '../support/programs/program.js';
import { type RunningProgram, startGobonnieForTest } from '../support/programs/running-program.js';
import { SMALL_FLAGS } from '../support/programs/small-run.js';
import { traceGobonnie } from '../support/programs/trace.js';
import { requireTools } from '../support/tools.js';
import { makeFile } from '../zones/files.js';

const LONG_RUN = [
  ...['--size', '0.01', '--threads', '2', '--iops-duration', '600', '--io-size', '4k', '--cache', 'keep'],
];

/** Stops the disk of a run during its iops phase. */
async function stallIops(
  more: readonly string[] = [],
): Promise<{ fuse: FuseMount; program: RunningProgram }> {
  const fuse = await mountFuse();
  const program = startGobonnieForTest(['--format', 'ndjson', '--dir', fuse.dir, ...LONG_RUN, ...more]);
  await program.untilStdout(/"type":"sample",.*"step":"iops"/);
  fuse.stop();
  return { fuse, program };
}

beforeEach(requireTools(...FUSE_TOOLS, 'strace'));

test('after Ctrl-C a disk that responds again lets the program clean up and exit with 130', async () => {
  const { fuse, program } = await stallIops(['--stall-timeout', '0']);
  program.kill('SIGINT');
  // If no thread was waiting when the signal arrived, the threads end and the removal waits.
  await program.untilStderr(
    /gobonnie: stuck waiting for (?:iops in|the removal of) .*; press Ctrl-C again to quit now\n/,
  );
  fuse.resume();
  expect((await program.exitResult).exitCode).toBe(130);
  expect(program.stderrSoFar()).not.toContain('no progress');
  expect(readdirSync(fuse.dir)).toEqual([]);
});

test('after a second Ctrl-C, gobonnie quits as soon as the kernel allows it, and the files are removed later', async () => {
  const { fuse, program } = await stallIops();
  program.kill('SIGINT');
  await program.untilStderr(/press Ctrl-C again/);
  program.kill('SIGINT');
  await program.untilStderr(
    /gobonnie: killed by another SIGINT; the clean-up process removes any files once the disk responds\n$/,
  );
  // A request that the FUSE program accepted before it was stopped cannot be interrupted.
  fuse.resume();
  expect((await program.exitResult).signal).toBe('SIGINT');
  await vi.waitUntil(() => readdirSync(fuse.dir).length === 0, 100_000);
});

test('a directory that does not respond to the inspection is reported as a stall', async () => {
  const fuse = await mountFuse();
  fuse.stop();
  const program = startGobonnieForTest(['--dir', fuse.dir, ...LONG_RUN, '--stall-timeout', '1']);
  await program.untilStderr(/gobonnie: no progress for \d+ s, waiting for the inspection of \S+; check /);
  program.kill('SIGINT');
  expect((await program.exitResult).signal).toBe('SIGINT');
});

test('a slow creation of the scratch directory is reported as a stall', async () => {
  const filter = ['-e', 'trace=fdatasync', '-e', 'inject=fdatasync:delay_enter=3000000:when=1'];
  const dir = makeDirectory();
  const { stderr, exitCode } = await traceGobonnie(filter, [
    '--dir',
    dir,
    ...SMALL_FLAGS,
    '--stall-timeout',
    '1',
  ]);
  expect(stderr).toContain(`waiting for the creation of a directory in ${dir}; check`);
  expect(exitCode).toBe(0);
});

test('clean skips a mount that does not respond', async () => {
  const dir = makeDirectory(os.tmpdir());
  const { stop, resume } = await mountFuse(dir);
  stop();
  const { stdout, stderr, exitCode } = await runGobonnie(['clean', dir]);
  resume();
  expect({ stdout, stderr, exitCode }).toEqual({
    stdout: '',
    stderr: `gobonnie: no leftovers of yours in ${dir}\n`,
    exitCode: 0,
  });
});

test('a config file on a disk that does not respond is reported as a stall', async () => {
  const fuse = await mountFuse();
  fuse.stop();
  const program = startGobonnieForTest(['--config', `${fuse.dir}/mine.json`, '--stall-timeout', '1']);
  await program.untilStderr(
    /^gobonnie: no progress for \d+ s, waiting for the search for a config file; check /,
  );
  program.kill('SIGINT');
  expect((await program.exitResult).signal).toBe('SIGINT');
});

test('a disk that stops responding to zones is reported, and a second Ctrl-C ends zones', async () => {
  const fuse = await mountFuse();
  const file = makeFile(64 * MIB, fuse.dir);
  const program = startGobonnieForTest(['zones', '--block', '1', '--loops', '1000', file]);
  await program.untilStdout(/^#0\.\d+ \d/m);
  fuse.stop();
  await program.untilStderr(/no progress for 1\d s, waiting for the read of \S+ after \d/);
  program.kill('SIGINT');
  await program.untilStderr(/stuck waiting for the read of [^\n]+ press Ctrl-C again/);
  program.kill('SIGINT');
  await program.untilStderr(/killed by another SIGINT; [^\n]*\n/);
  fuse.resume();
  expect((await program.exitResult).signal).toBe('SIGINT');
});
