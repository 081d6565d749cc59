import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { compareSides } from '../../../src/compare/comparison.js';
import { toComparisonSide } from '../../../src/compare/side.js';
import { createComparisonFormats } from '../../../src/format/human/commands/comparison-format.js';
import { reportFormats } from '../../../src/format/index.js';
import { toResults } from '../../../src/report/results.js';
import type { Report } from '../../../src/report/schema/report.js';
import { measurementWith, reportWith, runWith } from '../../support/data/fixtures.js';
import { stepsReport } from '../../support/data/step-reports.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { testOnLinux } from '../../support/linux.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { ENTRY } from '../../support/programs/program.js';

const CSV =
  'silo4,2G,27330,95,62522,19,22619,6,29056,98,56311,6,159.7,0,16,3007,98,+++++,+++,+++++,+++,3087,99,+++++,+++,9173,100\n';
const CSV_TEXT = `\
Per-Byte Write MB/s: 27.99
Sequential Write MB/s: 64.02
Rewrite MB/s: 23.16
Per-Byte Read MB/s: 29.75
Sequential Read MB/s: 57.66
Random Seeks ops/s: 159.7
Sequential Create ops/s: 3007
Sequential Stat ops/s: too quick to measure
Sequential Delete ops/s: too quick to measure
Random Create ops/s: 3087
Random Stat ops/s: too quick to measure
Random Delete ops/s: 9173
`;
const REPORT = reportWith({ runs: [runWith(), runWith()] });
const STATISTICS = [
  ['Sequential Write MB/s', '1073.74', '0.00'],
  ['Sequential Read MB/s', '2147.48', '0.00'],
  ['IOPS', '20000', '0'],
].map(
  ([title, rate, zero]) =>
    `${title} of 2 runs: mean ${rate}, standard deviation ${zero} (0.0 % of the arithmetic mean), min ${rate}, max ${rate}\n`,
);
const REPORT_TEXT =
  'Sequential Write MB/s: 1073.74\nSequential Read MB/s: 2147.48\nIOPS: 20000\n'.repeat(2) +
  STATISTICS.join('');

const runShow = (args: readonly string[], stdin = '') => runInProcess(['show', ...args], { stdin });

async function runQuietly(args: readonly string[], stdin = ''): Promise<string> {
  const { stdout, stderr, exitCode } = await runShow(args, stdin);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  return stdout;
}

testOnLinux('show reads the pipe of <(command) in a shell', () => {
  const script = '"$0" "$1" show <(printf "$2")';
  const args = ['-c', script, process.execPath, ENTRY, CSV];
  expect(execFileSync('bash', args, { encoding: 'utf8' })).toBe(CSV_TEXT);
});

/** Expects this line on stderr alone. */
async function expectError(
  exitCode: number,
  line: string,
  args: readonly string[],
  stdin = '',
): Promise<void> {
  expect(await runShow(args, stdin)).toEqual({ stdout: '', stderr: `gobonnie: ${line}\n`, exitCode });
}

/** Writes files with these contents to a new directory, and returns their paths. */
function writeFiles(contents: Readonly<Record<string, string>>): string[] {
  const directory = makeDirectory();
  return Object.entries(contents).map(([name, content]) => {
    const file = path.join(directory, name);
    writeFileSync(file, content);
    return file;
  });
}

const toFileText = (report: Report) => `${JSON.stringify(report)}\n`;

