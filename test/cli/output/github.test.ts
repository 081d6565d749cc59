import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { jobOf, jobReportOfRun, tellJob } from '../../../src/cli/output/github.js';
import { measurementWith, reportWith, runWith } from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { type Ended, gobonnie } from '../../support/programs/program.js';
import { SMALL } from '../../support/programs/small-run.js';

interface InJob extends Ended {
  readonly summary: string;
  /** The lines that the runner obeys. */
  readonly annotations: readonly string[];
}

/** The program as a step of a job, after a step that has written to the summary. */
async function inJob(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<InJob> {
  const file = path.join(makeDirectory(), 'summary.md');
  writeFileSync(file, 'Before.\n\n');
  const job = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: file, ...env };
  const ended = await gobonnie(args, { env: { ...process.env, ...job } });
  const annotations = ended.stderr.split('\n').filter((line) => line.startsWith('::'));
  return { ...ended, summary: readFileSync(file, 'utf8'), annotations };
}

function smallRun(...flags: readonly string[]): readonly string[] {
  return ['--dir', makeDirectory(), ...SMALL, ...flags];
}

describe('a run', () => {
  test('adds its table to the summary, and its warnings beside the job; stdout is the answer alone', async () => {
    const { stdout, summary, annotations, exitCode } = await inJob(smallRun('--json'));
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).results).toHaveLength(1);
    expect(summary).toMatch(/^Before\.\n\n### /);
    expect(summary).toMatch(/^\| Sequential Write \| /m);
    expect(annotations).toContainEqual(
      expect.stringMatching(/^::warning title=gobonnie%3A memory-filesystem::.*; .*/),
    );
  });

  test('shows an unmet expectation as an error', async () => {
    const { summary, annotations, exitCode } = await inJob(
      smallRun('--expect', 'iops>=99M', '--expect', 'read.share>50%'),
    );
    expect(exitCode).toBe(3);
    expect(annotations).toContainEqual(
      expect.stringMatching(/^::error title=gobonnie%3A expectation not met::iops>=99M: [\d.]+\/s$/),
    );
    // A per cent sign would begin a character.
    expect(annotations).toContainEqual(
      expect.stringMatching(/^::error title=gobonnie%3A expectation not met::read.share>50%25: 0\.0 %25$/),
    );
    expect(summary).toContain('✗');
  });

  test('is left alone with --no-github, and out of a job nothing is said', async () => {
    const alone = await inJob(smallRun('--no-github'));
    expect([alone.summary, alone.annotations]).toEqual(['Before.\n\n', []]);
    const outside = await inJob(smallRun(), { GITHUB_ACTIONS: '' });
    expect([outside.summary, outside.annotations]).toEqual(['Before.\n\n', []]);
  });

  test('whose summary cannot be written says so, and is as good', async () => {
    const { stderr, exitCode } = await inJob(smallRun('-q'), { GITHUB_STEP_SUMMARY: '/nowhere/summary.md' });
    expect(exitCode).toBe(0);
    expect(stderr).toContain(
      'gobonnie: GITHUB_STEP_SUMMARY=/nowhere/summary.md could not be written: no such file or directory (ENOENT); pass --no-github to write none\n',
    );
  });

  test('with an ancestor’s words is left alone', async () => {
    const args = ['bonnie', '-d', makeDirectory(), '-s', '1', '-S', '10'];
    const { annotations, summary, exitCode } = await inJob(args);
    expect([annotations, summary, exitCode]).toEqual([[], 'Before.\n\n', 0]);
  });
});

describe('several', () => {
  /** Files of reports whose write phase had these rates. */
  function filesOf(...rates: readonly number[]): string[] {
    const directory = makeDirectory();
    mkdirSync(path.join(directory, 'reports'));
    return rates.map((bytesPerSecond, index) => {
      const file = path.join(directory, 'reports', `${index}.json`);
      const runs = [runWith({ measurements: [measurementWith({ bytesPerSecond })] })];
      writeFileSync(file, JSON.stringify(reportWith({ runs, outcome: { state: 'completed' } })));
      return file;
    });
  }

  test('compared say in red what got worse', async () => {
    const [before = '', after = ''] = filesOf(200e6, 100e6);
    const { summary, annotations, exitCode } = await inJob(['compare', before, after]);
    expect(exitCode).toBe(3);
    expect(annotations).toEqual([
      `::error title=gobonnie%3A regression::write -50.0 %25 from ${before} to ${after}`,
    ]);
    expect(summary).toMatch(/^\| write \| 200 MB\/s \| 100 MB\/s \| -50\.0 % REGRESSION \|$/m);
    expect((await inJob(['compare', before, after, '--no-github'])).annotations).toEqual([]);
  });

  test('measured in turn add who is the better one', async () => {
    const args = ['ab', makeDirectory(), makeDirectory(), '-q', ...SMALL, '--runs', '1'];
    const { summary, annotations } = await inJob(args);
    expect(summary).toMatch(/^- iops: no winner: /m);
    expect(annotations).toContainEqual(expect.stringContaining('memory-filesystem'));
  });
});

test('what failed is told in one line that nothing in it can break or begin anew', async () => {
  const hint = 'do this,\r\n::error::and that: 100 %\u001b[31m';
  const report = reportWith({
    outcome: { state: 'failed', code: 'phase-failed', message: 'it broke', hint },
  });
  const lines: string[] = [];
  await tellJob({ summaryFile: null }, jobReportOfRun(report, null), (line) => lines.push(line));
  expect(lines).toEqual([
    '::error title=gobonnie%3A failed::it broke; do this,??::error::and that: 100 %25?[31m',
  ]);
});

test.each([
  [{ GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: '/tmp/s' }, false, { summaryFile: '/tmp/s' }],
  [{ GITHUB_ACTIONS: 'true' }, false, { summaryFile: null }],
  [{ GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: '' }, false, { summaryFile: null }],
  [{ GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: '/tmp/s' }, true, null],
  [{ GITHUB_STEP_SUMMARY: '/tmp/s' }, false, null],
  [{ GITHUB_ACTIONS: 'false' }, false, null],
])('%j, and left alone %s, is the job %j', (env, noGithub, job) => {
  expect(jobOf({ env }, { noGithub })).toEqual(job);
});
