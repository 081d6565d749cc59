import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { EXIT_CODES } from '../../src/cli/exit-codes.js';
import { verdictLines } from '../../src/cli/output/verdict-lines.js';
import { compareSides } from '../../src/compare/comparison.js';
import { PLAIN_PAINT, PLAIN_SCREEN } from '../../src/format/human/screen.js';
import type { Report } from '../../src/report/schema/report.js';
import { metricWith, sideWith } from '../support/data/comparison-sides.js';
import { reportWith, runWith } from '../support/data/fixtures.js';
import { FAST_DIRECTORY, makeDirectory } from '../support/disks/directory.js';
import { testOnLinux } from '../support/linux.js';
import { runInProcess } from '../support/programs/in-process.js';
import { runGobonnie } from '../support/programs/program.js';
import { readReportFile } from '../support/programs/read-report-file.js';
import { omitFlagsWithoutEffect, SMALL_FLAGS } from '../support/programs/small-run.js';

/** Needed because the tests run on a filesystem in memory. */
const ALLOW_CACHED = '--allow-cached';
/** Without --runs, only the means of all runs. */
const MEANS = /^Sequential Write MB\/s of .*\nSequential Read MB\/s of .*\nIOPS of .*\n$/;

/** Returns the lines of stderr without gobonniego's start line and warnings. */
function verdicts(stderr: string): readonly string[] {
  return stderr.split('\n').filter((line) => line !== '' && !/^\d{4}\//.test(line));
}

function smallRun(directory: string, ...flags: readonly string[]): readonly string[] {
  return omitFlagsWithoutEffect(['--dir', directory, ...SMALL_FLAGS, ...flags]);
}

describe('--expect', () => {
  test('marks an unmet condition with a cross, exits with 3, prints the results and adds the verdicts to the report', async () => {
    const file = path.join(makeDirectory(), 'report.json');
    const flags = ['--expect', 'write>=1B/s', '--expect', 'write>=9999GB/s', '--json', ALLOW_CACHED];
    const { stdout, stderr, exitCode } = await runGobonnie(
      smallRun(makeDirectory(), ...flags, '--out', file),
    );
    expect(exitCode).toBe(3);
    expect(JSON.parse(stdout).results).toHaveLength(1);
    expect(verdicts(stderr)).toEqual([
      expect.stringMatching(/^✗ write>=9999GB\/s: [\d.]+ MB\/s \([\d.]+ % too low\)$/),
      expect.stringMatching(/^✓ write>=1B\/s: /),
    ]);
    const { expectations, statistics } = readReportFile(file);
    const actual = statistics.find(({ step }) => step === 'write')?.mean;
    expect(expectations).toMatchObject([
      { condition: 'write>=1B/s', unit: 'bytesPerSecond', bound: 1, passed: true },
      { condition: 'write>=9999GB/s', actual, passed: false },
    ]);
  });

  testOnLinux('is inconclusive on a filesystem in memory, and exits with 3', async () => {
    const flags = ['-q', '--expect', 'write>=1B/s', '--expect', 'iops.p99<1us', '--expect', 'read>=99TB/s'];
    const { stderr, exitCode } = await runInProcess(smallRun(makeDirectory('/dev/shm'), ...flags));
    expect([exitCode, ...stderr.split('\n')]).toEqual([
      3,
      expect.stringMatching(
        /^\? write>=1B\/s: [\d.]+ MB\/s as timed, but \S+ is in memory \(tmpfs\); measure .*--allow-cached/,
      ),
      expect.stringMatching(/^[?✗] iops\.p99<1us: /),
      expect.stringMatching(/^✗ read>=99TB\/s: [\d.]+ MB\/s \([\d.]+ % too low\)$/),
      '',
    ]);
  });

  test("is not evaluated after an interruption, which exits with the signal's code", async () => {
    const { stderr, exitCode } = await runInProcess(
      smallRun(makeDirectory(), '--expect', 'iops>=99M', '--runs', '9', '-v'),
      {
        onStdoutLine: (line) => (line.startsWith('IOPS') ? 'SIGINT' : undefined),
      },
    );
    expect(exitCode).toBe(130);
    expect(stderr).not.toContain('✗');
  });

  test.each(['wirte>=1MB/s', 'seeks>=1', ''])('rejects %j before creating any file', async (text) => {
    const directory = makeDirectory();
    const { stdout, stderr, exitCode } = await runInProcess(smallRun(directory, '--expect', text));
    expect([stdout, exitCode, readdirSync(directory)]).toEqual(['', 2, []]);
    expect(stderr).toMatch(/^gobonnie: --expect [^\n]+; [^\n]+\n$/);
  });
});

test('-q still prints that noise could hide a regression, and that a run missed a condition that the mean meets', () => {
  const comparison = compareSides(
    sideWith('before', [metricWith('write', [100, 200])]),
    sideWith('this run', [metricWith('write', [90, 150])]),
  );
  const verdict = {
    condition: 'w.max<8ms',
    unit: 'nanoseconds',
    bound: 8e6,
    actual: 5e6,
    passed: true,
  } as const;
  const expectations = [verdict, { ...verdict, worst: { actual: 9e6, runs: 4 } }];
  const report = reportWith({ runs: [runWith()], expectations });
  const evaluation = {
    report,
    baseline: { results: [], comparison, strict: false },
    exitCode: EXIT_CODES.success,
  };
  expect(
    verdictLines(evaluation, { quiet: true, verbose: false, strict: false }, PLAIN_PAINT, PLAIN_SCREEN),
  ).toEqual([
    'this run: inconclusive in write: cannot tell a drop of more than 10 % from noise (too few runs: measure both with --runs 5).',
    '✓ w.max<8ms: 5 ms on average, but 9 ms in the worst of 4 runs',
  ]);
});

describe('--baseline', () => {
  let measured = '';

  beforeAll(async () => {
    const { stdout } = await runInProcess(smallRun(FAST_DIRECTORY, '-q', '--format', 'report'));
    measured = stdout;
  });

  /** Creates the report of a run with its rates multiplied. */
  function createBaseline(factor: number): string {
    const file = path.join(makeDirectory(), 'before.json');
    const report: Report = JSON.parse(measured);
    for (const measurement of report.runs.flatMap(({ measurements }) => measurements)) {
      measurement.bytesPerSecond *= factor;
      measurement.operationsPerSecond *= factor;
    }
    writeFileSync(file, JSON.stringify(report));
    return file;
  }

  test('passes with five lines in a log, without a start line', async () => {
    const baseline = ['--baseline', createBaseline(1e-9), ALLOW_CACHED];
    const conditions = ['--expect', 'write>=1B/s', '--expect', 'read.p99<1min', '--expect=iops>0'];
    const log: string[] = [];
    const { exitCode } = await runInProcess(smallRun(makeDirectory(), ...baseline, ...conditions), { log });
    expect([exitCode, ...verdicts(log.join(''))]).toEqual([
      0,
      expect.stringMatching(/^this run\b/),
      expect.stringMatching(/^✓ write>=1B\/s: .* MB\/s; ✓ read\.p99<1min: .*s; ✓ iops>0: [\d.]+\/s$/),
      ...['Sequential Write MB/s', 'Sequential Read MB/s', 'IOPS'].map((title) =>
        expect.stringMatching(new RegExp(`^${title} of \\d+ runs: mean `)),
      ),
    ]);
    expect(log.join('')).not.toContain('gobonnie starting');
  });

  test('begins a log with the failures and exits with 3', async () => {
    const conditions = ['--expect', 'iops>0', '--expect', 'write>=9999GB/s'];
    const flags = ['--baseline', createBaseline(1e9), ...conditions];
    const log: string[] = [];
    const args = smallRun(makeDirectory(), ...flags, ALLOW_CACHED);
    const { stdout, exitCode } = await runInProcess(args, { log });
    expect([exitCode, stdout, ...verdicts(log.join('')).slice(0, 3)]).toEqual([
      3,
      expect.stringMatching(MEANS),
      expect.stringMatching(/^✗ write>=9999GB\/s: [\d.]+ MB\/s \([\d.]+ % too low\)$/),
      expect.stringMatching(
        /^this run is (?:\S+ ± |at least )\S+ times slower than \S+ in write, .* slower in read and .* slower in iops, a regression of more than 10 % \(\S+ has only 1 run: .*\)\.$/,
      ),
      expect.stringMatching(/^✓ iops>0: /),
    ]);
    expect(log.join('')).toMatch(/\nwrite .* -\d+(\.\d)? % +worse\n[\s\S]*\nSequential Write MB\/s of /);
  });

  test('with --strict says that an inconclusive result is the failure, and prints the table', async () => {
    const flags = ['--baseline', createBaseline(1e9), ALLOW_CACHED, '--runs', '1', '--strict'];
    const log: string[] = [];
    const { exitCode } = await runInProcess(smallRun(makeDirectory(), ...flags), { log });
    expect(exitCode).toBe(3);
    expect(verdicts(log.join(''))[0]).toBe('with --strict, an inconclusive result is a failure');
    expect(log.join('')).toMatch(/\nwrite .* inconclusive\n/);
  });

  test('adds both sides and the change to an --out page, and the regressions to Markdown and JUnit', async () => {
    const baseline = createBaseline(1e9);
    const out = path.join(makeDirectory(), 'out');
    const outs = ['.html', '.md', '.xml'].flatMap((extension) => ['--out', out + extension]);
    await runInProcess(smallRun(makeDirectory(), '-q', '--baseline', baseline, ALLOW_CACHED, ...outs));
    const text = readFileSync(`${out}.html`, 'utf8');
    const markdown = readFileSync(`${out}.md`, 'utf8');
    expect(markdown).toMatch(
      /^### gobonnie compare\n\n[\s\S]*\| worse \|\n[\s\S]*\n- this run is .* a regression of more than 10 % \(.*\)\.\n\n### /,
    );
    expect(readFileSync(`${out}.xml`, 'utf8')).toContain(' failures="3" ');
    expect(text).toMatch(/<h1>this run is /);
    expect(text).toContain(`<h2>${baseline} → this run</h2>`);
    // On a busy machine, the page also has a list of warnings.
    const parts = text.match(/<summary>(?!Each warning)(.*?)[,<]/g);
    expect(parts?.slice(-2)).toEqual([
      expect.stringContaining(baseline),
      expect.stringContaining('this run'),
    ]);
  });

  test('exits with 0 after an improvement, and prints no text with -q', async () => {
    const baseline = createBaseline(1e-9);
    const { stderr, exitCode } = await runInProcess(smallRun(makeDirectory(), '--baseline', baseline, '-q'));
    expect([stderr, exitCode]).toEqual(['', 0]);
  });

  test('rejects a baseline without a common metric before creating any file, even with --force', async () => {
    const baseline = createBaseline(1);
    const directory = makeDirectory();
    const args = smallRun(directory, '--baseline', baseline, '--force', '--phases', 'create,delete');
    const { stdout, stderr, exitCode } = await runInProcess(args);
    expect([stdout, exitCode, readdirSync(directory)]).toEqual(['', 2, []]);
    expect(stderr).toBe(
      `gobonnie: ${baseline} and this run have no metric in common; compare results of the same phases or steps (quick with quick), with enough data for each to have a rate\n`,
    );
  });

  test('gives no verdict if the run reveals a difference in settings', async () => {
    const baseline = createBaseline(1e9);
    const report: Report = JSON.parse(readFileSync(baseline, 'utf8'));
    report.cache.applied = 'evict';
    writeFileSync(baseline, JSON.stringify(report));
    const { stdout, stderr, exitCode } = await runInProcess(
      smallRun(makeDirectory(), '--baseline', baseline),
      { env: { GITHUB_ACTIONS: 'true' } },
    );
    expect(stderr).toMatch(/^::error title=gobonnie%3A usage error::\S+ and this run cannot be compared: /m);
    expect([exitCode, stdout]).toEqual([2, expect.stringMatching(MEANS)]);
    expect(stderr).not.toMatch(/regression/i);
    expect(verdicts(stderr)[0]).toBe(
      `gobonnie: ${baseline} and this run cannot be compared: they differ in --cache (evict and keep); measure both the same way, or pass --force`,
    );
  });

  test.each([
    ['/nowhere/before.json', '/nowhere/before.json'],
    ['/nowhere/before.csv', '/nowhere/before.csv.json'],
    ['/nowhere/before.bencher.json', '/nowhere/before.bencher.json.json'],
  ])('if the baseline %s is missing, advises to create %s', async (baseline, out) => {
    const { stderr, exitCode } = await runInProcess(smallRun(makeDirectory(), '--baseline', baseline));
    expect(exitCode).toBe(2);
    expect(stderr).toBe(
      `gobonnie: --baseline ${baseline} cannot be read: no such file or directory (ENOENT); create it first: leave out --baseline and its options, and pass --runs 20 --out ${out}\n`,
    );
  });

  test('rejects a baseline with other settings before creating any file, unless --force is passed', async () => {
    const baseline = createBaseline(1e-9);
    const directory = makeDirectory();
    const args = ['--dir', directory, ...SMALL_FLAGS, '--threads', '1', '--baseline', baseline];
    const { stdout, stderr, exitCode } = await runInProcess(args);
    expect([stdout, exitCode, readdirSync(directory)]).toEqual(['', 2, []]);
    expect(stderr).toBe(
      `gobonnie: ${baseline} and this run cannot be compared: they differ in --threads (2 and 1); measure both the same way, or pass --force\n`,
    );
    const forced = await runInProcess([...args, '--force']);
    expect(forced.exitCode).toBe(0);
    expect(forced.stderr).toContain(`difference: --threads is 2 in ${baseline} and 1 in this run\n`);
  });

  test('accepts the report that the run itself replaces', async () => {
    const file = createBaseline(1e-9);
    const first = readFileSync(file, 'utf8');
    const { exitCode } = await runInProcess(
      smallRun(makeDirectory(), '-q', '--baseline', file, '--out', file),
    );
    expect(exitCode).toBe(0);
    expect(JSON.parse(readFileSync(file, 'utf8')).startedAt).not.toBe(JSON.parse(first).startedAt);
  });
});
