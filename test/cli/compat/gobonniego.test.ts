import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { pickBenchmarkOptions } from '../../../src/cli/argv/cli-catalogue.js';
import { validateCliOptions } from '../../../src/cli/argv/cli-options.js';
import { ab } from '../../../src/cli/commands/ab/ab.js';
import { show } from '../../../src/cli/commands/show.js';
import { bonniego, gobonnie, gobonniego } from '../../../src/cli/compat/gobonniego.js';
import { requestFrom } from '../../../src/cli/dispatch.js';
import { optionCatalogue } from '../../../src/options/option-catalogue.js';
import type { OptionsInput } from '../../../src/options/options-schema.js';
import { validateOptions } from '../../../src/options/validate-options.js';
import { toFlag } from '../../../src/text/message-template.js';
import { version } from '../../../src/version.js';
import { gobonnieErrorWith } from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { parseRequest, readHelp, rejectionLine } from './requests.js';

/** The first rows are the command lines of gobonniego's and bonniego's READMEs. */
test.each<[string, OptionsInput, object]>([
  ['', {}, {}],
  ['-v -runs 2', { runs: 2 }, { verbose: true }],
  ['-dir D:\\', { dir: 'D:\\' }, {}],
  ['-dir /var/vcap/store/', { dir: '/var/vcap/store/' }, {}],
  ['-procs 8', { threads: 8 }, {}],
  ['-size 0.5', { size: 0.5 }, {}],
  ['-runs 3 -threads 2 -json=false -v=1', { runs: 3, threads: 2 }, { json: false, verbose: true }],
  ['--block-size 1m --io-size 4k --seed 42', { blockSize: '1m', ioSize: '4k', seed: '42' }, {}],
  ['-q --dry-run', {}, { quiet: true, dryRun: true }],
  [
    '-no-fsync --direct -unique --verify=true',
    { noFsync: true, direct: true, unique: true, verify: true },
    {},
  ],
  ['--until-stable=5 -max-runs 9', { untilStable: '5', maxRuns: '9' }, {}],
  ['--out a.json -out=b.json', {}, { out: ['a.json', 'b.json'] }],
  ['-size 1 -procs=2 --size=2 -threads 3', { size: 2, threads: 3 }, {}],
])('%j sets the options %j and %j', (flags, options, cliOptions) => {
  const { rawOptions, formats } = parseRequest(gobonnie, flags);
  const input = pickBenchmarkOptions(rawOptions);
  expect(validateOptions({ seed: 1, ...input })).toEqual(validateOptions({ seed: 1, ...options }));
  expect(rawOptions).toEqual({ ...input, ...cliOptions });
  expect(formats).toEqual(['text']);
});

test('--config, --profile and --no-config select a config file', () => {
  const flags = '-config my.json --profile=ci --no-config=false';
  expect(parseRequest(gobonnie, flags)).toMatchObject({
    rawOptions: { config: 'my.json', profile: 'ci', noConfig: false },
    configurable: expect.arrayContaining(['size', 'json', 'profile']),
  });
});

test.each(['-version', '--version=true'])('%s prints the version, and measures nothing', (flag) => {
  expect(gobonnie.parse([flag])).toEqual({ type: 'print', text: `gobonnie version ${version}\n` });
});

const hint = 'see gobonnie --help';

test.each([
  ['-sise 1', 'unknown option --sise; did you mean --size?'],
  ['--x\u001b[31m', 'unknown option "--x\\u001b[31m"; see gobonnie --help'],
  ['-json true', `there is no command or directory true; ${hint}`],
  ['-- -v', `there is no command or directory -v; ${hint}`],
  [[''], `there is no command or directory ""; ${hint}`],
  ['a\u001b[31mb', `there is no command or directory "a\\u001b[31mb"; ${hint}`],
])('%j is rejected: %s', (flags, line) => {
  expect(rejectionLine(gobonnie, flags)).toBe(line);
});

test.each([
  ['-s=4', 'unknown option -s=4; pass --size 4 for 4 GiB, or --size 500M'],
  ['--quick', 'unknown option --quick; type gobonnie quick, or pass --size 1 --iops-duration 5'],
])('%s, a likely guess, is rejected with the flag to pass instead', (flag, line) => {
  for (const command of [gobonnie, ab]) expect(rejectionLine(command, flag)).toBe(line);
});

test('a command without the flag to pass does not name it', () => {
  expect(rejectionLine(show, '--quick')).toBe('unknown option --quick; see gobonnie show --help');
});

test('a directory argument sets --dir, like -d, and may be a path that cannot be checked', () => {
  const dir = makeDirectory();
  for (const args of [[dir], ['-d', dir], [`-dir=${dir}`, '--json']])
    expect(parseRequest(gobonnie, args).rawOptions).toMatchObject({ dir });
  expect(parseRequest(gobonnie, 'x'.repeat(256)).rawOptions).toEqual({ dir: 'x'.repeat(256) });
});

test.runIf(existsSync('/dev/loop0'))(
  'an argument that is a device is rejected, and the error names the command that reads it',
  () => {
    expect(rejectionLine(gobonnie, ['/dev/loop0'])).toBe(
      '/dev/loop0 is a device, not a directory to measure; pass a directory on it, or gobonnie zones /dev/loop0 to read the whole device',
    );
  },
);

test('an argument that is a file, missing, or a second directory, is rejected', () => {
  const dir = makeDirectory();
  const file = path.join(dir, 'file');
  writeFileSync(file, 'mine');
  expect(rejectionLine(gobonnie, [file])).toBe(
    `${file} is a file, not a directory to measure; pass a directory, or gobonnie show FILE to print a result`,
  );
  const missing = path.join(dir, 'missing');
  expect(rejectionLine(gobonnie, [missing])).toBe(
    `there is no command or directory ${missing}; perhaps its disk is not mounted`,
  );
  for (const args of [
    ['--dir', '/', dir],
    ['/', dir],
  ])
    expect(rejectionLine(gobonnie, args)).toBe(
      `expected one directory, not / and ${dir}; pass one of them, or compare them with gobonnie ab`,
    );
});

test("a command's name must come first; without a name, the command is gobonnie's own", async () => {
  expect(await requestFrom(['-size', '1'])).toEqual(gobonnie.parse(['-size', '1']));
  expect(await requestFrom(['gobonniego', '-size', '1'])).toEqual(gobonniego.parse(['-size', '1']));
  await expect(requestFrom(['-size', '1', 'gobonniego'])).rejects.toThrow(
    gobonnieErrorWith(
      'option-unknown',
      'gobonniego must come before any flag; type gobonnie gobonniego and then its flags',
    ),
  );
});

test.each([
  ['gobonniego', false],
  ['bonniego', false],
  ['gobonniego -no-fsync=false', true],
  ['--no-config', true],
])('with the arguments %j, the time of a write includes the sync: %s', async (args, isSynced) => {
  const command = [...args.split(' '), '--dry-run', '--size', '0.01', '--dir', makeDirectory()];
  const { stdout, exitCode } = await runInProcess(command);
  expect(exitCode).toBe(0);
  expect(stdout.includes('write time without the final sync')).toBe(!isSynced);
});

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
