import { describe, expect, test } from 'vitest';
import { runInProcess } from '../../support/programs/in-process.js';
import { enterDirectory, writeFiles } from './config-directory.js';

const FILE = 'gobonnie.config.json';

/** Expects the command to be rejected in one line, and returns that line without the program name. */
async function rejectedLine(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { stdout, stderr, exitCode } = await runInProcess(args, { env });
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the line must not contain control characters.
  expect(stderr).toMatch(/^gobonnie: [^\x00-\x1f\x7f]+; [^\x00-\x1f\x7f]+\n$/);
  return stderr.slice('gobonnie: '.length, -1);
}

describe('one line that names the source rejects', () => {
  test.each<[string, unknown, string]>([
    [
      'text that is not JSON',
      '{\n  "size": 1,\n}',
      `${FILE}, line 3, column 1, is not JSON: Expected double-quoted property name; JSON has double quotes only, `,
    ],
    ['an empty file', '', `${FILE} is not JSON: Unexpected end of JSON input; `],
    ['a list', [], `${FILE}: invalid []: expected an object of options; for example, { "size": 0.5 }`],
    ['a string', '"size"', `${FILE}: invalid "size": expected an object of options; `],
    ['null', 'null', `${FILE}: invalid null: expected an object of options; `],
    ['an unknown key', { sise: 1 }, `${FILE}: sise is not an option; did you mean "size"?`],
    [
      'a flag as a key',
      { 'iops-duration': 1 },
      `${FILE}: iops-duration is not an option; did you mean "iopsDuration"?`,
    ],
    [
      'a key that resembles no option',
      { __proto__x: 1 },
      `${FILE}: __proto__x is not an option; see gobonnie --help`,
    ],
    [
      'an option that only flags and variables may set',
      { config: 'x' },
      `${FILE}: config is not an option; `,
    ],
    [
      'profiles that are not an object',
      { profiles: [] },
      `${FILE}: invalid profiles []: expected an object of profiles; `,
    ],
    [
      'a profile that is not an object',
      { profiles: { ci: 5 } },
      `${FILE}: invalid profiles.ci 5: expected an object of options; `,
    ],
    [
      'a $schema that is not text',
      { $schema: 5 },
      `${FILE}: invalid $schema 5: expected the address of a JSON Schema; `,
    ],
    [
      'an unknown key in a profile',
      { profiles: { 'a b': { $schema: '' } } },
      `${FILE}: profiles."a b".$schema is not an option; see gobonnie --help`,
    ],
    [
      'a value that contradicts another option',
      { fileMinSize: '2k', fileSize: '1k' },
      `${FILE}: fileMinSize "2k" is more than fileSize "1k"; `,
    ],
    [
      'control characters',
      '{ "cache": "\\u001b[2J\\u202e\u009b" }',
      `${FILE}: invalid cache "\\u001b[2J\\u202e\\u009b": expected one of auto, `,
    ],
    [
      'an invalid value in a list',
      { expect: ['write>=1MB/s', 5] },
      `${FILE}: invalid expect ["write>=1MB/s",5]: expected a condition; `,
    ],
    ['an unknown format', { format: 'nope' }, `unknown format "nope" of ${FILE}; pass one of text, `],
    ['an expectation on an unknown phase', { expect: 'flight>1' }, `${FILE}: expect "flight>1" `],
    [
      'two options that contradict each other',
      { json: true, format: 'text' },
      `${FILE}: json and format "text" contradict each other; `,
    ],
    [
      'two options that exclude each other',
      { oneFile: true, dataFiles: 3 },
      `${FILE}: oneFile and dataFiles 3 cannot be combined; `,
    ],
    ['a size that does not fit', { size: 500000 }, `${FILE}: size 500000 needs 500000 GiB in `],
    [
      'a size with a unit, quoted as written',
      { size: '500000G' },
      `${FILE}: size "500000G" needs 500000 GiB in `,
    ],
    ['a phase that needs an earlier phase', { phases: ['read'] }, `${FILE}: phases: read needs data `],
  ])('%s', async (_, content, words) => {
    enterDirectory({ [FILE]: content });
    expect((await rejectedLine()).slice(0, words.length)).toBe(words);
  });

  test.each<[NodeJS.ProcessEnv, string]>([
    [{ GOBONNIE_SIZE: 'abc' }, 'invalid GOBONNIE_SIZE=abc: expected a number of GiB above 0 '],
    [{ GOBONNIE_SIZE: '500000' }, 'GOBONNIE_SIZE=500000 needs 500000 GiB in '],
    [
      { GOBONNIE_JSON: 'yes' },
      'invalid GOBONNIE_JSON=yes: expected true or false; for example, GOBONNIE_JSON=true',
    ],
    [{ GOBONNIE_OUT: '["a.json"' }, 'invalid GOBONNIE_OUT="[\\"a.json\\"": expected the path of a file; '],
    [{ GOBONNIE_OUT: '[5]' }, 'invalid GOBONNIE_OUT="[5]": expected the path of a file; '],
    [{ GOBONNIE_OUT: 'report.xyz' }, 'GOBONNIE_OUT=report.xyz has no known extension; '],
    [{ GOBONNIE_EXPECT: 'flight>1' }, 'GOBONNIE_EXPECT='],
    [{ GOBONNIE_BASELINE: 'nope.json' }, 'GOBONNIE_BASELINE=nope.json cannot be read: '],
    [
      { GOBONNIE_QUIET: '1', GOBONNIE_VERBOSE: 'true' },
      'GOBONNIE_QUIET and GOBONNIE_VERBOSE contradict each other; ',
    ],
    [
      { GOBONNIE_CONFIG: 'nope.json' },
      'GOBONNIE_CONFIG=nope.json cannot be read: no such file or directory (ENOENT); ',
    ],
    [{ GOBONNIE_PROFILE: 'ci' }, 'GOBONNIE_PROFILE=ci needs a config file, and none was found; '],
    [
      { GOBONNIE_NO_CONFIG: 'true', GOBONNIE_PROFILE: 'ci' },
      'GOBONNIE_NO_CONFIG and GOBONNIE_PROFILE=ci contradict each other; ',
    ],
  ])('%j', async (env, words) => {
    enterDirectory({});
    expect((await rejectedLine([], env)).slice(0, words.length)).toBe(words);
  });

  test('an invalid variable even if a flag overrides it', async () => {
    enterDirectory({});
    const line = await rejectedLine(['--size=0.01'], { GOBONNIE_SIZE: 'abc' });
    expect(line).toMatch(/^invalid GOBONNIE_SIZE=abc: expected /);
  });

  test('contradicting options of two sources, each named as in its source', async () => {
    enterDirectory({ [FILE]: { fileSize: '1k', profiles: { ci: { format: 'bonnie' } } } });
    expect(await rejectedLine(['--file-min-size=2k'])).toMatch(
      new RegExp(`^--file-min-size 2k is more than fileSize "1k" of ${FILE}; `),
    );
    expect(await rejectedLine(['--profile=ci'], { GOBONNIE_PHASES: 'iops' })).toMatch(
      new RegExp(`^${FILE}: profiles.ci.format "bonnie" shows none of GOBONNIE_PHASES=iops; `),
    );
    expect(await rejectedLine(['--profile=ci', '--phases=iops'])).toContain(' shows none of --phases iops; ');
    writeFiles('.', { [FILE]: { phases: ['iops'] } });
    expect(await rejectedLine(['--format=bonnie'])).toMatch(
      new RegExp(`^--format bonnie shows none of phases "iops" of ${FILE}; `),
    );
  });

  test('an unknown profile, and lists the known profiles', async () => {
    enterDirectory({ [FILE]: { profiles: { ci: {}, 'at night': {} } }, 'none.json': {} });
    expect(await rejectedLine(['--profile', 'cj'])).toBe(
      `--profile cj is not in ${FILE}; its profiles are ci, "at night"`,
    );
    expect(await rejectedLine(['--profile=ci', '--config=none.json'])).toBe(
      '--profile ci is not in none.json; it has no profiles',
    );
    for (const name of ['__proto__', 'constructor', 'toString'])
      expect(await rejectedLine([`--profile=${name}`])).toContain(`--profile ${name} is not in `);
    writeFiles('.', { [FILE]: '{ "profiles": { "__proto__": { "runs": 7 } } }' });
    expect(await rejectedLine(['--profile=__proto__'])).toContain('is not in ');
  });

  test.each([
    [['--config', ''], 'invalid --config "": expected the path of a file; '],
    [['--profile='], 'invalid --profile "": expected the name of a profile; '],
    [['--config', 'nope'], '--config nope cannot be read: no such file or directory (ENOENT); '],
    [['--config', '.'], '--config . cannot be read: it is not a regular file; '],
    [['--config', '-'], '--config - cannot be read: '],
    [['--config', 'package.json'], '--config package.json has no key "gobonnie"; '],
    [['--config', 'x.json', '--no-config'], '--no-config and --config x.json contradict each other; '],
    [['--no-config', '--profile', 'ci'], '--no-config and --profile ci contradict each other; '],
    [['--no-config=maybe'], '--no-config=maybe is neither true nor false; '],
    [['--confg', 'x'], 'unknown option --confg; did you mean --config?'],
  ])('%j', async (args, words) => {
    enterDirectory({ 'package.json': { name: 'x' }, 'x.json': {} });
    expect((await rejectedLine(args)).slice(0, words.length)).toBe(words);
  });

  test('a file of more than 1 MiB, even if it is valid', async () => {
    enterDirectory({ [FILE]: `{${' '.repeat(1024 ** 2)}}` });
    expect(await rejectedLine()).toBe(
      `${FILE} cannot be read: it is larger than 1 MiB; fix that, or pass --no-config`,
    );
    expect(await rejectedLine(['--config', FILE])).toMatch(
      /^--config gobonnie.config.json cannot be read: it is larger/,
    );
  });

  test('an invalid package.json with our key', async () => {
    enterDirectory({ 'package.json': '{ "gobonnie": { "size": } }' });
    expect(await rejectedLine()).toMatch(/^package.json is not JSON: Unexpected token '}', [^;]*; JSON has /);
  });
});
