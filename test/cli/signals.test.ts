import { readdirSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeDirectory } from '../support/disks/directory.js';
import {
  type RunningProgram,
  startGobonnieForTest,
  untilReading,
} from '../support/programs/running-program.js';
import { SMALL_FLAGS } from '../support/programs/small-run.js';
import { requireTools } from '../support/tools.js';
import { interruptPhase } from './commands/interrupt-phase.js';

// 163 blocks.
const ENDLESS = ['-v', '--size', '0.01', '--threads', '1', '--iops-duration', '600'];

/** Suspends the program in the middle of the last phase. */
async function holdInIops(program: RunningProgram): Promise<void> {
  await program.untilStderr(/Read[\s\S]*Duration/);
  await untilReading(program);
  program.kill('SIGSTOP');
}

describe('in the middle of a phase', () => {
  beforeEach(requireTools('strace'));

  test.each([
    { phase: 'write', calls: 'pwrite64', from: 60, complete: 0, signal: 'SIGINT', exitCode: 130 },
    { phase: 'read', calls: 'pread64', from: 60, complete: 1, signal: 'SIGTERM', exitCode: 143 },
    { phase: 'iops', calls: 'pread64', from: 163 + 60, complete: 2, signal: 'SIGHUP', exitCode: 129 },
  ] as const)(
    '$signal in $phase prints the complete phases and removes the files',
    async ({ complete, signal, exitCode, ...moment }) => {
      const { stdout } = await interruptPhase(moment, (dir) => ['--dir', dir, ...ENDLESS], {
        exitCode,
        signal,
      });
      expect(stdout.split('\n')).toHaveLength(complete + 1);
    },
  );
});

describe('in the middle of the iops phase', () => {
  beforeEach(requireTools('/proc/self/io'));

  test('two signals at once stop the run, and its files are removed', async () => {
    const dir = makeDirectory();
    const program = startGobonnieForTest(['--dir', dir, ...ENDLESS]);
    await holdInIops(program);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGCONT'] as const) program.kill(signal);
    const { exitCode } = await program.exitResult;
    // The system decides which of the two is delivered first.
    expect([130, 143]).toContain(exitCode);
    expect(readdirSync(dir)).toEqual([]);
  });

  test('--json without a complete run has no results', async () => {
    const program = startGobonnieForTest(['--json', '--dir', makeDirectory(), ...ENDLESS]);
    await holdInIops(program);
    program.kill('SIGINT');
    program.kill('SIGCONT');
    const { stdout, exitCode } = await program.exitResult;
    expect(exitCode).toBe(130);
    expect(JSON.parse(stdout).results).toEqual([]);
  });
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('--json prints the complete runs after %s', async (signal, exitCode) => {
  const dir = makeDirectory();
  const program = startGobonnieForTest(['-v', '--json', '--dir', dir, '--seconds', '3600', ...SMALL_FLAGS]);
  await program.untilStderr(/operations[\s\S]*Written/);
  program.kill(signal);
  const ended = await program.exitResult;
  const document = JSON.parse(ended.stdout);
  expect(ended.exitCode).toBe(exitCode);
  expect(ended.stdout).toBe(`${JSON.stringify(document)}\n`);
  expect(document.results.length).toBeGreaterThanOrEqual(1);
  expect(document.results.length).toBe(ended.stderr.match(/ operations /g)?.length);
  expect(ended.stderr).toMatch(
    new RegExp(`gobonnie: stopped by ${signal} after ${document.results.length} complete`),
  );
  expect(readdirSync(dir)).toEqual([]);
});

test('-q still says that it was stopped', async () => {
  const dir = makeDirectory();
  const program = startGobonnieForTest(['-q', '--dir', dir, ...SMALL_FLAGS, '--iops-duration', '600']);
  await new Promise((resolve) => program.child.stdout?.once('data', resolve));
  program.kill('SIGINT');
  const { stderr } = await program.exitResult;
  expect(stderr).toBe('gobonnie: stopped by SIGINT after 0 complete runs; the temporary files are removed\n');
});
