import { expect, test } from 'vitest';
import { fromGo, respelled } from '../../../src/cli/argv/go-flags.js';
import { refusal } from '../../support/fixtures.js';

const FLAGS = [
  { name: 'size', spelling: '--size', takesValue: true },
  { name: 'dir', spelling: '--dir', takesValue: true },
  { name: 'json', spelling: '--json', takesValue: false },
  { name: 'v', spelling: '--verbose', takesValue: false },
];

test.each<[string[], string[]]>([
  [['-size', '0.5'], ['--size=0.5']],
  [['--size', '0.5'], ['--size=0.5']],
  [['-size=0.5'], ['--size=0.5']],
  [['--size=0.5'], ['--size=0.5']],
  [['-json'], ['--json']],
  [['--json'], ['--json']],
  [['-v'], ['--verbose']],
  [['--v=1'], ['--verbose']],
])('%j is %j in either number of dashes', (args, lexed) => {
  expect(fromGo(args, FLAGS)).toEqual(lexed);
});

test.each(['1', 't', 'T', 'true', 'TRUE', 'True'])('Go reads -json=%s as on', (word) => {
  expect(fromGo([`-json=${word}`], FLAGS)).toEqual(['--json']);
});

test.each(['0', 'f', 'F', 'false', 'FALSE', 'False'])('Go reads -json=%s as off', (word) => {
  expect(fromGo([`-json=${word}`], FLAGS)).toEqual([]);
});

test('off takes every earlier on back, and a later on counts again', () => {
  expect(fromGo(['-json', '--json', '-json=false'], FLAGS)).toEqual([]);
  expect(fromGo(['-json', '-json=false', '-json'], FLAGS)).toEqual(['--json']);
});

test('what is turned off is told, under its whole name and as it was said last', () => {
  expect(respelled(['-json', '-v=0', '-json=false'], FLAGS)).toEqual({
    args: [],
    off: ['--verbose', '--json'],
  });
  expect(respelled(['-json=false', '-json'], FLAGS)).toEqual({ args: ['--json'], off: [] });
  expect(respelled(['-v=false', '--', '-json=false'], FLAGS)).toEqual({
    args: ['--', '-json=false'],
    off: ['--verbose'],
  });
});

test('off takes back no value that reads like the flag', () => {
  expect(fromGo(['-dir', '--json', '-json=false'], FLAGS)).toEqual(['--dir=--json']);
});

test.each(['maybe', '', 'tRUE', 'yes'])('-json=%s is neither on nor off', (word) => {
  expect(() => fromGo([`-json=${word}`], FLAGS)).toThrow(
    refusal(
      'option-invalid',
      `--json=${word || '""'} is neither true nor false; pass --json or --json=false`,
    ),
  );
});

test('a word after an on-off flag is not its value', () => {
  expect(fromGo(['-json', 'false'], FLAGS)).toEqual(['--json', 'false']);
});

test.each(['-1', '--json', '--', '', 'a b', 'D:\\', '-size'])(
  '%j is taken as the value it follows',
  (value) => {
    expect(fromGo(['-dir', value, '-json'], FLAGS)).toEqual([`--dir=${value}`, '--json']);
  },
);

test.each([
  ['', '--dir='],
  ['a=b', '--dir=a=b'],
  ['two\nlines', '--dir=two\nlines'],
])('what follows the first = is the value: %j', (value, lexed) => {
  expect(fromGo([`-dir=${value}`], FLAGS)).toEqual([lexed]);
});

test('a flag without its value is left for commander to refuse', () => {
  expect(fromGo(['-json', '-size'], FLAGS)).toEqual(['--json', '--size']);
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
])('%j is no flag of ours and becomes %j', (arg, lexed) => {
  expect(fromGo([arg], FLAGS)).toEqual([lexed]);
});

test('nothing after -- is lexed', () => {
  expect(fromGo(['-json', '--', '-json', '-size', '1'], FLAGS)).toEqual([
    '--json',
    '--',
    '-json',
    '-size',
    '1',
  ]);
});
