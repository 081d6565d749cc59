import { expect, test } from 'vitest';
import { validateCliOptions } from '../../../src/cli/argv/cli-options.js';
import { bonniego, gobonnie } from '../../../src/cli/compat/gobonniego.js';
import { requestFrom } from '../../../src/cli/dispatch.js';
import { optionCatalogue } from '../../../src/options/option-catalogue.js';
import { toFlag } from '../../../src/options/option-row.js';
import { parseRequest, readHelp, rejectionLine } from './requests.js';

test("gobonnie bonniego is a command with bonniego's format and without a config file", async () => {
  expect(await requestFrom(['bonniego', '-procs', '8'])).toMatchObject({ rawOptions: { threads: '8' } });
  const request = parseRequest(bonniego, '');
  expect(request).toMatchObject({ rawOptions: {}, formats: ['bonniego'] });
  expect(request.configurable).toBeUndefined();
});

test.each(Object.entries(optionCatalogue))('gobonnie and bonniego parse --%s the same way', (name, row) => {
  const args = row.argument === null ? [toFlag(name)] : [toFlag(name), row.example];
  const { rawOptions } = parseRequest(bonniego, args);
  expect(rawOptions).toEqual(parseRequest(gobonnie, args).rawOptions);
  expect(Object.keys(rawOptions)).toEqual([name]);
});

test.each([
  ['-json', 'json'],
  ['-json -json=false', 'bonniego'],
  ['--format text', 'text'],
])('%s prints %s', (flags, printed) => {
  const { rawOptions, formats } = parseRequest(bonniego, flags);
  const { format = formats[0] } = validateCliOptions(rawOptions);
  expect(format).toBe(printed);
});

test('the help lists every flag of bonniego, and its errors name gobonnie bonniego', () => {
  const help = readHelp(bonniego);
  expect(help).toMatch(/^Usage: gobonnie bonniego .*^ {2}-v, /ms);
  for (const name of ['dir', 'iops-duration', 'json', 'procs', 'runs', 'seconds', 'size', 'version'])
    expect(help).toMatch(new RegExp(` --${name}\\b`));
  expect(rejectionLine(bonniego, '--no-such')).toBe('unknown option --no-such; see gobonnie bonniego --help');
});
