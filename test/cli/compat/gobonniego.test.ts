import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ab } from '../../../src/cli/commands/ab.js';
import { gobonniego } from '../../../src/cli/compat/gobonniego.js';
import { requestFrom } from '../../../src/cli/dispatch.js';
import type { GobonnieError } from '../../../src/errors.js';
import { optionCatalogue } from '../../../src/options/option-catalogue.js';
import { type OptionRow, toFlag } from '../../../src/options/option-row.js';
import { validateOptions } from '../../../src/options/validate-options.js';
import { version } from '../../../src/version.js';
import { gobonnieErrorWith } from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { parseRequest } from './requests.js';

/** Every command line of gobonniego's and bonniego's READMEs, with the options that it sets. */
const COMMAND_LINES: readonly [commandLine: string, input: object, cliOptions: object][] = [
  ['', {}, {}],
  ['-v', {}, { verbose: true }],
  ['-v -runs 2', { runs: 2 }, { verbose: true }],
  ['-v -seconds 86400', { seconds: 86_400 }, { verbose: true }],
  ['-seconds 3600', { seconds: 3600 }, {}],
  ['-seconds 60', { seconds: 60 }, {}],
  ['-dir D:\\', { dir: 'D:\\' }, {}],
  ['-dir /tmp', { dir: '/tmp' }, {}],
  ['-dir /zfs/tank', { dir: '/zfs/tank' }, {}],
  ['-dir /Volumes/USB', { dir: '/Volumes/USB' }, {}],
  ['-dir /var/vcap/store/', { dir: '/var/vcap/store/' }, {}],
  ['-threads 8', { threads: 8 }, {}],
  ['-procs 8', { threads: 8 }, {}],
  ['-json', {}, { json: true }],
  ['-json=true', {}, { json: true }],
  ['-json=false', {}, { json: false }],
  ['-size 0.5', { size: 0.5 }, {}],
  ['-size=0.5', { size: 0.5 }, {}],
  ['--size=0.5', { size: 0.5 }, {}],
  ['--size 0.5', { size: 0.5 }, {}],
  ['-iops-duration 0.5', { iopsDuration: 0.5 }, {}],
  ['--iops-duration=0.5', { iopsDuration: 0.5 }, {}],
  ['-runs 3 -threads 2 -json -v', { runs: 3, threads: 2 }, { json: true, verbose: true }],
];

test.each(COMMAND_LINES)('%j sets the same options as for gobonniego', (commandLine, input, cliOptions) => {
  const request = parseRequest(gobonniego, commandLine.split(' ').filter(Boolean));
  expect(validateOptions({ ...request.input, seed: 1 })).toEqual(validateOptions({ ...input, seed: 1 }));
  expect(request.cliOptions).toEqual(cliOptions);
});

test.each([
  ['--block-size 1m --io-size 4k --seed 42', { blockSize: '1m', ioSize: '4k', seed: '42' }, {}],
  ['-q', {}, { quiet: true }],
  ['--quiet --dry-run', {}, { quiet: true, dryRun: true }],
  ['--verbose', {}, { verbose: true }],
  ['-y', { fsync: true }, {}],
  ['--direct --fsync --one-file', { direct: true, fsync: true, oneFile: true }, {}],
  ['-unique -verify=true', { unique: true, verify: true }, {}],
  ['--cache evict --compressible 50', { cache: 'evict', compressible: '50' }, {}],
  ['--until-stable=5 -max-runs 9', { untilStable: '5', maxRuns: '9' }, {}],
  ['--out a.json -out=b.json', {}, { out: ['a.json', 'b.json'] }],
])('gobonnie also accepts %s', (commandLine, input, cliOptions) => {
  expect(gobonniego.parse(commandLine.split(' '))).toMatchObject({ input, cliOptions });
});

test.each(['-v=true', '--v', '-v=1'])(
  "%s sets verbose, because it is -v in one of Go's spellings",
  (flag) => {
    expect(gobonniego.parse([flag])).toMatchObject({ input: {}, cliOptions: { verbose: true } });
  },
);

/** The flags of the catalogue's switches, with the name of the option. */
const SWITCHES = Object.entries<OptionRow>(optionCatalogue).flatMap(([name, { alias, argument }]) =>
  argument === null ? [alias ?? [], toFlag(name).slice(2)].flat().map((flag) => [flag, name] as const) : [],
);

test.each(SWITCHES)("-%s is a switch that accepts Go's values", (flag, name) => {
  for (const on of [`-${flag}`, `--${flag}`, `-${flag}=true`, `--${flag}=1`])
    expect(gobonniego.parse([on])).toMatchObject({ input: { [name]: true } });
  for (const off of [[`-${flag}=false`], [`--${flag}`, `-${flag}=0`]])
    expect(gobonniego.parse(off)).toHaveProperty('input', { [name]: false });
  expect(gobonniego.parse([`-${flag}=0`, `--${flag}`])).toHaveProperty('input', { [name]: true });
  expect(gobonniego.parse([`-${flag}`, '-size', '1'])).toMatchObject({ input: { [name]: true, size: '1' } });
});

test('--config, --profile and --no-config select a config file', () => {
  expect(gobonniego.parse([])).toMatchObject({ configSelection: {} });
  const flags = ['-config', 'my.json', '--profile=ci', '--no-config=false'];
  expect(gobonniego.parse(flags)).toMatchObject({
    input: {},
    cliOptions: {},
    configSelection: { config: 'my.json', profile: 'ci', noConfig: false },
  });
  expect(gobonniego.parse(['--no-config'])).toMatchObject({ configSelection: { noConfig: true } });
});

test('without a flag, the format is text', () => {
  expect(gobonniego.parse([])).toMatchObject({ formats: ['text'], cliOptions: {} });
});

