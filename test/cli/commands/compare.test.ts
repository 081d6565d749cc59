import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Report } from '../../../src/report/schema/report.js';
import { reportWith, runsAt } from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { runInProcess } from '../../support/programs/in-process.js';

/** Returns a report whose write phase had these rates, in MB/s. */
function reportAt(rates: readonly number[], overrides: Partial<Report> = {}): Report {
  const runs = runsAt(...rates.map((rate) => rate * 1e6));
  return reportWith({ runs, ...overrides });
}

/** Writes files with these contents to a new directory, and returns their paths. */
function writeFiles(...contents: readonly (string | Report)[]): string[] {
  const directory = makeDirectory();
  return contents.map((content, index) => {
    const file = path.join(directory, `${index}.json`);
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  });
}

const STEADY = reportAt([748, 750, 746, 749, 747]);
const SLOWER = reportAt([598, 600, 596, 599, 597]);

describe('the exit code', () => {
  test.each([
    ['equal results', STEADY, [], 0],
    ['a significant drop', SLOWER, [], 3],
    ['a significant drop within the limit', SLOWER, ['--max-regression', '25%'], 0],
  ] as const)('of %s', async (_, after, flags, exitCode) => {
    const output = await runInProcess(['compare', ...writeFiles(STEADY, after), ...flags]);
    expect({ ...output, stdout: '' }).toEqual({ stdout: '', stderr: '', exitCode });
    expect(output.stdout).toMatch(/\nwrite +748 MB\/s/);
  });

  test.each([
    [0, []],
    [3, ['--strict']],
  ])('of two single runs is %i with %j, however much slower one is', async (exitCode, flags) => {
    const files = writeFiles(reportAt([748]), reportAt([400]));
    const output = await runInProcess(['compare', ...files, ...flags]);
    expect(output.exitCode).toBe(exitCode);
    expect(output.stdout).toContain('1.json: inconclusive in write: ');
  });

  test('is 3 if one of several files has a regression, and each file gets a verdict', async () => {
    const files = writeFiles(STEADY, STEADY, SLOWER);
    const { stdout, exitCode } = await runInProcess(['compare', ...files]);
    expect(exitCode).toBe(3);
    expect(stdout).toContain('\n1.json is as fast as 0.json in write.\n');
    expect(stdout).toContain(
      '\n2.json is 1.25 ± 0.00 times slower than 0.json in write, a regression of more than 10 %.\n',
    );
  });
});

describe('a difference', () => {
  const other = reportAt([748, 750, 746], {
    options: { ...STEADY.options, threads: 8 },
    machine: { ...STEADY.machine, cpuModel: 'Rare\u001b Processor' },
    target: { ...STEADY.target, device: '/dev/rare\u001b' },
  });

  test('in device and options prints the table without a verdict, and exits with 2', async () => {
    const files = writeFiles(STEADY, other);
    const { stdout, stderr, exitCode } = await runInProcess(['compare', ...files]);
    expect(exitCode).toBe(2);
    expect(stdout).toMatch(/\nwrite +748 MB\/s/);
    expect(stdout).not.toMatch(/regression/i);
    expect(stderr).toBe(
      `gobonnie: ${files[0]} and ${files[1]} cannot be compared: they differ in ` +
        `device (${STEADY.target.device} and /dev/rare?), --threads (4 and 8); ` +
        'measure both the same way, or pass --force\n',
    );
  });

  test('in the CPU alone is a note beside the verdict', async () => {
    const { machine } = SLOWER;
    const elsewhere = { ...SLOWER, machine: { ...machine, cpuModel: 'Rare\u001b Processor' } };
    const { stdout, stderr, exitCode } = await runInProcess(['compare', ...writeFiles(STEADY, elsewhere)]);
    expect([stderr, exitCode]).toEqual(['', 3]);
    expect(stdout).toMatch(/^note: CPU is Common Processor in .* and Rare\? Processor in /m);
    expect(stdout).toMatch(/ times slower than .* in write, a regression of more than 10 %/);
  });
});

