import { rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type FormatName, reportFormats } from '../../../src/format/index.js';
import { listDirectory, useTemporaryDirectory } from '../../support/disks/temporary-directory.js';
import { type ProcessOutput, runInProcess } from '../../support/programs/in-process.js';
import { ENTRY, startProcess } from '../../support/programs/program.js';
import { hasControlCharacters, panicViolations, rejectionViolations } from '../output-violations.js';
import { type DamagedFile, damageSample } from './damage.js';
import { REPORT, SAMPLES, type Sample } from './samples.js';

const SEED = 20_180_412;
const FILE = 'damaged';
const FAILURE = 1;
const USAGE = 2;
const FORMATS = Object.keys(reportFormats) as FormatName[];
const JSON_FORMATS = /^(?:report|json|ndjson|bencher|github-.*|yabs-json)$/;

useTemporaryDirectory();

/** The message must be one line that names the file and the problem. */
function unnamedRejectionViolations(output: ProcessOutput): readonly string[] {
  const violations = rejectionViolations(output, FAILURE);
  const isNamed = new RegExp(`^gobonnie: ${FILE}(?: cannot be read: |, line | holds )`).test(output.stderr);
  return isNamed ? violations : [...violations, `no message about the file: ${output.stderr.slice(0, 300)}`];
}

/** Every format must print whole text without control characters, or reject the file in one line. */
function renderingViolations(format: FormatName, output: ProcessOutput): readonly string[] {
  const { stdout, stderr, exitCode } = output;
  if (exitCode !== 0) return rejectionViolations(output, exitCode === FAILURE ? FAILURE : USAGE);
  // CSV ends its lines with CRLF (RFC 4180).
  const text = format.startsWith('csv') ? stdout.replaceAll('\r\n', '\n') : stdout;
  const visible = text.replace(/<(style|script|pre)>[\s\S]*?<\/\1>/g, '');
  const messages = stderr.split('\n').filter((line) => line !== '' && !line.includes(': warning: '));
  const violations = messages.map((line) => `message: ${line.slice(0, 300)}`);
  if (!stdout.endsWith('\n')) violations.push('the last line has no end');
  if (hasControlCharacters(text + stderr)) violations.push('control characters');
  if (JSON_FORMATS.test(format)) for (const line of text.trimEnd().split('\n')) JSON.parse(line);
  else if (/\b(?:NaN|Infinity|undefined|null|object Object)\b/.test(visible))
    violations.push('NaN, null or the like');
  return violations.map((violation) => `--format ${format}: ${violation}: ${stdout.slice(0, 300)}`);
}

async function shownViolations(): Promise<readonly string[]> {
  const violations: string[] = [];
  for (const format of FORMATS) {
    const output = await runInProcess(['show', FILE, '--format', format]);
    violations.push(...renderingViolations(format, output));
    if (format === 'text' && output.exitCode !== 0) violations.push(output.stderr);
  }
  return violations;
}

async function showViolations({ content, expected }: DamagedFile): Promise<readonly string[]> {
  writeFileSync(FILE, content);
  const before = listDirectory();
  const output = await runInProcess(['show', FILE]);
  const isShown = output.exitCode === 0;
  const violations = isShown ? [...(await shownViolations())] : [...unnamedRejectionViolations(output)];
  if (expected !== 'either' && isShown !== (expected === 'shown')) violations.push(`it is not ${expected}`);
  if (listDirectory() !== before) violations.push('the directory changed');
  return violations;
}

