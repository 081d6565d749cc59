import { chmodSync, chownSync, lchownSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { FAST_DIRECTORY, makeDirectory } from '../../support/disks/directory.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { type ProgramOptions, runGobonnie } from '../../support/programs/program.js';
import { NOBODY, requireNobody, requireTools } from '../../support/tools.js';
import { writeFiles } from './config-directory.js';

const FILE = 'gobonnie.config.json';
const ROOT = 0;
const NOBODY_ID = 65_534;
const OTHER_ID = 1234;
/** Root without capabilities, so file permissions apply. */
const BARE_ROOT = ['setpriv', '--bounding-set=-all', '--inh-caps=-all'];

const OTHER_OWNER = 'it belongs to another user';
const OPEN = 'everyone can write to it';
const GROUP = 'its group can write to it';
const FOREIGN_LINK = 'others can replace it';
const changeable = (directory: string) => `others can change ${directory}`;

/** Creates a config file that sets seven runs, in directories that everyone can enter. */
function createProject(): { readonly parent: string; readonly cwd: string; readonly file: string } {
  const parent = makeDirectory();
  const cwd = path.join(parent, 'project', 'sub');
  const file = path.join(parent, 'project', FILE);
  writeFiles(parent, { [`project/${FILE}`]: { runs: 7 } });
  mkdirSync(cwd);
  for (const directory of [parent, path.dirname(file), cwd]) chmodSync(directory, 0o755);
  chmodSync(file, 0o644);
  return { parent, cwd, file };
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
async function planRuns(cwd: string, args: readonly string[] = [], user: ProgramOptions | null = null) {
  const allArgs = ['--dry-run', '--json', '--dir', FAST_DIRECTORY, ...args];
  const { stdout, stderr, exitCode } = await (user
    ? runGobonnie(allArgs, { ...user, cwd })
    : inDirectory(cwd, () => runInProcess(allArgs)));
  return { runs: exitCode === 0 ? JSON.parse(stdout).options.runs : exitCode, stderr };
}

async function inDirectory<Result>(directory: string, action: () => Promise<Result>): Promise<Result> {
  const before = process.cwd();
  process.chdir(directory);
  try {
    return await action();
  } finally {
    process.chdir(before);
  }
}

const USED = { runs: 7, stderr: `gobonnie: options from ../${FILE}\n` };

function ignored(reason: string): object {
  const stderr = `gobonnie: ignoring ../${FILE}: ${reason}; pass --config ../${FILE} to use it anyway\n`;
  return { runs: 1, stderr };
}

describe('as root', () => {
  beforeEach(requireTools('root'));

  test.each<[string, (project: ReturnType<typeof createProject>) => void]>([
    ['an own file', () => {}],
    ['an own file below a directory like /tmp', ({ parent }) => chmodSync(parent, 0o1777)],
    ['an own read-only file', ({ file }) => chmodSync(file, 0o444)],
  ])('%s is used', async (_, prepare) => {
    const project = createProject();
    prepare(project);
    expect(await planRuns(project.cwd)).toEqual(USED);
  });

  test.each<[string, string, (project: ReturnType<typeof createProject>) => void]>([
    ['of another user', OTHER_OWNER, ({ file }) => chownSync(file, OTHER_ID, ROOT)],
    ['that everyone can write to', OPEN, ({ file }) => chmodSync(file, 0o666)],
    ['that everyone can write to, with the sticky bit', OPEN, ({ file }) => chmodSync(file, 0o1666)],
    ['that a group can write to', GROUP, ({ file }) => chmodSync(file, 0o664)],
    ['that is a link of another user', FOREIGN_LINK, ({ file }) => replaceByLink(file, OTHER_ID)],
  ])('a file %s is ignored, with a hint how to use it', async (_, reason, prepare) => {
    const project = createProject();
    prepare(project);
    expect(await planRuns(project.cwd)).toEqual(ignored(reason));
    expect(await planRuns(project.cwd, ['-q'])).toEqual({ runs: 1, stderr: '' });
    expect(await planRuns(project.cwd, ['--config', `../${FILE}`])).toEqual(USED);
  });

  test.each<[string, (directory: string) => void]>([
    ['that everyone can write to', (directory) => chmodSync(directory, 0o777)],
    ['that its group can write to', (directory) => chmodSync(directory, 0o775)],
    ['of another user', (directory) => chownSync(directory, OTHER_ID, ROOT)],
  ])(
    'a file in or below a directory %s is ignored, and the message names the directory',
    async (_, prepare) => {
      for (const depth of [1, 2]) {
        const { cwd, file } = createProject();
        const directory = depth === 1 ? path.dirname(file) : path.dirname(path.dirname(file));
        prepare(directory);
        expect(await planRuns(cwd)).toEqual(ignored(changeable(directory)));
        expect(await planRuns(cwd, ['--config', `../${FILE}`])).toEqual(USED);
      }
    },
  );

  test('the search continues after an ignored file', async () => {
    const { parent, cwd, file } = createProject();
    writeFiles(parent, { 'project/package.json': { gobonnie: { runs: 8 } } });
    chownSync(file, OTHER_ID, ROOT);
    const { runs, stderr } = await planRuns(cwd);
    expect(runs).toBe(8);
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(`^gobonnie: ignoring ../${FILE}: ${OTHER_OWNER}; `),
      'gobonnie: options from ../package.json',
      '',
    ]);
  });

  test('a profile of an ignored file is rejected with the reason', async () => {
    const { cwd, file } = createProject();
    chmodSync(file, 0o666);
    expect(await planRuns(cwd, ['--profile=ci'])).toEqual({
      runs: 2,
      stderr: `gobonnie: --profile ci is not read from ../${FILE}: ${OPEN}; pass --config ../${FILE} to use it anyway\n`,
    });
  });

  test.each<[string, boolean, unknown]>([
    ['with our key', true, { gobonnie: { runs: 9 } }],
    ['with our key and invalid values', true, { gobonnie: { runs: 'abc' } }],
    ['without our key', false, { dependencies: { gobonnie: '1' } }],
    ['that is invalid JSON', false, '{ "gobonnie": '],
    ['that is larger than 1 MiB', false, `{ "gobonnie": {}, "x": "${'x'.repeat(1024 ** 2)}" }`],
  ])('a package.json of another user %s is ignored with a message: %s', async (_, hasMessage, content) => {
    const { cwd } = createProject();
    writeFiles(cwd, { 'package.json': content });
    chownSync(path.join(cwd, 'package.json'), OTHER_ID, ROOT);
    const { runs, stderr } = await planRuns(cwd);
    expect(runs).toBe(7);
    expect(stderr.includes('gobonnie: ignoring package.json: ')).toBe(hasMessage);
  });

  test('an invalid file of another user is not an error', async () => {
    const { cwd, file } = createProject();
    writeFileSync(file, '{ "broken');
    chownSync(file, OTHER_ID, ROOT);
    expect(await planRuns(cwd)).toEqual(ignored(OTHER_OWNER));
  });
});

