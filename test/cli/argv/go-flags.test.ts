import { Option } from 'commander';
import { expect, test } from 'vitest';
import { normalizeGoFlags } from '../../../src/cli/argv/go-flags.js';
import { gobonnieErrorWith } from '../../support/data/fixtures.js';

const FLAGS = ['--size <GiB>', '--dir <DIR>', '--json', '-v, --verbose'].map((flags) => new Option(flags));

test.each<[string[], string[]]>([
  [['-size', '0.5'], ['--size=0.5']],
  [['--size', '0.5'], ['--size=0.5']],
  [['-size=0.5'], ['--size=0.5']],
  [['--size=0.5'], ['--size=0.5']],
  [['-json'], ['--json']],
  [['--json'], ['--json']],
  [['-v'], ['--verbose']],
  [['--v=1'], ['--verbose']],
])('%j becomes %j', (args, normalized) => {
  expect(normalizeGoFlags(args, FLAGS).args).toEqual(normalized);
});

test.each(['1', 't', 'T', 'true', 'TRUE', 'True'])('-json=%s turns the switch on, as in Go', (word) => {
  expect(normalizeGoFlags([`-json=${word}`], FLAGS).args).toEqual(['--json']);
});

test.each(['0', 'f', 'F', 'false', 'FALSE', 'False'])('-json=%s turns the switch off, as in Go', (word) => {
  expect(normalizeGoFlags([`-json=${word}`], FLAGS).args).toEqual([]);
});

test('the last value of a switch counts', () => {
  expect(normalizeGoFlags(['-json', '--json', '-json=false'], FLAGS).args).toEqual([]);
  expect(normalizeGoFlags(['-json', '-json=false', '-json'], FLAGS).args).toEqual(['--json']);
});

test('switches that are turned off are listed by the names of their options', () => {
  expect(normalizeGoFlags(['-json', '-v=0', '-json=false'], FLAGS)).toEqual({
    args: [],
    off: { verbose: false, json: false },
  });
  expect(normalizeGoFlags(['-json=false', '-json'], FLAGS)).toEqual({ args: ['--json'], off: {} });
  expect(normalizeGoFlags(['-v=false', '--', '-json=false'], FLAGS)).toEqual({
    args: ['--', '-json=false'],
    off: { verbose: false },
  });
});

test('turning a switch off does not drop a value that looks like its flag', () => {
  expect(normalizeGoFlags(['-dir', '--json', '-json=false'], FLAGS).args).toEqual(['--dir=--json']);
});

test.each(['maybe', '', 'tRUE', 'yes'])('-json=%s is rejected', (word) => {
  expect(() => normalizeGoFlags([`-json=${word}`], FLAGS)).toThrow(
    gobonnieErrorWith(
      'option-invalid',
      `--json=${word || '""'} is neither true nor false; pass --json or --json=false`,
    ),
  );
});

test('a word after a switch is not its value', () => {
  expect(normalizeGoFlags(['-json', 'false'], FLAGS).args).toEqual(['--json', 'false']);
});

test.each(['-1', '--json', '--', '', 'a b', 'D:\\', '-size'])(
  'any word after a flag that needs a value is its value: %j',
  (value) => {
    expect(normalizeGoFlags(['-dir', value, '-json'], FLAGS).args).toEqual(['--json', `--dir=${value}`]);
  },
);

test.each([
  ['', '--dir='],
  ['a=b', '--dir=a=b'],
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
  ['-1', '-1'],
  ['', ''],
  ['word', 'word'],
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
