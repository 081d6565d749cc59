import { Option } from 'commander';
import { expect, test } from 'vitest';
import { normalizeGetopt } from '../../../src/cli/argv/getopt.js';
import { gobonnieErrorWith } from '../../support/data/fixtures.js';

const FLAGS = [
  '-q, --quiet',
  '-b, --unbuffered',
  '-s, --size <MiB>',
  '-d, --dir <DIR>',
  '-f, --fast [MiB]',
].map((flags) => new Option(flags));

test.each<[string[], string[]]>([
  [[], []],
  [['-q'], ['--quiet']],
  [['-s', '100'], ['--size=100']],
  [['-s100'], ['--size=100']],
  [['-qb'], ['--quiet', '--unbuffered']],
  [
    ['-q', '-b'],
    ['--quiet', '--unbuffered'],
  ],
  [['-qs100'], ['--quiet', '--size=100']],
  [
    ['-qbs', '100', '-d/mnt'],
    ['--quiet', '--unbuffered', '--size=100', '--dir=/mnt'],
  ],
  [['-f'], ['--fast=']],
  [['-f20'], ['--fast=20']],
  [['-qf'], ['--quiet', '--fast=']],
  [['-qf20'], ['--quiet', '--fast=20']],
  [
    ['-f', '-q'],
    ['--fast=', '--quiet'],
  ],
])('%j becomes %j', (args, normalized) => {
  expect(normalizeGetopt(args, FLAGS)).toEqual(normalized);
});

test('the text after a letter that needs a value is its value, even if it contains flag letters', () => {
  expect(normalizeGetopt(['-sqb', '-dqf20'], FLAGS)).toEqual(['--size=qb', '--dir=qf20']);
  expect(normalizeGetopt(['-s=100'], FLAGS)).toEqual(['--size==100']);
  expect(normalizeGetopt(['-fq'], FLAGS)).toEqual(['--fast=q']);
});

test.each(['-1', '-q', '--', '--size', '-', '', 'a b', 'two\nlines', '=', '-ü'])(
  'any word after a flag that needs a value is its value: %j',
  (value) => {
    expect(normalizeGetopt(['-d', value, '-q'], FLAGS)).toEqual([`--dir=${value}`, '--quiet']);
  },
);

test('repeated flags remain, in order', () => {
  expect(normalizeGetopt(['-s1', '-q', '-s', '2', '-q'], FLAGS)).toEqual([
    '--size=1',
    '--quiet',
    '--size=2',
    '--quiet',
  ]);
});

test.each([[['-s']], [['-qs']], [['-q', '-s']]])('%j is rejected because it ends without a value', (args) => {
  expect(() => normalizeGetopt(args, FLAGS)).toThrow(
    gobonnieErrorWith('option-invalid', '-s has no value; pass it as -s VALUE or -sVALUE'),
  );
});

test('a word after a flag with an optional value is an argument', () => {
  expect(normalizeGetopt(['-f', '20'], FLAGS)).toEqual(['--fast=', '20']);
});

test('--help is accepted, although it has two dashes', () => {
  expect(normalizeGetopt(['--help'], FLAGS)).toEqual(['--help']);
});

test.each(['disk', '', '-', '20'])('%j between flags remains an argument', (word) => {
  expect(normalizeGetopt(['-q', word, '-b'], FLAGS)).toEqual(['--quiet', word, '--unbuffered']);
});

test('everything after -- is an argument', () => {
  expect(normalizeGetopt(['-q', '--', '-b', '-s', '-k'], FLAGS)).toEqual(['--quiet', '--', '-b', '-s', '-k']);
});

test('the input array is not mutated', () => {
  const args = ['-q', '-s', '1'];
  normalizeGetopt(args, FLAGS);
  expect(args).toEqual(['-q', '-s', '1']);
});

const LIST = 'the flags are -q -b -s -d -f';

test.each<[string[], string]>([
  [['-k'], `there is no flag -k; ${LIST}`],
  [['-qk'], `there is no flag -k; ${LIST}`],
  [['-q', '-kq'], `there is no flag -k; ${LIST}`],
  [['-?'], `there is no flag "-?"; ${LIST}`],
  [['-S', '1'], `there is no flag -S; ${LIST}`],
  [['-q-'], `there is no flag --; ${LIST}`],
  [['--size=8'], `there is no flag --size=8; ${LIST}`],
  [['-q', '--size'], `there is no flag --size; ${LIST}`],
  [['-\u001b[31m'], `there is no flag "-\\u001b"; ${LIST}`],
  [['-\u202e'], `there is no flag "-\\u202e"; ${LIST}`],
])('%j is rejected: %s', (args, line) => {
  expect(() => normalizeGetopt(args, FLAGS)).toThrow(gobonnieErrorWith('option-unknown', line));
});