describe('one file', () => {
  test('of an aborted run is printed with the results of its complete phases', async () => {
    const stopped = runWith({ state: 'incomplete', measurements: [measurementWith()] });
    const report = reportWith({
      runs: [runWith(), stopped],
      outcome: { state: 'aborted', reason: 'SIGINT' },
    });
    const [file = ''] = writeFiles({ 'report.json': toFileText(report) });
    expect(await runShow([file])).toMatchObject({
      stdout:
        'Sequential Write MB/s: 1073.74\nSequential Read MB/s: 2147.48\nIOPS: 20000\n' +
        'Sequential Write MB/s: 1073.74\n',
      stderr: `${file}: incomplete: stopped by SIGINT\n`,
    });
  });

  test('is a table at a terminal', async () => {
    const [file = ''] = writeFiles({ 'old.csv': CSV });
    const terminal = { columns: 80, env: { TERM: 'xterm', LANG: 'C.UTF-8' } };
    const { stdout, exitCode } = await runInProcess(['show', file], terminal);
    expect(exitCode).toBe(0);
    expect(stdout).toBe((await runInProcess(['show', file, '-f', 'table'], terminal)).stdout);
    expect(stdout).not.toContain('Sequential Write MB/s:');
  });

  test('at a terminal has the directory and the time of a report as its heading', async () => {
    const [file = ''] = writeFiles({ 'report.json': toFileText(REPORT) });
    const { stdout } = await runInProcess(['show', file], { columns: 80, env: { TERM: 'xterm' } });
    expect(stdout.split('\n')[0]).toBe(`${REPORT.target.directory}, ${REPORT.startedAt}:`);
  });

  test('of a list of steps is a table also in a pipe', async () => {
    const [file = ''] = writeFiles({
      'quick.json': toFileText(stepsReport([{ step: { phase: 'read', name: 'r' }, rates: [1e9, 2e9] }])),
    });
    const { stdout } = await runShow([file]);
    expect(stdout).toMatch(/^ +MB\/s +IOPS/);
    expect(stdout).toBe((await runShow([file, '-f', 'table'])).stdout);
  });

  test('of several machines has a table for each', async () => {
    const [file = ''] = writeFiles({ 'old.csv': CSV + CSV.replace('silo4', 'silo5') });
    const { stdout } = await runShow([file, '-f', 'table']);
    expect(stdout.match(/^.*old\.csv: .*:$/gm)).toEqual([
      `"${file}: silo4, bonnie++":`,
      `"${file}: silo5, bonnie++":`,
    ]);
    expect(stdout.match(/^ {2}stat +too quick/gm)).toHaveLength(2);
  });

  test("may hold gobonniego's lines, which are printed unchanged", async () => {
    const lines = 'Sequential Write MB/s: 1073.74\nSequential Read MB/s: 2147.48\nIOPS: 20000\n';
    expect(await runQuietly(['-'], lines)).toBe(lines);
  });

  test('may come from stdin', async () => {
    expect(await runQuietly(['-'], CSV)).toBe(CSV_TEXT);
    expect(await runQuietly(['-f', 'report', '-'], toFileText(REPORT))).toBe(toFileText(REPORT));
  });
});

describe('a comparison', () => {
  const change = compareSides(
    toComparisonSide('old', [toResults(REPORT)], false),
    toComparisonSide('new', [toResults(REPORT)], false),
    { maxRegressionPercent: 10, force: false },
  );
  const formats = createComparisonFormats();
  const paired = createComparisonFormats({}, { winners: [] });

  test.each([
    ['compare', formats],
    ['ab', paired],
  ])('of %s --json is printed as the command printed it', async (_, { json, text, markdown }) => {
    const document = json([change]);
    expect(await runQuietly(['-'], document)).toBe(text([change]));
    expect(await runQuietly(['-', '-f', 'markdown'], document)).toBe(markdown([change]));
    expect(await runQuietly(['-', '-f', 'json'], document)).toBe(document);
  });

  test('is printed after the results of other files', async () => {
    const [report = ''] = writeFiles({ 'report.json': toFileText(REPORT) });
    expect(await runQuietly(['-', report], formats.json([change]))).toBe(
      REPORT_TEXT + formats.text([change]),
    );
  });

  test('is rejected if it is damaged, in formats for results, and where a result is expected', async () => {
    const document = formats.json([change]);
    const damaged = document.replace('"welch"', '"guess"');
    await expectError(
      1,
      'stdin cannot be read: its comparisons[0].method is invalid: ' +
        'Invalid option: expected one of "welch"|"paired"; use the original, unedited file',
      ['-'],
      damaged,
    );
    await expectError(
      2,
      '--format html cannot show a comparison; pass another format, such as text',
      ['-', '-f', 'html'],
      document,
    );
    const { stderr } = await runInProcess(['compare', '-', '/dev/null'], { stdin: document });
    expect(stderr).toBe(
      'gobonnie: stdin cannot be read: it is a comparison, not a result; print it with gobonnie show\n',
    );
  });
});

