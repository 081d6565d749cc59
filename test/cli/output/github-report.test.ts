import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { githubReportForRun, writeGithubReport } from '../../../src/cli/output/github-report.js';
import type { CliProcess } from '../../../src/cli/output/terminal.js';
import { reportWith, runsAt } from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { type ProcessOutput, runInProcess } from '../../support/programs/in-process.js';
import { SMALL_FLAGS } from '../../support/programs/small-run.js';

interface JobOutput extends ProcessOutput {
  readonly summary: string;
  /** Lines with commands for the runner. */
  readonly annotations: readonly string[];
}

/** Runs the program as a step of a job, after another step has written to the summary. */
async function runInJob(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<JobOutput> {
  const file = path.join(makeDirectory(), 'summary.md');
  writeFileSync(file, 'Before.\n\n');
  const job = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: file, ...env };
  const output = await runInProcess(args, { env: job });
  const annotations = output.stderr.split('\n').filter((line) => line.startsWith('::'));
  return { ...output, summary: readFileSync(file, 'utf8'), annotations };
}

function smallRun(...flags: readonly string[]): readonly string[] {
  return ['--dir', makeDirectory(), ...SMALL_FLAGS, ...flags];
}

describe('in a GitHub Actions job, a run', () => {
  test('adds its table to the summary and its warnings as annotations, but changes no stdout', async () => {
    const { stdout, summary, annotations, exitCode } = await runInJob(smallRun('--json'));
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).results).toHaveLength(1);
    expect(summary).toMatch(/^Before\.\n\n### /);
    expect(summary).toMatch(/^\| Sequential Write \| /m);
    expect(annotations).toContainEqual(
      expect.stringMatching(/^::warning title=gobonnie%3A memory-filesystem::.*; .*/),
    );
  });

  test('annotates an unmet expectation as an error', async () => {
    const { summary, annotations, exitCode } = await runInJob(
      smallRun('--expect', 'iops>=99M', '--expect', 'read.share>50%'),
    );
    expect(exitCode).toBe(3);
    expect(annotations).toContainEqual(
      expect.stringMatching(
        /^::error title=gobonnie%3A expectation not met::iops>=99M: [\d.]+\/s \([\d.]+ %25 too low\)$/,
      ),
    );
    // A plain % would start an escape.
    expect(annotations).toContainEqual(
      expect.stringMatching(/^::error title=gobonnie%3A expectation not met::read.share>50%25: 0\.0 %25$/),
    );
    expect(summary).toContain('✗');
  });

  test('reports a summary that cannot be written, and still succeeds', async () => {
    const { stderr, exitCode } = await runInJob(smallRun('-q'), {
      GITHUB_STEP_SUMMARY: '/nowhere/summary.md',
    });
    expect(exitCode).toBe(0);
    expect(stderr).toContain(
      'gobonnie: GITHUB_STEP_SUMMARY=/nowhere/summary.md could not be written: no such file or directory (ENOENT); pass --no-github to skip it\n',
    );
  });
});

