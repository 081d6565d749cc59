import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { runInProcess } from '../../support/programs/in-process.js';
import { enterDirectory } from './config-directory.js';

const FILE = 'gobonnie.config.json';
const USER_ID = 1000;

/** Root uses no file of a parent directory. */
function pretendNotRoot(): void {
  if (process.geteuid?.() !== 0) return;
  const user = vi.spyOn(process as Required<NodeJS.Process>, 'geteuid').mockReturnValue(USER_ID);
  onTestFinished(() => user.mockRestore());
}

/** Returns the planned number of runs: 1 unless a source sets another. */
async function runsWith(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<number> {
  const { stdout, stderr } = await runInProcess(['--dry-run', '--json', ...args], { env });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout).options.runs;
}

describe('the search finds', () => {
  beforeEach(pretendNotRoot);

  test('the nearest file in this directory or a parent, and a package.json only if it has our key', async () => {
    const files = {
      [FILE]: { runs: 7 },
      'a/package.json': { name: 'a', gobonnie: { runs: 8 } },
      'a/b/package.json': { name: 'b', dependencies: { gobonnie: '1' } },
      'a/b/c/x': '',
    };
    enterDirectory(files, 'a/b/c');
    expect(await runInProcess(['--dry-run'])).toMatchObject({
      stdout: expect.stringContaining(' 8 runs:'),
      stderr: 'gobonnie: options from ../../package.json\n',
    });
    process.chdir('../../..');
    expect(await runsWith()).toBe(7);
  });

  test('gobonnie.config.json before a package.json in the same directory', async () => {
    enterDirectory({ [FILE]: { size: 0.01 }, 'package.json': { gobonnie: { runs: 7 } } });
    expect(await runsWith()).toBe(1);
  });

  test('a link of this user to a file that begins with a byte order mark', async () => {
    enterDirectory({ 'real.json': '\uFEFF{ "runs": 7, "$schema": "./schema.json" }' });
    symlinkSync('real.json', FILE);
    expect(await runsWith()).toBe(7);
  });
});

test('--config and GOBONNIE_CONFIG are relative to the working directory, and the flag wins', async () => {
  enterDirectory({
    [FILE]: { runs: 7 },
    'other/my.json': { runs: 8 },
    'other/package.json': { gobonnie: { runs: 9 } },
  });
  const env = { GOBONNIE_CONFIG: 'other/package.json' };
  expect(await runsWith([], env)).toBe(9);
  expect(await runsWith(['--config', 'other/my.json'])).toBe(8);
  expect(await runsWith(['--config=other/my.json'], env)).toBe(8);
});

test('--no-config and GOBONNIE_NO_CONFIG disable config files, and a flag wins over the variable', async () => {
  enterDirectory({ [FILE]: { runs: 7, profiles: { ci: { runs: 8 } } } });
  const env = { GOBONNIE_NO_CONFIG: '1' };
  expect(await runsWith(['--no-config'])).toBe(1);
  expect(await runsWith([], env)).toBe(1);
  expect(await runsWith(['--no-config=false'], env)).toBe(7);
  expect(await runsWith(['--no-config=false', '--profile=ci'], env)).toBe(8);
});

describe('the search ignores', () => {
  beforeEach(pretendNotRoot);

  test.each<[string, (file: string) => unknown]>([
    ['a directory of that name', (file) => mkdirSync(file)],
    ['a link to nothing', (file) => symlinkSync('nowhere', file)],
    ['a link to itself', (file) => symlinkSync(file, file)],
    ['a link to a device', (file) => symlinkSync('/dev/zero', file)],
    ['a FIFO', (file) => execFileSync('mkfifo', [file])],
  ])('%s', async (_, create) => {
    enterDirectory({ [FILE]: { runs: 7 }, 'sub/x': '' }, 'sub');
    create(FILE);
    create('package.json');
    expect(await runsWith()).toBe(7);
  });

  test.each<[string, unknown]>([
    ['invalid and without our key', '{ "name": '],
    ["gobonnie's own", { name: 'gobonnie', bin: { gobonnie: 'x' } }],
  ])('a package.json that is %s', async (_, content) => {
    enterDirectory({ [FILE]: { runs: 7 }, 'sub/package.json': content }, 'sub');
    expect(await runsWith()).toBe(7);
  });
});

describe('config files have no effect on', () => {
  const FILES = { [FILE]: '{ "broken', 'before.json': {} };
  const ENV = { GOBONNIE_SIZE: 'abc', GOBONNIE_JSON: 'maybe', GOBONNIE_CONFIG: 'nope', GOBONNIE_NOPE: '1' };

  test.each([
    ['--help'],
    ['--version'],
    ['bonniego --dry-run'],
    ['clean --dry-run .'],
    ['bonnie -s 1 -S 10 -p 1'],
  ])('gobonnie %s', async (line) => {
    enterDirectory(FILES);
    const { stderr, exitCode } = await runInProcess(line.split(' '), { env: ENV });
    expect(exitCode).toBe(0);
    expect(stderr).not.toMatch(/GOBONNIE_|config\.json|nope/);
  });

  test('an ancestor, which does not have these flags', async () => {
    const { stderr, exitCode } = await runInProcess(['bonniego', '--profile', 'ci']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^gobonnie: bonniego has no --profile; /);
    expect((await runInProcess(['bonniego', '--help'])).stdout).not.toMatch(/--config|--profile/);
  });
});

describe('gobonnie ab', () => {
  const FILES = {
    [FILE]: {
      ...{ size: 0.01, threads: 3, runs: 7, sharedFile: true },
      ...{ format: 'bonnie', out: 'x.csv', dir: 'x', expect: 'write>1' },
    },
  };

  test('reads only its own options from a config file, not output options and not those of a job', async () => {
    enterDirectory(FILES);
    const env = { GOBONNIE_THREADS: '2', GOBONNIE_FORMAT: 'bonnie++', GOBONNIE_DRY_RUN: '1' };
    const { stdout, stderr, exitCode } = await runInProcess(['ab', '.', '.'], { env });
    expect({ stderr, exitCode }).toEqual({
      stderr: `gobonnie: options from ${FILE}, GOBONNIE_THREADS, GOBONNIE_DRY_RUN\n`,
      exitCode: 0,
    });
    expect(stdout.match(/ threads: 2,/g)).toHaveLength(2);
    expect(stdout.match(/ steps, 7 runs:/g)).toHaveLength(2);
    expect(stdout.match(/, one file each:/g)).toHaveLength(2);
  });

  test("turns off the config file's switch with a flag in Go's syntax", async () => {
    enterDirectory({ [FILE]: { size: 0.01, dryRun: true, verify: true } });
    const { stdout } = await runInProcess(['ab', '.', '-verify=false', '.', '--json']);
    expect(
      stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line).options.verify),
    ).toEqual([false, false]);
  });

  test('rejects an impossible value of the file', async () => {
    enterDirectory({ [FILE]: { size: 500000 } });
    const { stderr, exitCode } = await runInProcess(['ab', '.', '.']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(`gobonnie: --size 500000 (500000 GiB) does not fit in `);
  });
});