describe('several files', () => {
  test('are printed with their names as headings', async () => {
    const [csv = '', report = ''] = writeFiles({ 'old.csv': CSV, 'my report.json': toFileText(REPORT) });
    expect(await runQuietly([csv, report, '-'], CSV)).toBe(
      `${csv}:\n${CSV_TEXT}${JSON.stringify(report)}:\n${REPORT_TEXT}stdin:\n${CSV_TEXT}`,
    );
  });

  test('in a JSON format are printed one after the other', async () => {
    const files = writeFiles({ 'a.json': toFileText(REPORT), 'b.json': toFileText(REPORT) });
    expect(await runQuietly([...files, '--format', 'report'])).toBe(toFileText(REPORT).repeat(2));
    const documents = (await runQuietly([...files, '--json'])).trimEnd().split('\n');
    expect(documents.map((line) => JSON.parse(line).results.length)).toEqual([2, 2]);
  });

  test('are rows of one table in a table format', async () => {
    const files = writeFiles({ 'a.csv': CSV, 'b.json': toFileText(REPORT) });
    const lines = (await runQuietly([...files, '-f', 'bonnie++-csv'])).trimEnd().split('\n');
    expect(lines.map((line) => line.split(',')[2])).toEqual(['silo4', 'goldhost', 'goldhost']);
  });

  test('are printed except for two unreadable files, which are named, and the exit code is 1', async () => {
    const [good = '', bad = ''] = writeFiles({ 'good.csv': CSV, 'bad.csv': CSV.slice(0, 30) });
    const missing = `${bad}.missing`;
    const { stdout, stderr, exitCode } = await runShow([missing, good, bad]);
    expect({ stdout, exitCode }).toEqual({ stdout: await runQuietly([good]), exitCode: 1 });
    expect(stderr).toBe(
      `gobonnie: ${missing} cannot be read: no such file or directory (ENOENT); check the path\n` +
        `gobonnie: ${bad}, line 1 cannot be read: it has 7 fields, expected 27 (format 1.03): the line is truncated; ` +
        'correct the line or remove it\n',
    );
  });

  test('with a line of nine million characters are rejected without hanging the parser', async () => {
    const [long = ''] = writeFiles({ 'long.txt': '>'.repeat(9_000_000) });
    const { stderr, exitCode } = await runShow([long]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^gobonnie: \S+ cannot be read: it holds no results that gobonnie recognizes; [^\n]+\n$/,
    );
  });
});

describe('a format for programs prints all files as one document', () => {
  const files = () => writeFiles({ 'old.csv': CSV, 'report.json': toFileText(REPORT) });

  test.each([
    ['csv', /^label,/gm, 1],
    ['csv', /^(silo4|goldhost),/gm, 12 + 6],
    ['junit', /<testsuites>/g, 1],
    ['junit', /<testsuite /g, 2],
  ])('%s has %s %d times', async (format, pattern, count) => {
    expect((await runQuietly([...files(), '--format', format])).match(pattern)).toHaveLength(count);
  });

  test('ndjson prints reports one after the other, and rejects other files', async () => {
    const [csv = '', report = ''] = files();
    const lines = (await runQuietly([report, report, '--format', 'ndjson'])).trimEnd().split('\n');
    expect(lines.filter((line) => JSON.parse(line).type === 'start')).toHaveLength(2);
    await expectError(
      2,
      `--format ndjson needs a gobonnie report, but ${csv} is not one; pass another format, such as text`,
      [csv, '--format', 'ndjson'],
    );
  });
});

