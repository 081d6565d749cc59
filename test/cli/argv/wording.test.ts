import { expect, test } from 'vitest';
import { errorInWordsOf, flagNames, inWordsOf } from '../../../src/cli/argv/wording.js';
import { GobonnieError } from '../../../src/errors.js';
import { refusal } from '../../support/fixtures.js';

const NAMES = { '--size': '-s', '--dir': '-d', '--file-size': '-n …:MAX', '--direct': '-D' };

test.each([
  ['pass --size 4', 'pass -s 4'],
  ['--size', '-s'],
  ['pass a smaller --size or another --dir', 'pass a smaller -s or another -d'],
  ['leave out --direct, or pass --direct=false.', 'leave out -D, or pass -D=false.'],
  ['(--dir)', '(-d)'],
])('%j is %j', (sentence, reworded) => {
  expect(inWordsOf(NAMES, sentence)).toBe(reworded);
});

test('a flag is never taken for another that it begins or ends like', () => {
  expect(inWordsOf(NAMES, 'pass --file-size 4k')).toBe('pass -n …:MAX 4k');
  expect(inWordsOf(NAMES, 'pass --io-size 4k, --sizes or --dir-mode')).toBe(
    'pass --io-size 4k, --sizes or --dir-mode',
  );
});

test('what the dialect has no name for, and what is no flag, stay as they are', () => {
  const sentence = 'pass --seed 4 -- or a - b; --Size --1 --_dir size dir';
  expect(inWordsOf(NAMES, sentence)).toBe(sentence);
  expect(inWordsOf({}, 'pass --size 4')).toBe('pass --size 4');
});

test.each(['/mnt/old--dir', '/mnt/--dir/x', 'a--size'])(
  'the value %s is no flag, and stays as it was given',
  (value) => {
    expect(inWordsOf(NAMES, `--dir ${value} is not a directory`)).toBe(`-d ${value} is not a directory`);
  },
);

test("of all flags, those that a dialect has no word for are called gobonnie's own", () => {
  const names = flagNames(NAMES);
  expect(inWordsOf(names, 'pass a larger --size or --iops-duration')).toBe(
    "pass a larger -s or --iops-duration (gobonnie's own)",
  );
});

test('an error says both of its sentences in other words, and stays what it is', () => {
  const error = new GobonnieError('size-too-large', '--size 9 needs more', 'pass another --dir');
  const reworded = errorInWordsOf(NAMES, error);
  expect(reworded).toEqual(refusal('size-too-large', '-s 9 needs more; pass another -d'));
  expect(reworded).toMatchObject({ kind: 'usage', cause: error });
});

test('what is no error of ours is not touched', () => {
  const bug = new TypeError('--size is undefined');
  expect(errorInWordsOf(NAMES, bug)).toBe(bug);
  expect(bug.message).toBe('--size is undefined');
  expect(errorInWordsOf(NAMES, 'a string')).toBe('a string');
});
