import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { makeDirectory } from '../../support/disks/directory.js';
import { testOnLinux } from '../../support/linux.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { SMALL_FLAGS, SMALL_OPTIONS } from '../../support/programs/small-run.js';
import { writeFiles } from './config-directory.js';

const FILE = 'gobonnie.config.json';
const PLAN = ['--dry-run', '--json'];

function directoryWith(files: Readonly<Record<string, unknown>>): string {
  const directory = makeDirectory();
  writeFiles(directory, files);
  return directory;
}

async function run(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const before = process.cwd();
  vi.stubEnv('TMPDIR', cwd);
  process.chdir(cwd);
  try {
    return await runInProcess(args, { env: { ...process.env, ...env } });
  } finally {
    process.chdir(before);
  }
}

/** Returns the options of the plan, and stderr. */
async function planOptions(cwd: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const { stdout, stderr, exitCode } = await run(cwd, [...PLAN, ...args], env);
  expect({ stderr, exitCode }).toEqual({ stderr: expect.any(String), exitCode: 0 });
  return { options: JSON.parse(stdout).options, stderr };
}

describe('precedence', () => {
  test('of each option is flag, variable, profile, file', async () => {
    const cwd = directoryWith({
      [FILE]: {
        size: 0.01,
        runs: 2,
        threads: 2,
        label: 'file',
        profiles: { ci: { size: 0.02, runs: 3, threads: 3 } },
      },
    });
    const env = { GOBONNIE_SIZE: '0.03', GOBONNIE_RUNS: '4' };
    const { options } = await planOptions(cwd, ['--size', '0.04', '--profile', 'ci'], env);
    expect(options).toMatchObject({ size: 0.04, runs: 4, threads: 3, label: 'file' });
    expect((await planOptions(cwd, ['--profile=ci'])).options).toMatchObject({ size: 0.02, runs: 3 });
    expect((await planOptions(cwd)).options).toMatchObject({ size: 0.01, runs: 2, threads: 2 });
  });

  test('applies to whole lists, which are not merged', async () => {
    const cwd = directoryWith({ [FILE]: { ...SMALL_OPTIONS, out: ['a.json', 'b.json'], phases: ['write'] } });
    await run(cwd, [], { GOBONNIE_OUT: '["c.json","d.json"]' });
    await run(cwd, ['--out', 'e.json'], { GOBONNIE_OUT: 'f.json' });
    const existing = [...'abcdef'].filter((name) => existsSync(path.join(cwd, `${name}.json`)));
    expect(existing).toEqual(['c', 'd', 'e']);
  });
});

test('paths in a file are relative to the file, in variables and flags to the working directory', async () => {
  const cwd = directoryWith({
    [FILE]: {
      ...SMALL_OPTIONS,
      dir: 'disk',
      out: 'reports/file.json',
      profiles: { b: { baseline: 'reports/file.json' } },
    },
    'reports/x': '',
    'disk/x': '',
    'sub/disk/x': '',
  });
  const sub = path.join(cwd, 'sub');
  const file = ['--config', `../${FILE}`];
  expect((await planOptions(sub, file)).options.dir).toBe(path.join(cwd, 'disk'));
  expect((await planOptions(sub, file, { GOBONNIE_DIR: 'disk' })).options.dir).toBe('disk');
  expect((await planOptions(sub, [...file, '--dir=disk'])).options.dir).toBe('disk');

  expect((await run(sub, file)).exitCode).toBe(0);
  const report = JSON.parse(readFileSync(path.join(cwd, 'reports/file.json'), 'utf8'));
  expect(report.target.directory).toBe(path.join(cwd, 'disk'));
  const { stderr } = await run(sub, [...file, '--profile=b', '--force', '--dry-run', '--no-config=false']);
  expect(stderr).toBe(`gobonnie: options from ../${FILE}, its profile b\n`);
  await run(sub, file, { GOBONNIE_OUT: 'variable.json' });
  expect(existsSync(path.join(sub, 'variable.json'))).toBe(true);
});

describe('stderr names', () => {
  test('the file, the profile and the variables in effect with -v and --dry-run', async () => {
    const cwd = directoryWith({ [FILE]: { ...SMALL_OPTIONS, profiles: { 'my ci': { runs: 1 } } } });
    const env = { GOBONNIE_SEED: '1', GOBONNIE_SIZE: '0.02', GOBONNIE_PROFILE: 'my ci' };
    const line = `gobonnie: options from ${FILE}, its profile "my ci", GOBONNIE_SEED\n`;
    const dry = await run(cwd, ['--dry-run', '--size=0.01'], env);
    expect(dry.stderr).toBe(line);
    expect(dry.stdout).toMatch(/^Would measure in /);
    const verbose = await run(cwd, ['-v', '--size=0.01'], env);
    expect(verbose.stderr.startsWith(line)).toBe(true);
    expect((await run(cwd, ['--dry-run', '-q'], env)).stderr).toBe('');
    expect((await run(cwd, ['--size=0.01'], env)).stderr).not.toContain('options from');
  });

  test('an unknown variable, which has no effect, and the most similar variable', async () => {
    const env = {
      GOBONNIE_SISE: '0.02',
      GOBONNIE_IOPSDURATION: 'much',
      'GOBONNIE_\u001b[31m': '1',
      GOBONNIE_DEBUG: '',
      GOBONNIE_: 'x',
    };
    const { stderr, options } = await planOptions(makeDirectory(), ['--size=0.01'], env);
    expect(options.size).toBe(0.01);
    expect(stderr.split('\n').toSorted()).toEqual(
      [
        'gobonnie: ignoring unknown variable GOBONNIE_SISE; did you mean GOBONNIE_SIZE?',
        'gobonnie: ignoring unknown variable GOBONNIE_IOPSDURATION; did you mean GOBONNIE_IOPS_DURATION?',
        'gobonnie: ignoring unknown variable "GOBONNIE_\\u001b[31m"; --io-size is GOBONNIE_IO_SIZE',
        'gobonnie: ignoring unknown variable GOBONNIE_; --io-size is GOBONNIE_IO_SIZE',
        '',
      ].toSorted(),
    );
  });

  test('no empty variable, because it counts as unset', async () => {
    const cwd = directoryWith({ [FILE]: { runs: 7 } });
    const env = { GOBONNIE_RUNS: '', GOBONNIE_PROFILE: '', GOBONNIE_DIRECT: '', GOBONNIE_OUT: '' };
    const { options, stderr } = await planOptions(cwd, [], env);
    expect(options.runs).toBe(7);
    expect(stderr).toBe(`gobonnie: options from ${FILE}\n`);
  });
});

testOnLinux('gobonnie works in a working directory that was removed', async () => {
  const removedDirectory = makeDirectory();
  const script = `rmdir "$PWD" && exec "$@"`;
  const args = [
    '-c',
    script,
    'sh',
    process.execPath,
    path.resolve('bin/gobonnie.cjs'),
    ...PLAN,
    '--dir',
    makeDirectory(),
  ];
  const stdout = execFileSync('sh', [...args, ...SMALL_FLAGS], { cwd: removedDirectory, encoding: 'utf8' });
  expect(JSON.parse(stdout).options.size).toBe(0.01);
});