describe('wrong usage', () => {
  test.each([
    [[], 'show needs a result file; pass a file, or - to read stdin'],
    [
      ['/missing', '-f', 'xml\u001b'],
      `unknown --format "xml\\u001b"; pass one of ${Object.keys(reportFormats).join(', ')}`,
    ],
    [['-', '-'], '- is given twice; stdin can be read only once'],
  ])('%j is rejected before a file is opened', async (args, line) => {
    await expectError(2, line, args);
  });

  test('a format rejects a report that lacks a required phase', async () => {
    const report = reportWith({ runs: [runWith({ measurements: [measurementWith()] })] });
    const [file = ''] = writeFiles({ 'report.json': toFileText(report) });
    await expectError(
      2,
      `--format json needs the rate, the amount and the duration of read, which ${file} lacks; pass another format, such as text`,
      [file, '-f', 'json'],
    );
    expect(await runQuietly([file])).toBe('Sequential Write MB/s: 1073.74\n');
  });
});

test('a report of steps is not shown as Bonnie would', async () => {
  const report = stepsReport([{ step: { name: 'rnd4k-q1t1.read' }, rates: [4_096_000] }]);
  const [file = ''] = writeFiles({ 'report.json': toFileText(report) });
  expect((await runShow([file, '-f', 'bonnie'])).stderr).toContain('--format bonnie cannot show the results');
});

describe('show rejects as unreadable input:', () => {
  test('a report without a complete run, in a format that shows only complete runs', async () => {
    const [file = ''] = writeFiles({ 'report.json': toFileText(reportWith()) });
    await expectError(1, `${file} holds no complete run; leave it out`, [file, '-f', 'bonnie']);
  });

  test('the document of another program without a run', async () => {
    const line = 'stdin holds no complete run; leave it out';
    await expectError(1, line, ['-', '--format', 'csv'], '{"results":[]}');
  });

  test('a report without results', async () => {
    const [file = ''] = writeFiles({ 'report.json': toFileText(reportWith()) });
    await expectError(1, `${file} holds no results; leave it out`, [file]);
    expect(await runQuietly([file, '-f', 'report'])).toBe(toFileText(reportWith()));
  });
});

test('--help lists the file formats that show reads', async () => {
  const help = await runQuietly(['--help']);
  expect(help).toMatch(/^Usage: gobonnie show /);
  expect(help).toMatch(/tables and CSV\s+lines of\s+bonnie\+\+/);
});

test('the warnings and verdicts of a report are printed on stderr, after the name of its file', async () => {
  const warning = { code: 'cliff', step: 'write', message: 'it fell', hint: 'look' } as const;
  const verdict = {
    condition: 'iops>=1',
    unit: 'operationsPerSecond',
    bound: 1,
    actual: 20_000,
    passed: true,
  } as const;
  const [file = ''] = writeFiles({
    'report.json': toFileText({ ...REPORT, warnings: [warning], expectations: [verdict] }),
  });
  expect(await runShow([file])).toEqual({
    stdout: REPORT_TEXT,
    stderr:
      `${file}: warning: Sequential Write: it fell; look (gobonnie explain cliff)\n` +
      `${file}: ✓ iops>=1: 20000/s\n`,
    exitCode: 0,
  });
});

test('the warnings of a file with several reports name the directory of each', async () => {
  const warning = { code: 'cliff', step: 'write', message: 'it fell', hint: 'look' } as const;
  const texts = ['/a', '/b'].map((directory) =>
    toFileText({ ...REPORT, target: { ...REPORT.target, directory }, warnings: [warning] }),
  );
  const [file = ''] = writeFiles({ 'ab.json': `[${texts.join(',')}]` });
  const { stderr } = await runShow([file]);
  const line = 'warning: Sequential Write: it fell; look (gobonnie explain cliff)';
  expect(stderr).toBe(`${file}: /a: ${line}\n${file}: /b: ${line}\n`);
});
