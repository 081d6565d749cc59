import { Option } from 'commander';
import { expect, test } from 'vitest';
import { normalizeGoFlags } from '../../../src/cli/argv/parse-argv.js';
import { gobonnieErrorWith } from '../../support/data/fixtures.js';
import { runInProcess } from '../../support/programs/in-process.js';

const FLAGS = ['--size <GiB>', '--dir <DIR>', '--json', '-v, --verbose'].map((flags) => new Option(flags));

test.each<[string[], string[]]>([
  [['-size', '0.5'], ['--size=0.5']],
  [['--size', '0.5'], ['--size=0.5']],
  [['-size=0.5'], ['--size=0.5']],
  [['-json'], ['--json']],
  [['-v'], ['--verbose']],
  [['--v=1'], ['--verbose']],
])('%j becomes %j', (args, normalized) => {
  expect(normalizeGoFlags(args, FLAGS).args).toEqual(normalized);
});

test('a switch accepts the words of Go', () => {
  for (const word of ['1', 't', 'T', 'true', 'TRUE', 'True'])
    expect(normalizeGoFlags([`-json=${word}`], FLAGS)).toEqual({ args: ['--json'], off: {} });
  for (const word of ['0', 'f', 'F', 'false', 'FALSE', 'False'])
    expect(normalizeGoFlags([`-json=${word}`], FLAGS)).toEqual({ args: [], off: { json: false } });
});

test('the last value of a switch counts, and switches that are off are listed by the names of their options', () => {
  expect(normalizeGoFlags(['-json', '-v=0', '-json=false'], FLAGS)).toEqual({
    args: [],
    off: { verbose: false, json: false },
  });
  expect(normalizeGoFlags(['-json=false', '-json', 'false'], FLAGS)).toEqual({
    args: ['--json', 'false'],
    off: {},
  });
  expect(normalizeGoFlags(['-v=false', '--', '-json=false'], FLAGS)).toEqual({
    args: ['--', '-json=false'],
    off: { verbose: false },
  });
});

test.each(['maybe', '', 'tRUE', 'yes'])('-json=%s is rejected', (word) => {
  expect(() => normalizeGoFlags([`-json=${word}`], FLAGS)).toThrow(
    gobonnieErrorWith(
      'option-invalid',
      `--json=${word || '""'} is neither true nor false; pass --json or --json=false`,
    ),
  );
});

test.each(['-1', '--json', '--', '', 'a b', 'D:\\', '-size'])(
  'any word after a flag that needs a value is its value: %j',
  (value) => {
    expect(normalizeGoFlags(['-dir', value, '-json'], FLAGS).args).toEqual(['--json', `--dir=${value}`]);
  },
);

test.each([
  ['', '--dir='],
  ['two\nlines', '--dir=two\nlines'],
])('the text after the first = is the value: %j', (value, normalized) => {
  expect(normalizeGoFlags([`-dir=${value}`], FLAGS).args).toEqual([normalized]);
});

test('a flag without its value remains for commander to reject', () => {
  expect(normalizeGoFlags(['-json', '-size'], FLAGS).args).toEqual(['--json', '--size']);
});

test.each([
  ['-sise', '--sise'],
  ['--sise=1', '--sise=1'],
  ['-x', '-x'],
  ['-', '-'],
  ['', ''],
  ['a-size', 'a-size'],
])('the unknown flag or word %j becomes %j', (arg, normalized) => {
  expect(normalizeGoFlags([arg], FLAGS).args).toEqual([normalized]);
});

test('words after -- are unchanged', () => {
  expect(normalizeGoFlags(['-json', '--', '-json', '-size', '1'], FLAGS).args).toEqual([
    '--json',
    '--',
    '-json',
    '-size',
    '1',
  ]);
});

test.each(['quick', 'sweep', 'dev', 'fill'])(
  'gobonnie %s also accepts flags of Go, and turns switches off',
  async (name) => {
    const flags = ['-dry-run', '-dir', '.', '-verbose=false', '--json=false'];
    const env = { GOBONNIE_VERBOSE: 'true', GOBONNIE_JSON: 'true' };
    const { stdout, stderr } = await runInProcess([name, ...flags], { env });
    expect({ stdout, stderr }).toEqual({ stdout: expect.stringMatching(/^Would measure in /), stderr: '' });
  },
);
