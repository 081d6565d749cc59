import { chmodSync, chownSync, lchownSync, renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { FAST_DIRECTORY } from '../../support/disks/directory.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { type ProgramOptions, runGobonnie } from '../../support/programs/program.js';
import { NOBODY, requireNobody, requireTools } from '../../support/tools.js';
import { enterDirectory } from './config-directory.js';

const FILE = 'gobonnie.config.json';
const ROOT = 0;
const NOBODY_ID = 65_534;
const OTHER_ID = 1234;

/** Enters a directory with a config file that sets seven runs, and returns the file. Everyone can enter the directory. */
function enterProject(): string {
  const directory = enterDirectory({ [FILE]: { runs: 7 }, 'sub/x': '' });
  chmodSync(directory, 0o755);
  const file = path.join(directory, FILE);
  chmodSync(file, 0o644);
  return file;
}

/** Renames the file and replaces it with a link that belongs to `user`. */
function replaceByLink(file: string, user: number): void {
  renameSync(file, `${file}.real`);
  symlinkSync(`${path.basename(file)}.real`, file);
  lchownSync(file, user, user);
}

function setAccess(file: string, user: number, group: number, mode: number): void {
  chownSync(file, user, group);
  chmodSync(file, mode);
}

/** Returns the planned number of runs or the exit code, and stderr. Runs the real program for another user. */
async function planRuns(args: readonly string[] = [], user: ProgramOptions | null = null) {
  const allArgs = ['--dry-run', '--json', '--dir', FAST_DIRECTORY, ...args];
  const { stdout, stderr, exitCode } = user
    ? await runGobonnie(allArgs, { ...user, cwd: process.cwd() })
    : await runInProcess(allArgs);
  return { runs: exitCode === 0 ? JSON.parse(stdout).options.runs : exitCode, stderr };
}

const USED = { runs: 7, stderr: `gobonnie: options from ${FILE}\n` };
const IGNORED = {
  runs: 1,
  stderr: `gobonnie: ignoring ${FILE}: other users may have written it; pass --config ${FILE} to use it anyway\n`,
};

describe('as root', () => {
  beforeEach(requireTools('root'));

  test.each<[string, (file: string) => void]>([
    ['of root', () => {}],
    ['in a directory like /tmp', (file) => chmodSync(path.dirname(file), 0o1777)],
  ])('a file %s is used', async (_, prepare) => {
    prepare(enterProject());
    expect(await planRuns()).toEqual(USED);
  });

  test.each<[string, (file: string) => void]>([
    ['of another user', (file) => chownSync(file, OTHER_ID, ROOT)],
    ['that everyone can write to', (file) => chmodSync(file, 0o1646)],
    ['that a group can write to', (file) => chmodSync(file, 0o664)],
    ['that is a link of another user', (file) => replaceByLink(file, OTHER_ID)],
    ['in a directory that everyone can write to', (file) => chmodSync(path.dirname(file), 0o777)],
    ['in a directory of another user', (file) => chownSync(path.dirname(file), OTHER_ID, ROOT)],
  ])('a file %s is ignored unless --config names it', async (_, prepare) => {
    prepare(enterProject());
    expect(await planRuns()).toEqual(IGNORED);
    expect(await planRuns(['-q'])).toEqual({ runs: 1, stderr: '' });
    expect(await planRuns(['--config', FILE])).toEqual(USED);
  });

  test('a file in a parent directory is ignored, even if it belongs to root', async () => {
    enterProject();
    process.chdir('sub');
    expect(await planRuns()).toEqual({ runs: 1, stderr: IGNORED.stderr.replaceAll(FILE, `../${FILE}`) });
  });

  test('a profile of an ignored file is rejected with the reason', async () => {
    chmodSync(enterProject(), 0o666);
    expect(await planRuns(['--profile=ci'])).toEqual({
      runs: 2,
      stderr: `gobonnie: --profile ci needs a config file; pass --config ${FILE}, which other users may have written\n`,
    });
  });

  test.each<[string, boolean, unknown]>([
    ['with our key', true, { gobonnie: { runs: 'abc' } }],
    ['without our key', false, { dependencies: { gobonnie: '1' } }],
    ['that is invalid JSON', false, '{ "gobonnie": '],
  ])('a package.json of another user %s is ignored, with a message: %s', async (_, hasMessage, content) => {
    const directory = enterDirectory({ 'package.json': content });
    chownSync(path.join(directory, 'package.json'), OTHER_ID, ROOT);
    const { runs, stderr } = await planRuns();
    expect(runs).toBe(1);
    expect(stderr.includes('gobonnie: ignoring package.json: ')).toBe(hasMessage);
  });
});

describe('as nobody', () => {
  beforeEach(requireNobody);

  test.each<[string, object, (file: string) => void]>([
    ['of root', USED, () => {}],
    ['of nobody, with its own group', USED, (file) => setAccess(file, NOBODY_ID, NOBODY_ID, 0o664)],
    ['of another user', IGNORED, (file) => chownSync(file, OTHER_ID, NOBODY_ID)],
    ['of nobody, with another group', IGNORED, (file) => setAccess(file, NOBODY_ID, OTHER_ID, 0o664)],
  ])('a file %s gives %j', async (_, result, prepare) => {
    prepare(enterProject());
    expect(await planRuns([], NOBODY)).toEqual(result);
  });
});