describe('a file', () => {
  test('of several documents counts as several runs', async () => {
    const lines = [747, 748, 749].map((rate) => JSON.stringify(reportAt([rate]))).join('\n');
    const { stdout } = await runInProcess(['compare', ...writeFiles(lines, STEADY)]);
    expect(stdout).toMatch(/^write .* same$/m);
  });

  test.each([
    ['{}', 'it is neither a gobonnie report nor'],
    [JSON.stringify(reportAt([])), 'holds no complete run'],
    [`vm,128M${',+++++,+++'.repeat(6)},1${',+++++,+++'.repeat(6)}\n`, 'holds no rate; measure more data'],
  ])('that contains %j is rejected with its name', async (content, reason) => {
    const files = writeFiles(STEADY, content);
    const { stdout, stderr, exitCode } = await runInProcess(['compare', ...files]);
    expect([stdout, exitCode]).toEqual(['', 1]);
    expect(stderr).toMatch(/^gobonnie: [^\n]+\n$/);
    expect(stderr).toContain(`${files[1]}`);
    expect(stderr).toContain(reason);
  });
});

describe('--out', () => {
  test('writes the comparison as an HTML page, as JSON and as Markdown', async () => {
    const [before = '', after = ''] = writeFiles(STEADY, SLOWER);
    const file = (end: string) => before.replace('0.json', `change${end}`);
    const out = ['.html', '.json', '.md'].flatMap((end) => ['--out', file(end)]);
    const compare = (...flags: string[]) => runInProcess(['compare', before, after, '--all', ...flags]);
    const { stdout, exitCode } = await compare(...out, '--format', 'json');
    expect(exitCode).toBe(3);
    expect(readFileSync(file('.json'), 'utf8')).toBe(stdout);
    const markdown = await compare('--format', 'markdown');
    expect(markdown.stdout).toMatch(/^\| {2}\| .* \| change \|.*\n\| write\.p99 \| /s);
    expect(readFileSync(file('.md'), 'utf8')).toBe(markdown.stdout);
    const page = readFileSync(file('.html'), 'utf8');
    expect(page).toContain(`<h2>${before} → ${after}</h2>`);
    expect(page).toMatch(/<title>[^<]* times slower than .* in write, a regression of more than 10 %/);
    expect(page).toContain('Shaded: within 10 %');
  });

  test('rejects another extension, and lists the known extensions', async () => {
    const files = writeFiles(STEADY, SLOWER);
    expect(await runInProcess(['compare', ...files, '--out', 'change.csv'])).toEqual({
      stdout: '',
      stderr: 'gobonnie: --out change.csv has no known extension; use .html, .json or .md\n',
      exitCode: 2,
    });
  });
});

test('latencies have rows with --all, and are always in the JSON', async () => {
  const files = writeFiles(STEADY, SLOWER);
  expect((await runInProcess(['compare', ...files, '--all'])).stdout).toMatch(/^write\.p99 /m);
  const json = JSON.parse((await runInProcess(['compare', ...files, '--json'])).stdout);
  expect(json.comparisons[0].changes.map(({ name }: { name: string }) => name)).toContain('write.p99');
});

test.each([
  [
    ['a.json'],
    'compare needs two or more result files; for example, gobonnie compare before.json after.json',
  ],
  [['-', '-'], '- is given twice; stdin can be read only once'],
  [['a', 'b', '--format', 'html'], 'compare does not support --format html; pass --out comparison.html'],
  [['a', 'b', '--format', 'xml'], 'compare does not support --format xml; pass one of text, json, markdown'],
  [
    ['a', 'b', '--max-regression', 'much'],
    'invalid --max-regression much: expected a percentage from 0 to 100; for example, --max-regression 5%',
  ],
])('compare %j is rejected', async (args, line) => {
  expect(await runInProcess(['compare', ...args])).toEqual({
    stdout: '',
    stderr: `gobonnie: ${line}\n`,
    exitCode: 2,
  });
});
