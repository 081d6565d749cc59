import { expect, test } from 'vitest';
import { colorSetting, selectedFormats, validateCliOptions } from '../../../src/cli/argv/cli-options.js';
import { gobonnieErrorWith } from '../../support/data/fixtures.js';

test('without a flag the result is text, messages are short and the benchmark runs', () => {
  const plain = {
    json: false,
    verbose: false,
    quiet: false,
    dryRun: false,
    out: [],
    expect: [],
    maxRegression: 10,
    force: false,
    noColor: false,
    noGithub: false,
    allowCached: false,
  };
  expect(validateCliOptions({})).toEqual(plain);
  expect(validateCliOptions({ json: undefined, verbose: undefined })).toEqual(plain);
});

test.each(['json', 'verbose', 'quiet', 'dryRun'] as const)('%s sets nothing else', (name) => {
  expect(validateCliOptions({ [name]: true })).toEqual({ ...validateCliOptions({}), [name]: true });
});

test('the files of --out keep their order, and set nothing else', () => {
  const out = ['b.json', 'a.json'];
  expect(validateCliOptions({ out })).toEqual({ ...validateCliOptions({}), out });
});

test('quiet and verbose together are refused, each with --json is fine', () => {
  expect(() => validateCliOptions({ quiet: true, verbose: true })).toThrow(
    gobonnieErrorWith('option-invalid', '--quiet and --verbose contradict each other; pass one of them'),
  );
  expect(validateCliOptions({ quiet: true, json: true })).toMatchObject({ quiet: true, json: true });
  expect(validateCliOptions({ verbose: true, json: true })).toMatchObject({ verbose: true, json: true });
});

test('--color and --no-color together are refused, and without either the terminal decides', () => {
  expect(() => validateCliOptions({ color: true, noColor: true })).toThrow(
    gobonnieErrorWith('option-invalid', '--color and --no-color contradict each other; pass one of them'),
  );
  const asked = (input: object) => colorSetting(validateCliOptions(input));
  expect(asked({})).toBeUndefined();
  expect([asked({ color: true }), asked({ color: true, noColor: false })]).toEqual([true, true]);
  expect([asked({ color: false }), asked({ noColor: true })]).toEqual([false, false]);
});

test('--json is --format json, and contradicts another format', () => {
  const asked = (input: object) => selectedFormats(validateCliOptions(input), ['bonnie', 'text']);
  expect(asked({})).toEqual(['bonnie', 'text']);
  expect(asked({ json: true })).toEqual(['json']);
  expect(asked({ format: 'json' })).toEqual(['json']);
  expect(asked({ json: true, format: 'json' })).toEqual(['json']);
  expect(asked({ format: 'bonnie++' })).toEqual(['bonnie++']);
  expect(() => asked({ json: true, format: 'text' })).toThrow(
    gobonnieErrorWith('option-invalid', '--json and --format text contradict each other; pass one of them'),
  );
});

test.each([
  ['5', 5],
  ['2.5%', 2.5],
  ['7 %', 7],
  [3, 3],
])('--max-regression %s is %d per cent', (given, percent) => {
  expect(validateCliOptions({ maxRegression: given }).maxRegression).toBe(percent);
});

test.each(['', '%', '-1', '101%', 'five', '1e3'])('--max-regression %j is refused', (given) => {
  expect(() => validateCliOptions({ maxRegression: given })).toThrow(
    expect.objectContaining({ code: 'option-invalid', hint: 'for example, --max-regression 5%' }),
  );
});

test.each([
  ['out', 'report.json'],
  ['expect', 'write>=1MB/s'],
  ['force', 'yes'],
  ['baseline', ''],
])('%s set to %j is refused with what it takes', (name, value) => {
  expect(() => validateCliOptions({ [name]: value })).toThrow(
    expect.objectContaining({
      code: 'option-invalid',
      message: expect.stringMatching(/^invalid --.*: expected /),
    }),
  );
});