describe('a damaged file is rejected in one line that names it, or shown in every format:', () => {
  test.each(SAMPLES)('$name', async (sample) => {
    const failures: string[] = [];
    const counts = { rejected: 0, shown: 0, either: 0 };
    for (const file of damageSample(sample, SEED)) {
      counts[file.expected]++;
      const violations = await showViolations(file);
      if (violations.length > 0) failures.push(`${file.damage}: ${violations.join('; ')}`);
    }
    expect(failures).toEqual([]);
    expect(counts.rejected).toBeGreaterThan(10);
  });

  const rows = SAMPLES.filter(({ isJson }) => !isJson).map(({ text }) => text);
  const report = REPORT.text;
  const other = [
    '\ufeff',
    '{}',
    '[]',
    'null',
    'true',
    '""',
    'NaN',
    '#',
    '1.98,',
    'a,1G',
    '\u001b[2J',
    '%PDF-1.4',
  ];
  test.each<[string, string, DamagedFile['expected']]>([
    ...other.map((text): [string, string, 'rejected'] => [JSON.stringify(text), text, 'rejected']),
    ['many quote marks', '> '.repeat(9000), 'rejected'],
    ['many empty lines', `${'\n'.repeat(300_000)}x`, 'rejected'],
    ['a number beyond the range of numbers', report.replace(/"threads":\d+/, '"threads":1e400'), 'rejected'],
    ['a report with a prototype', report.replace('{', '{"__proto__":{"polluted":1},'), 'shown'],
    ['a report and a row', report + rows[0], 'shown'],
    ['two reports on one line', report.trim() + report, 'rejected'],
    ['a report followed by text', `${report.trim()} and so on\n`, 'rejected'],
    ['rows of every kind', rows.join(''), 'shown'],
  ])('%s', async (damage, text, expected) => {
    expect(await showViolations({ damage, content: Buffer.from(text), expected })).toEqual([]);
  });

  test('no damaged file changes the prototype of objects', () => {
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect('polluted' in {}).toBe(false);
  });
});

describe('a file that would be far larger in RAM is rejected, or shown, with a small heap:', () => {
  /** Just below the maximum file size. */
  const LENGTH = 60 * 1024 ** 2;
  const HEAP = '--max-old-space-size=512';
  const fill = (unit: string) => unit.repeat(Math.floor(LENGTH / unit.length));
  const show = () => startProcess(process.execPath, [HEAP, ENTRY, 'show', FILE]).exitResult;

  test('a number of many digits is rejected', async () => {
    writeFileSync(FILE, `{"results":[${fill('9')}]}`);
    const output = await show();
    expect(unnamedRejectionViolations(output)).toEqual([]);
    expect(output.stderr).toContain(' is invalid: ');
  });

  test('a long series is shown', async () => {
    const series = `"operations":[${fill('1073479,')}1]`;
    writeFileSync(
      FILE,
      REPORT.text.replace(/"operations":\[[^\]]*\]/, () => series),
    );
    const output = await show();
    expect([output.exitCode, renderingViolations('text', output)]).toEqual([0, []]);
  });

  test('data on stdin that never ends is rejected', async () => {
    const script = `exec "$0" ${HEAP} "$1" show - < /dev/zero`;
    const output = await startProcess('sh', ['-c', script, process.execPath, ENTRY]).exitResult;
    expect(rejectionViolations(output, FAILURE)).toEqual([]);
    expect(output.stderr).toMatch(/^gobonnie: stdin cannot be read: it is larger than 64 MiB; /);
  });
});

describe('a damaged config file is read or rejected in one line, and no file is written:', () => {
  const options = {
    $schema: './node_modules/gobonnie/schema/gobonnie-config.schema.json',
    ...{
      dir: '.',
      size: 0.001,
      threads: 1,
      iopsDuration: '0.01',
      blockSize: '64k',
      direct: false,
      label: 'bøx 1',
    },
    ...{
      phases: ['write', 'read', 'iops'],
      out: ['a.json', 'b.json'],
      expect: 'write>=1MB/s',
      maxRegression: '5%',
    },
    profiles: { ci: { size: 0.002, quiet: true }, 'at night': { runs: 2, seed: 7 } },
  };

  test.each([
    ['gobonnie.config.json', options],
    ['package.json', { name: 'x', version: '1.0.0', dependencies: { gobonnie: '1' }, gobonnie: options }],
  ])('%s', async (file, document) => {
    const sample: Sample = { name: file, isJson: true, text: JSON.stringify(document, null, 2) };
    const failures: string[] = [];
    const exitCodes = new Set<unknown>();
    for (const { damage, content } of damageSample(sample, SEED)) {
      writeFileSync(file, content);
      const before = listDirectory();
      const output = await runInProcess(['--dry-run', '--profile', 'ci']);
      exitCodes.add(output.exitCode);
      const violations =
        output.exitCode === 0 ? [...panicViolations(output.stderr)] : [...rejectionViolations(output, USAGE)];
      if (hasControlCharacters(output.stdout + output.stderr)) violations.push('control characters');
      if (listDirectory() !== before) violations.push('the directory changed');
      if (violations.length > 0) failures.push(`${damage}: ${violations.join('; ')}`);
    }
    rmSync(file);
    expect(failures).toEqual([]);
    expect([...exitCodes].toSorted()).toEqual([0, USAGE]);
  });
});
