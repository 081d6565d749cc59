import { expect, test } from 'vitest';
import { selectedFormats, validateCliOptions } from '../../../src/cli/argv/cli-options.js';
import { bonniego } from '../../../src/cli/compat/bonniego.js';
import { formatBonniegoLog } from '../../../src/cli/compat/bonniego-log-format.js';
import { gobonniego } from '../../../src/cli/compat/gobonniego.js';
import { requestFrom } from '../../../src/cli/dispatch.js';
import { optionCatalogue } from '../../../src/options/option-catalogue.js';
import { toFlag } from '../../../src/options/option-row.js';
import { validateOptions } from '../../../src/options/validate-options.js';
import { version } from '../../../src/version.js';
import { gobonnieErrorWith } from '../../support/data/fixtures.js';
import { readHelp, parseRequest as requestIn } from './requests.js';

const requestOf = (args: readonly string[]) => requestIn(bonniego, args);

/** Returns the formats printed on stdout. */
function formatsOf(args: readonly string[]): readonly string[] {
  const { cliOptions, formats } = requestOf(args);
  return selectedFormats(validateCliOptions(cliOptions), formats);
}

/** Returns Go's four spellings of a flag with a value. */
function spellings(name: string, value: string): readonly (readonly string[])[] {
  return [[`-${name}`, value], [`--${name}`, value], [`-${name}=${value}`], [`--${name}=${value}`]];
}

test('gobonnie bonniego parses the flags of bonniego', async () => {
  expect(await requestFrom(['bonniego', '-procs', '8'])).toMatchObject({
    input: { threads: '8' },
    formats: ['bonniego'],
  });
});

test("it has bonniego's format and messages, and its errors name gobonnie's flags", async () => {
  const request = requestOf([]);
  expect(request.formats).toEqual(['bonniego']);
  expect(await request.loadLogFormatter()).toBe(formatBonniegoLog);
  expect(request.flagNames).toBeUndefined();
  expect(request.prepare).toBeUndefined();
  expect(request.abortedExitCode).toBeUndefined();
});

test('without flags, it measures write, read and iops once, with the default size', () => {
  const request = requestOf([]);
  expect(request.input).toEqual({});
  expect(validateCliOptions(request.cliOptions)).toEqual(validateCliOptions({}));
  expect(validateOptions(request.input)).toMatchObject({
    phases: ['write', 'read', 'iops'],
    runs: 1,
    seconds: 0,
    iopsDuration: 15,
    blockSize: 65_536,
    ioSize: 512,
    byteMode: 'locked',
  });
  expect(validateOptions(request.input).size).toBeUndefined();
});

test.each([
  ['dir', '/mnt/disk', { dir: '/mnt/disk' }],
  ['size', '0.5', { size: '0.5' }],
  ['procs', '8', { threads: '8' }],
  ['threads', '8', { threads: '8' }],
  ['runs', '3', { runs: '3' }],
  ['seconds', '60', { seconds: '60' }],
  ['iops-duration', '0.5', { iopsDuration: '0.5' }],
])("-%s %s is accepted in each of Go's spellings", (name, value, input) => {
  for (const args of spellings(name, value)) expect(requestOf(args).input).toEqual(input);
});

test.each(['-v', '--v', '-v=true', '-v=1', '--verbose'])('%s sets verbose', (flag) => {
  expect(requestOf([flag])).toMatchObject({ input: {}, cliOptions: { verbose: true } });
});

test.each(['-json', '--json', '-json=true', '--json=1'])(
  '%s selects the JSON document instead of the lines',
  (flag) => {
    expect(formatsOf([flag])).toEqual(['json']);
  },
);

test('-json=false selects the lines', () => {
  expect(formatsOf(['-json=false'])).toEqual(['bonniego']);
  expect(formatsOf(['-json', '-json=false'])).toEqual(['bonniego']);
});

test('--format selects another format', () => {
  expect(formatsOf(['--format', 'text'])).toEqual(['text']);
  expect(formatsOf(['-format=bonnie'])).toEqual(['bonnie']);
});

test('every option of gobonnie is parsed the same way as by gobonnie', () => {
  for (const [name, { argument, example }] of Object.entries(optionCatalogue)) {
    const args = argument === null ? [toFlag(name)] : [toFlag(name), example];
    expect(requestOf(args).input).toEqual(requestIn(gobonniego, args).input);
    expect(Object.keys(requestOf(args).input)).toEqual([name]);
  }
});

test.each(['-version', '--version'])('%s prints the version', (flag) => {
  expect(bonniego.parse([flag])).toEqual({ type: 'print', text: `gobonnie version ${version}\n` });
});

test.each(['-h', '-help', '--help'])('%s lists every flag of bonniego', (flag) => {
  const help = readHelp(bonniego);
  expect(bonniego.parse([flag])).toEqual({ type: 'print', text: help });
  for (const name of ['dir', 'iops-duration', 'json', 'procs', 'runs', 'seconds', 'size', 'version'])
    expect(help).toMatch(new RegExp(` --${name}\\b`));
  expect(help).toMatch(/^ {2}-v, /m);
});

test('the help and the hint about --help name bonniego', () => {
  expect(bonniego.parse(['-h'])).toMatchObject({ text: expect.stringMatching(/^Usage: gobonnie bonniego /) });
  expect(() => bonniego.parse(['--no-such-thing'])).toThrow(
    gobonnieErrorWith('option-unknown', 'unknown option --no-such-thing; see gobonnie bonniego --help'),
  );
});

test.each<[string[], string]>([
  [['-sise', '1'], 'unknown option --sise; did you mean --size?'],
  [['-size'], '--size has no value; for example, --size 0.5'],
  [['-procs'], '--threads has no value; for example, --threads 4'],
  [['-json=maybe'], '--json=maybe is neither true nor false; pass --json or --json=false'],
])('%j is rejected: %s', (args, line) => {
  expect(() => bonniego.parse(args)).toThrow(expect.objectContaining({ kind: 'usage', line }));
});

test.each([[['disk']], [['-json', 'true']], [['-runs', '2', '--', '-v']]])(
  '%j is rejected because of its extra argument',
  (args) => {
    const line = expect.stringMatching(/^there is no command or directory \S+; pass --dir DIR/);
    expect(() => bonniego.parse(args)).toThrow(expect.objectContaining({ kind: 'usage', line }));
  },
);

test.each([
  ['-size', 'abc'],
  ['-procs', '0'],
  ['-runs', '1.5'],
  ['-seconds', '-1'],
  ['-iops-duration', '0'],
  ['-dir', ''],
])('%s %j is rejected, because gobonnie also rejects it', (flag, value) => {
  expect(() => validateOptions(requestOf([flag, value]).input)).toThrow(
    expect.objectContaining({ kind: 'usage' }),
  );
});
