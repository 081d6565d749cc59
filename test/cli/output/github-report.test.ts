import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { githubReportForRun, writeGithubReport } from '../../../src/cli/output/github-report.js';
import { reportWith, runsAt } from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { type ProcessOutput, runInProcess } from '../../support/programs/in-process.js';
import { SMALL_FLAGS } from '../../support/programs/small-run.js';

interface InJob extends ProcessOutput {
  readonly summary: string;
  /** The lines that are commands for the runner. */
  readonly annotations: readonly string[];
}

/** The program as a step of a job, after a step that has written to the summary. */
async function inJob(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<InJob> {
  const file = path.join(makeDirectory(), 'summary.md');
  writeFileSync(file, 'Before.\n\n');
  const job = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: file, ...env };
  const ended = await runInProcess(args, { env: job });
  const annotations = ended.stderr.split('\n').filter((line) => line.startsWith('::'));
  return { ...ended, summary: readFileSync(file, 'utf8'), annotations };
}

function smallRun(...flags: readonly string[]): readonly string[] {
  return ['--dir', makeDirectory(), ...SMALL_FLAGS, ...flags];
}

describe('in a job of GitHub Actions, a run', () => {
  test('adds its table to the summary and its warnings as annotations, and neither to stdout', async () => {
    const { stdout, summary, annotations, exitCode } = await inJob(smallRun('--json'));
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).results).toHaveLength(1);
    expect(summary).toMatch(/^Before\.\n\n### /);
    expect(summary).toMatch(/^\| Sequential Write \| /m);
    expect(annotations).toContainEqual(
      expect.stringMatching(/^::warning title=gobonnie%3A memory-filesystem::.*; .*/),
    );
  });

  test('annotates an expectation that is not met as an error', async () => {
    const { summary, annotations, exitCode } = await inJob(
      smallRun('--expect', 'iops>=99M', '--expect', 'read.share>50%'),
    );
    expect(exitCode).toBe(3);
    expect(annotations).toContainEqual(
      expect.stringMatching(/^::error title=gobonnie%3A expectation not met::iops>=99M: [\d.]+\/s$/),
    );
    // A plain % would begin an escape.
    expect(annotations).toContainEqual(
      expect.stringMatching(/^::error title=gobonnie%3A expectation not met::read.share>50%25: 0\.0 %25$/),
    );
    expect(summary).toContain('✗');
  });

  test('writes no annotations and no summary with --no-github', async () => {
    const { summary, annotations } = await inJob(smallRun('--no-github'));
    expect([summary, annotations]).toEqual(['Before.\n\n', []]);
  });

  test('says so if the summary cannot be written, and still succeeds', async () => {
    const { stderr, exitCode } = await inJob(smallRun('-q'), { GITHUB_STEP_SUMMARY: '/nowhere/summary.md' });
    expect(exitCode).toBe(0);
    expect(stderr).toContain(
      'gobonnie: GITHUB_STEP_SUMMARY=/nowhere/summary.md could not be written: no such file or directory (ENOENT); pass --no-github to skip it\n',
    );
  });

  test('writes no annotations and no summary with the command of an ancestor', async () => {
    const args = ['bonnie', '-d', makeDirectory(), '-s', '1', '-S', '10'];
    const { annotations, summary, exitCode } = await inJob(args);
    expect([annotations, summary, exitCode]).toEqual([[], 'Before.\n\n', 0]);
  });
});

describe('in a job of GitHub Actions,', () => {
  /** Files of reports whose write phase had these rates. */
  function filesOf(...rates: readonly number[]): string[] {
    const directory = makeDirectory();
    mkdirSync(path.join(directory, 'reports'));
    return rates.map((rate, index) => {
      const file = path.join(directory, 'reports', `${index}.json`);
      const report = reportWith({ runs: runsAt(rate), outcome: { state: 'completed' } });
      writeFileSync(file, JSON.stringify(report));
      return file;
    });
  }

  test('compare annotates a regression as an error', async () => {
    const [before = '', after = ''] = filesOf(200e6, 100e6);
    const { summary, annotations, exitCode } = await inJob(['compare', before, after]);
    expect(exitCode).toBe(3);
    expect(annotations).toEqual([
      `::error title=gobonnie%3A regression::write -50.0 %25 from ${before} to ${after}`,
    ]);
    expect(summary).toMatch(/^\| write \| 200 MB\/s \| 100 MB\/s \| -50\.0 % \| {2}\| worse \|$/m);
    expect((await inJob(['compare', before, after, '--no-github'])).annotations).toEqual([]);
  });

  test('ab adds the winners to the summary', async () => {
    const args = ['ab', makeDirectory(), makeDirectory(), '-q', ...SMALL_FLAGS, '--runs', '1'];
    const { summary, annotations } = await inJob(args);
    expect(summary).toMatch(/^- No winner in write, read and iops: /m);
    expect(annotations).toContainEqual(expect.stringContaining('memory-filesystem'));
  });
});

/** What a failed run prints in a process with these variables. */
async function linesOfFailure(env: NodeJS.ProcessEnv, noGithub = false): Promise<readonly string[]> {
  const hint = 'do this,\r\n::error::and that: 100 %\u001b[31m';
  const report = reportWith({
    outcome: { state: 'failed', code: 'phase-failed', message: 'it broke', hint },
  });
  const lines: string[] = [];
  await writeGithubReport(githubReportForRun(report, null), { env }, { noGithub }, (line) =>
    lines.push(line),
  );
  return lines;
}

test.each<NodeJS.ProcessEnv>([
  { GITHUB_ACTIONS: 'true' },
  { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: '' },
])('a failure is one annotation that no line end or escape in it can break, with %j', async (env) => {
  expect(await linesOfFailure(env)).toEqual([
    '::error title=gobonnie%3A failed::it broke; do this,??::error::and that: 100 %25?[31m',
  ]);
});

test('nothing is printed or written with --no-github, or without GITHUB_ACTIONS=true', async () => {
  const file = path.join(makeDirectory(), 'summary.md');
  const summary = { GITHUB_STEP_SUMMARY: file };
  expect(await linesOfFailure({ ...summary, GITHUB_ACTIONS: 'true' }, true)).toEqual([]);
  expect(await linesOfFailure({ ...summary, GITHUB_ACTIONS: 'false' })).toEqual([]);
  expect(await linesOfFailure(summary)).toEqual([]);
  expect(existsSync(file)).toBe(false);
});