describe('as root without capabilities', () => {
  beforeEach(requireTools('root', 'setpriv'));

  test('an unreadable own config file is rejected, but an unreadable package.json is ignored', async () => {
    const { cwd, file } = createProject();
    chmodSync(file, 0);
    expect(await planRuns(cwd, [], { as: BARE_ROOT })).toEqual({
      runs: 2,
      stderr: `gobonnie: ../${FILE} cannot be read: permission denied (EACCES); fix that, or pass --no-config\n`,
    });
    chmodSync(file, 0o644);
    writeFiles(cwd, { 'package.json': { gobonnie: { runs: 9 } } });
    chmodSync(path.join(cwd, 'package.json'), 0);
    expect(await planRuns(cwd, [], { as: BARE_ROOT })).toEqual(USED);
  });
});

describe('as nobody', () => {
  beforeEach(requireNobody);

  test.each<[string, (file: string) => void]>([
    ['of root', () => {}],
    ['of nobody', (file) => chownSync(file, NOBODY_ID, ROOT)],
    ['that is a link of nobody', (file) => replaceByLink(file, NOBODY_ID)],
    ['of nobody that its own group can write to', (file) => setAccess(file, NOBODY_ID, NOBODY_ID, 0o664)],
    [
      'in a directory of nobody that its own group can write to',
      (file) => setAccess(path.dirname(file), NOBODY_ID, NOBODY_ID, 0o775),
    ],
  ])('a file %s is used', async (_, prepare) => {
    const { cwd, file } = createProject();
    prepare(file);
    expect(await planRuns(cwd, [], NOBODY)).toEqual(USED);
  });

  test.each<[string, string, (file: string) => void]>([
    ['of another user', OTHER_OWNER, (file) => chownSync(file, OTHER_ID, NOBODY_ID)],
    [
      'of nobody that a group of others can write to',
      GROUP,
      (file) => setAccess(file, NOBODY_ID, OTHER_ID, 0o664),
    ],
    ['of nobody that everyone can write to', OPEN, (file) => setAccess(file, NOBODY_ID, NOBODY_ID, 0o666)],
    ['of root that everyone can write to', OPEN, (file) => chmodSync(file, 0o646)],
    ['that is a link of another user', FOREIGN_LINK, (file) => replaceByLink(file, OTHER_ID)],
  ])('a file %s is ignored', async (_, reason, prepare) => {
    const { cwd, file } = createProject();
    prepare(file);
    expect(await planRuns(cwd, [], NOBODY)).toEqual(ignored(reason));
    expect(await planRuns(cwd, ['--config', `../${FILE}`], NOBODY)).toEqual(USED);
  });

  test("in a directory like /tmp, root's file is used and another user's file is ignored", async () => {
    const { parent, cwd, file } = createProject();
    chmodSync(parent, 0o1777);
    chmodSync(path.dirname(file), 0o1777);
    expect(await planRuns(cwd, [], NOBODY)).toEqual(USED);
    chownSync(file, OTHER_ID, OTHER_ID);
    expect(await planRuns(cwd, [], NOBODY)).toEqual(ignored(OTHER_OWNER));
  });
});
