import { expect, test } from 'vitest';
import type { RawOptions } from '../../../src/cli/argv/cli-catalogue.js';
import { validateCliOptions } from '../../../src/cli/argv/cli-options.js';
import { gobonnieErrorWith } from '../../support/data/fixtures.js';

test('all switches are off by default, and only --max-regression has another default', () => {
  const defaults = {
    json: false,
    verbose: false,
    quiet: false,
    dryRun: false,
    out: [],
    expect: [],
    maxRegression: 10,
    force: false,
    strict: false,
    noColor: false,
    noGithub: false,
    allowCached: false,
  };
  expect(validateCliOptions({})).toEqual(defaults);
  expect(validateCliOptions({ json: undefined, verbose: undefined })).toEqual(defaults);
});

test('quiet and verbose contradict each other, but either works with --json', () => {
  expect(() => validateCliOptions({ quiet: true, verbose: true })).toThrow(
    gobonnieErrorWith('option-invalid', '--quiet and --verbose contradict each other; use only one of them'),
  );
  expect(validateCliOptions({ quiet: true, json: true })).toMatchObject({ quiet: true, json: true });
  expect(validateCliOptions({ verbose: true, json: true })).toMatchObject({ verbose: true, json: true });
});

test('--color and --no-color contradict each other, and without them the terminal decides', () => {
  expect(() => validateCliOptions({ color: true, noColor: true })).toThrow(
    gobonnieErrorWith('option-invalid', '--color and --no-color contradict each other; use only one of them'),
  );
  const colors = (input: RawOptions) => validateCliOptions(input).color;
  expect(colors({})).toBeUndefined();
  expect([colors({ color: true }), colors({ color: true, noColor: false })]).toEqual([true, true]);
  expect([colors({ color: false }), colors({ noColor: true })]).toEqual([false, false]);
});

test('--json is the same as --format json, and contradicts any other format', () => {
  const format = (input: RawOptions) => validateCliOptions(input).format;
  expect(format({})).toBeUndefined();
  expect(format({ json: true })).toBe('json');
  expect(format({ format: 'json' })).toBe('json');
  expect(format({ json: true, format: 'json' })).toBe('json');
  expect(format({ format: 'bonnie++' })).toBe('bonnie++');
  expect(() => format({ json: true, format: 'text' })).toThrow(
    gobonnieErrorWith(
      'option-invalid',
      '--json and --format text contradict each other; use only one of them',
    ),
  );
});

test.each([
  ['7 %', 7],
  [3, 3],
])('--max-regression %j is %d percent', (value, percent) => {
  expect(validateCliOptions({ maxRegression: value }).maxRegression).toBe(percent);
});

test.each(['', '101%', 'five'])('--max-regression %j is rejected', (value) => {
  expect(() => validateCliOptions({ maxRegression: value })).toThrow(
    expect.objectContaining({ code: 'option-invalid', hint: 'for example, --max-regression 5%' }),
  );
});

test.each([
  ['out', 'report.json'],
  ['expect', 'write>=1MB/s'],
  ['force', 'yes'],
])('%s set to %j is rejected, and the message states the expected value', (name, value) => {
  expect(() => validateCliOptions({ [name]: value })).toThrow(
    expect.objectContaining({
      code: 'option-invalid',
      message: expect.stringMatching(/^invalid --.*: expected /),
    }),
  );
});
