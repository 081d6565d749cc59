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

describe('gobonnie rejects in one line, with the source,', () => {
  test.each<[string, unknown, string]>([
    [
      'text that is not JSON',
      '{\n  "size": 1,\n}',
      `${FILE} is not JSON: Expected double-quoted property name in JSON at position 15`,
    ],
    ['a list', [], `${FILE} is not an object; for example, { "size": 0.5, `],
    [
      'a step beside no step',
      { steps: ['read'], beside: ['write'] },
      `beside in ${FILE} is not an option; add it to its step: "steps": ["read+write"]`,
    ],
    ['an unknown key', { sise: 1 }, `sise in ${FILE} is not an option; did you mean "size"?`],
    [
      'a key that resembles no option',
      { __proto__x: 1 },
      `__proto__x in ${FILE} is not an option; see gobonnie --help`,
    ],
    [
      'an option that only flags and variables may set',
      { config: 'x' },
      `config in ${FILE} is not an option; `,
    ],
    ['a profile that is not an object', { profiles: { ci: 5 } }, `profiles.ci in ${FILE} is not an object; `],
    ['a $schema that is not text', { $schema: 5 }, `"$schema" in ${FILE} is not text; `],
    [
      'an unknown key in a profile',
      { profiles: { 'a b': { $schema: '' } } },
      `"profiles.a b.$schema" in ${FILE} is not an option; see gobonnie --help`,
    ],
    [
      'an invalid value in an unused profile',
      { profiles: { ci: { json: 'yes' } } },
      `invalid --json yes: expected true or false (profiles.ci.json in ${FILE}); `,
    ],
    [
      'control characters',
      '{ "cache": "\\u001b[2J\\u202e\u009b" }',
      `invalid --cache "\\u001b[2J\\u202e\\u009b": expected one of auto, drop, evict, keep (cache in ${FILE}); `,
    ],
    [
      'an invalid value in a list',
      { expect: ['write>=1MB/s', 5] },
      `invalid --expect "[ 'write>=1MB/s', 5 ]": expected a condition (expect in ${FILE}); for example, --expect `,
    ],
    [
      'a wrong setting of a step as text',
      { profiles: { ci: { steps: ['read', 'random,threads=four'] } } },
      `invalid --step random,threads=four (threads): expected a whole number from 1 to 1024 (profiles.ci.steps in ${FILE}); `,
    ],
    [
      'a wrong setting of a step as an object',
      { steps: [{ phase: 'read', ioSize: 'x' }] },
      `invalid --step "{\\"phase\\":\\"read\\",\\"ioSize\\":\\"x\\"}" (io-size): expected a whole number of bytes `,
    ],
    [
      'a size with a unit, quoted as written',
      { size: '500000G' },
      '--size 500000G (500000 GiB) does not fit in ',
    ],
  ])('%s', async (_, content, words) => {
    enterDirectory({ [FILE]: content });
    expect((await rejectedLine()).slice(0, words.length)).toBe(words);
  });

  test.each<[NodeJS.ProcessEnv, string]>([
    [
      { GOBONNIE_OUT: '["a.json"' },
      'invalid GOBONNIE_OUT: "[\\"a.json\\"" begins with [, but is not a JSON array; for example, ["report.json"]',
    ],
    [
      { GOBONNIE_EXPECT: '["write>=1B/s",]' },
      'invalid GOBONNIE_EXPECT: "[\\"write>=1B/s\\",]" begins with [, but is not a JSON array; for example, ["write>=200MB/s"]',
    ],
    [
      { GOBONNIE_CONFIG: 'nope.json' },
      'nope.json cannot be read: no such file or directory (ENOENT); pass a readable file with --config, or pass --no-config',
    ],
    [
      { GOBONNIE_PROFILE: 'ci' },
      '--profile ci needs a config file (GOBONNIE_PROFILE); create a gobonnie.config.json, ',
    ],
  ])('%j', async (env, words) => {
    enterDirectory({});
    expect((await rejectedLine([], env)).slice(0, words.length)).toBe(words);
  });

  test('contradicting options of two sources, with both sources', async () => {
    enterDirectory({ [FILE]: { fileSize: '1k', profiles: { ci: { format: 'bonnie' } } } });
    expect(await rejectedLine(['--file-min-size=2k'])).toMatch(
      new RegExp(`^--file-min-size 2k is more than --file-size 1k \\(fileSize in ${FILE}\\); `),
    );
    expect(await rejectedLine(['--profile=ci'], { GOBONNIE_PHASES: 'iops' })).toMatch(
      new RegExp(
        `^--format bonnie shows none of --phases iops \\(profiles.ci.format in ${FILE}, GOBONNIE_PHASES\\); `,
      ),
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
    writeFiles('.', { [FILE]: '{ "profiles": { "__proto__": { "runs": 7 } } }' });
    expect(await rejectedLine(['--profile=__proto__'])).toContain('is not in ');
  });

  test.each([
    [['--config', ''], '"" cannot be read: '],
    [['--config', '.'], '. cannot be read: it is not a regular file; '],
    [['--config', 'package.json'], '--config package.json has no key "gobonnie"; '],
    [['--config', 'x.json', '--no-config'], '--no-config and --config x.json contradict each other; '],
    [['--no-config', '--profile', 'ci'], '--no-config and --profile ci contradict each other; '],
  ])('%j', async (args, words) => {
    enterDirectory({ 'package.json': { name: 'x' }, 'x.json': {} });
    expect((await rejectedLine(args)).slice(0, words.length)).toBe(words);
  });

  test('a file of more than 1 MiB, even if it is valid', async () => {
    enterDirectory({ [FILE]: `{${' '.repeat(1024 ** 2)}}` });
    expect(await rejectedLine()).toBe(
      `${FILE} cannot be read: it is larger than 1 MiB; pass a readable file with --config, or pass --no-config`,
    );
  });

  test('an invalid package.json with our key', async () => {
    enterDirectory({ 'package.json': '{ "gobonnie": { "size": } }' });
    expect(await rejectedLine()).toMatch(/^package.json is not JSON: Unexpected token '}', [^;]*; JSON has /);
  });
});