test('a repeated flag has its last value', () => {
  expect(gobonniego.parse(['-size', '1', '-procs=2', '--size=2', '-threads', '3'])).toMatchObject({
    input: { size: '2', threads: '3' },
  });
});

test.each(['-dir', '--dir'])('%s accepts a value that is empty or begins with a dash', (flag) => {
  expect(gobonniego.parse([flag, ''])).toMatchObject({ input: { dir: '' } });
  expect(gobonniego.parse([flag, '-x'])).toMatchObject({ input: { dir: '-x' } });
});

test.each(['-version', '--version', '-version=true'])(
  '%s prints the version, and measures nothing',
  (flag) => {
    expect(gobonniego.parse([flag])).toEqual({ type: 'print', text: `gobonnie version ${version}\n` });
  },
);

test.each<[string[], string]>([
  [['-sise', '1'], 'unknown option --sise; did you mean --size?'],
  [['--no-such-thing'], 'unknown option --no-such-thing; see gobonnie --help'],
  [['--js'], 'unknown option --js; did you mean --json?'],
  [['disk'], 'there is no command or directory disk; pass --dir DIR to create one, or see gobonnie --help'],
  [
    ['-json', 'true'],
    'there is no command or directory true; pass --dir DIR to create one, or see gobonnie --help',
  ],
  [['--', '-v'], 'there is no command or directory -v; pass --dir DIR to create one, or see gobonnie --help'],
  [[''], 'there is no command or directory ""; pass --dir DIR to create one, or see gobonnie --help'],
  [
    ['a\u001b[31mb'],
    'there is no command or directory "a\\u001b[31mb"; pass --dir DIR to create one, or see gobonnie --help',
  ],
])('%j is rejected: %s', (args, line) => {
  expect(() => gobonniego.parse(args)).toThrow(gobonnieErrorWith('option-unknown', line));
});

test('a directory argument sets --dir, like -d', () => {
  const dir = makeDirectory();
  for (const args of [[dir], ['--dir', dir], ['-d', dir], [`-d=${dir}`]])
    expect(gobonniego.parse([...args, '--json'])).toMatchObject({ input: { dir } });
  expect(gobonniego.parse(['--size', '1', dir])).toMatchObject({ input: { dir, size: '1' } });
});

test('two directories are rejected with a hint about gobonnie ab', () => {
  const dir = makeDirectory();
  for (const args of [
    ['--dir', '/', dir],
    ['/', dir],
  ])
    expect(() => gobonniego.parse(args)).toThrow(
      gobonnieErrorWith(
        'option-invalid',
        `expected one directory, not / and ${dir}; pass one of them, or compare them with gobonnie ab`,
      ),
    );
});

test('an argument that is a file or missing is rejected with a hint about --dir', () => {
  const dir = makeDirectory();
  const file = path.join(dir, 'file');
  writeFileSync(file, 'mine');
  for (const argument of [file, path.join(dir, 'missing')])
    expect(() => gobonniego.parse([argument])).toThrow(
      gobonnieErrorWith(
        'option-unknown',
        `there is no command or directory ${argument}; pass --dir DIR to create one, or see gobonnie --help`,
      ),
    );
});

test('an argument whose path cannot be checked sets --dir', () => {
  const dir = 'x'.repeat(256);
  expect(gobonniego.parse([dir])).toMatchObject({ input: { dir } });
});

test.each([
  ['-s', 'unknown option -s; pass --size 4 for 4 GiB, or --size 500M'],
  ['-s=4', 'unknown option -s=4; pass --size 4 for 4 GiB, or --size 500M'],
  ['--quick', 'unknown option --quick; pass --size 1 --iops-duration 5 for a quick run'],
  ['-quick', 'unknown option --quick; pass --size 1 --iops-duration 5 for a quick run'],
  ['--volumes', 'unknown option --volumes; it is now --data-files'],
  ['--member-timeout=5', 'unknown option --member-timeout=5; it is now --barrier-timeout'],
])('%s, a likely guess, is rejected with the flag to pass instead', (flag, line) => {
  for (const command of [gobonniego, ab])
    expect(() => command.parse([flag, '4'])).toThrow(gobonnieErrorWith('option-unknown', line));
});

test('only commands that have the new flag name it for a renamed flag', () => {
  const lines = [gobonniego, ab].map((command) => {
    try {
      command.parse(['--meet', '/shared']);
    } catch (error) {
      return (error as GobonnieError).line;
    }
    return null;
  });
  expect(lines).toEqual([
    'unknown option --meet; it is now --rendezvous',
    'unknown option --meet; see gobonnie ab --help',
  ]);
});

test('control characters in an unknown option are escaped', () => {
  expect(() => gobonniego.parse(['--x\u001b[31m'])).toThrow(
    expect.objectContaining({ line: expect.not.stringContaining('\u001b') }),
  );
});

test.each(
  Object.entries(optionCatalogue).flatMap(([name, { argument, example }]) =>
    argument === null ? [] : [[toFlag(name), example]],
  ),
)('%s without a value is rejected with an example', (flag, example) => {
  expect(() => gobonniego.parse(['-json', flag.slice(1)])).toThrow(
    gobonnieErrorWith('option-invalid', `${flag} has no value; for example, ${flag} ${example}`),
  );
});

test("a command's name must come first, and gobonniego is the default", async () => {
  const request = gobonniego.parse(['-size', '1']);
  expect(await requestFrom(['-size', '1'])).toEqual(request);
  expect(await requestFrom(['gobonniego', '-size', '1'])).toEqual(request);
  await expect(requestFrom(['-size', '1', 'gobonniego'])).rejects.toThrow(
    gobonnieErrorWith(
      'option-unknown',
      'gobonniego must come before any flag; type gobonnie gobonniego and then its flags',
    ),
  );
});
