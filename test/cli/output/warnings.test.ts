import { describe, expect, test } from 'vitest';
import { type LogFormatter, logAudience, logWarningLines } from '../../../src/cli/output/log-format.js';
import { createPaint } from '../../../src/format/human/screen.js';
import { warningLine } from '../../../src/format/human/sentences.js';
import type { Warning } from '../../../src/report/schema/report.js';
import { reportWith, runWith } from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { testOnLinux } from '../../support/linux.js';
import { ENTRY, startProcess } from '../../support/programs/program.js';
import { startGobonnieForTest, untilReading } from '../../support/programs/running-program.js';
import { SMALL_FLAGS } from '../../support/programs/small-run.js';
import { suspendFor } from '../../support/programs/suspend.js';

const formatLog: LogFormatter = (event) => (event.type === 'warning' ? [warningLine(event.warning)] : []);

const WRITE: Warning = { code: 'cliff', step: 'write', message: 'it fell', hint: 'write more' };
const READ: Warning = { ...WRITE, step: 'read', message: 'it also fell' };
const IOPS: Warning = { ...WRITE, step: 'iops', message: 'it stayed low' };
const SIZE: Warning = { code: 'size-reduced', step: null, message: 'it does not fit', hint: 'write more' };

const URGENT: Warning = { ...SIZE, code: 'no-cleanup-process' };

const RESULTS = ['Sequential', 'Sequential', 'IOPS'];
/** Matches the first word after the timestamp. */
const FIRST_WORD = /^(?:[\d/]+ [\d:]+ )?([^ :]*).*$/s;

/** Returns the first words of the lines on both streams, in order; consecutive warnings count as one. */
async function firstWords(...flags: readonly string[]): Promise<readonly string[]> {
  const args = [process.execPath, ENTRY, '--dir', makeDirectory('/dev/shm'), ...SMALL_FLAGS, ...flags];
  const { stdout } = await startProcess('sh', ['-c', 'exec "$0" "$@" 2>&1', ...args]).exitResult;
  const lines = stdout.trimEnd().split('\n');
  const words = lines.map((line) => line.replace(FIRST_WORD, '$1'));
  return words.filter((word, at) => word !== 'warning' || words[at - 1] !== word);
}

test('logWarningLines has a line for each code, or all details with -v, and omits an urgent warning, which the run has printed', () => {
  const report = reportWith({ warnings: [WRITE, SIZE, READ, IOPS, URGENT], runs: [runWith()] });
  const [cliff, size] = logWarningLines(report, formatLog, createPaint(false));
  expect(cliff).toMatch(/^warning: 3 of 3 steps: [^;]+; write more \(gobonnie explain cliff\)$/);
  expect(size).toBe('warning: it does not fit; write more (gobonnie explain size-reduced)');
  expect(logWarningLines(report, formatLog, createPaint(false), true)).toEqual([
    'warning: Sequential Write: it fell; write more (gobonnie explain cliff)',
    size,
    'warning: Sequential Read: it also fell; write more (gobonnie explain cliff)',
    'warning: IOPS: it stayed low; write more (gobonnie explain cliff)',
  ]);
});

test('the log of a failed run has its warnings', () => {
  const outcome = { state: 'failed', code: 'phase-failed', message: 'it broke', hint: 'do this' } as const;
  const report = reportWith({ outcome, warnings: [SIZE] });
  const audience = logAudience(
    formatLog,
    { quiet: false, verbose: false, strict: false },
    createPaint(false),
    null,
  );
  expect(audience.afterResults({ report, baseline: undefined, exitCode: 1 })).toEqual([
    'warning: it does not fit; write more (gobonnie explain size-reduced)',
  ]);
});

test('with colors, the word "warning:" at the start of a line is yellow', () => {
  const report = reportWith({ warnings: [{ ...SIZE, message: 'no warning: is more' }] });
  const [line] = logWarningLines(report, formatLog, createPaint(true));
  expect(line).toMatch(/^\P{ASCII}*\p{Cc}\[33mwarning:\p{Cc}\[39m no warning: is more; /u);
});

describe('the warning about a directory in memory', () => {
  testOnLinux('follows the verdicts and the results of all runs', async () => {
    const words = await firstWords('--runs', '2', '--expect', 'iops>0', '--allow-cached');
    expect(words).toEqual(['✓', ...RESULTS, ...RESULTS, ...RESULTS, 'warning']);
  });

  testOnLinux('is printed even if a signal stops the run', async () => {
    const dir = makeDirectory('/dev/shm');
    const program = startGobonnieForTest(['--dir', dir, ...SMALL_FLAGS, '--iops-duration', '600']);
    await program.untilStderr(/gobonnie starting/);
    program.kill('SIGINT');
    const { stderr } = await program.exitResult;
    expect(stderr).toMatch(
      /^\S+ \S+ gobonnie starting.*\n\S+ \S+ warning: .* is in memory .*\n(.* warning: .*\n)*gobonnie: stopped by SIGINT/,
    );
  });
});

testOnLinux('a suspended run warns with the duration of its suspension', async () => {
  const dir = makeDirectory();
  const program = startGobonnieForTest(['-v', '--dir', dir, ...SMALL_FLAGS, '--iops-duration', '5']);
  await program.untilStderr(/Read[\s\S]*Duration/);
  await untilReading(program);
  await suspendFor(program.pid, 1500);
  const { stderr, exitCode } = await program.exitResult;
  expect(stderr).toMatch(/ warning: IOPS: gobonnie did not run for [\d.]+ s of [\d.]+ s .* suspended\)\n/);
  expect(exitCode).toBe(0);
});