describe('in a GitHub Actions job,', () => {
  /** Creates a report file with these rates of the write phase. */
  function createReport(...rates: readonly number[]): string {
    const file = path.join(makeDirectory(), 'report.json');
    const report = reportWith({ runs: runsAt(...rates) });
    writeFileSync(file, JSON.stringify(report));
    return file;
  }

  test('compare annotates a regression as an error', async () => {
    const before = createReport(200e6, 202e6);
    const after = createReport(100e6, 101e6);
    const { summary, annotations, exitCode } = await runInJob(['compare', before, after]);
    expect(exitCode).toBe(3);
    expect(annotations).toEqual([
      `::error title=gobonnie%3A regression::write -50.0 %25 from ${before} to ${after}`,
    ]);
    expect(summary).toMatch(/^\| write \| 201 MB\/s \| 100.5 MB\/s \| -50\.0 % \| .* \| worse \|$/m);
    expect((await runInJob(['compare', before, after, '--no-github'])).annotations).toEqual([]);
    const env = { GOBONNIE_NO_GITHUB: '1' };
    expect((await runInJob(['compare', before, after], env)).annotations).toEqual([]);
  });

  test.each([
    ['warning', [], 0],
    ['error', ['--strict'], 3],
  ] as const)('compare annotates an inconclusive result as a %s with %j', async (level, flags, code) => {
    const files = [createReport(2e8), createReport(1e8)];
    const { annotations, exitCode } = await runInJob(['compare', ...files, ...flags]);
    expect(exitCode).toBe(code);
    expect(annotations).toEqual([
      expect.stringMatching(new RegExp(`^::${level} title=gobonnie%3A inconclusive::.* in write: `)),
    ]);
  });

  test('ab adds the winners to the summary', async () => {
    const args = ['ab', makeDirectory(), makeDirectory(), '-q', ...SMALL_FLAGS, '--runs', '1'];
    const { summary, annotations } = await runInJob(args);
    expect(summary).toMatch(/^- No winner in write, read and iops: /m);
    expect(annotations).toContainEqual(expect.stringContaining('memory-filesystem'));
  });
});

test.each([
  [['--no-such-flag'], 2, 'usage error', 'unknown option --no-such-flag; '],
  [['compare', '/nowhere/a.json', '/nowhere/b.json'], 1, 'failed', '/nowhere/a.json cannot be read: '],
  [['--baseline', '/nowhere/a.json'], 2, 'usage error', '--baseline /nowhere/a.json cannot be read: '],
])('in a job, %j is an annotation and a line of the summary', async (args, code, title, start) => {
  const { stderr, summary, annotations, exitCode } = await runInJob(args);
  const [line = ''] = stderr.split('\n');
  expect(line).toMatch(start);
  const annotation = line.replace('gobonnie: ', `::error title=gobonnie%3A ${title}::`);
  expect([exitCode, ...annotations]).toEqual([code, annotation]);
  expect(summary).toMatch(/^Before\.\n\ngobonnie: [^\n]+\n$/);
});

test.each<[string[], NodeJS.ProcessEnv]>([
  [['--no-such-flag', '--no-github'], {}],
  [['bonnie++', '--no-such-flag'], {}],
  [['--baseline', '/nowhere/a.json'], { GOBONNIE_NO_GITHUB: 'true' }],
])('in a job, the error of %j with %j is only a line of the log', async (args, env) => {
  expect(await runInJob(args, env)).toMatchObject({ summary: 'Before.\n\n', annotations: [], exitCode: 2 });
});

/** Returns the lines that a failed run prints with these environment variables. */
async function failureLines(env: NodeJS.ProcessEnv, noGithub = false): Promise<readonly string[]> {
  const hint = 'do this,\r\n::error::and that: 100 %\u001b[31m';
  const outcome = { state: 'failed', code: 'phase-failed', message: 'it broke', hint } as const;
  const verdict = { report: reportWith({ outcome }), baseline: undefined, exitCode: 1 };
  const githubReport = githubReportForRun(verdict);
  const lines: string[] = [];
  const process = { env } as CliProcess;
  await writeGithubReport(githubReport, { noGithub }, { process, log: (line) => lines.push(line) });
  return lines;
}

test('a failure is a single annotation despite its line ends and escapes, even without a summary file', async () => {
  expect(await failureLines({ GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: '' })).toEqual([
    '::error title=gobonnie%3A failed::it broke; do this,??::error::and that: 100 %25?[31m',
  ]);
});

test('writeGithubReport prints and writes no text with --no-github, or without GITHUB_ACTIONS=true', async () => {
  const file = path.join(makeDirectory(), 'summary.md');
  const summary = { GITHUB_STEP_SUMMARY: file };
  expect(await failureLines({ ...summary, GITHUB_ACTIONS: 'true' }, true)).toEqual([]);
  expect(await failureLines({ ...summary, GITHUB_ACTIONS: 'false' })).toEqual([]);
  expect(await failureLines(summary)).toEqual([]);
  expect(existsSync(file)).toBe(false);
});
