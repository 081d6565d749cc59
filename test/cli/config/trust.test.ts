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
/** Root without the right to read and change the files of others. */
const BARE_ROOT = ['setpriv', '--bounding-set=-all', '--inh-caps=-all'];

const NOT_OWN = 'it belongs to another user';
const OPEN = 'everyone can write to it';
const GROUP = 'its group can write to it';
const FOREIGN_LINK = 'others can replace it';
const changeable = (directory: string) => `others can change ${directory}`;

/** A config file that sets seven runs, in a directory below one that everybody may enter. */
function place(): { readonly above: string; readonly cwd: string; readonly file: string } {
  const above = makeDirectory();
  const cwd = path.join(above, 'project', 'sub');
  const file = path.join(above, 'project', FILE);
  writeFiles(above, { [`project/${FILE}`]: { runs: 7 } });
  mkdirSync(cwd);
  for (const directory of [above, path.dirname(file), cwd]) chmodSync(directory, 0o755);
  chmodSync(file, 0o644);
  return { above, cwd, file };
}

/** Renames the file and makes a link of this user in its place. */
function replaceByLink(file: string, user: number): void {
  renameSync(file, `${file}.real`);
  symlinkSync(`${path.basename(file)}.real`, file);
  lchownSync(file, user, user);
}

function own(file: string, user: number, group: number, mode: number): void {
  chownSync(file, user, group);
  chmodSync(file, mode);
}

/** The number of runs planned, or the exit code, and stderr. Another user has a process of his own. */
async function planned(cwd: string, args: readonly string[] = [], user: ProgramOptions | null = null) {
  const whole = ['--dry-run', '--json', '--dir', FAST_DIRECTORY, ...args];
  const { stdout, stderr, exitCode } = await (user
    ? runGobonnie(whole, { ...user, cwd })
    : inDirectory(cwd, () => runInProcess(whole)));
  return { runs: exitCode === 0 ? JSON.parse(stdout).options.runs : exitCode, stderr };
}

async function inDirectory<Result>(directory: string, act: () => Promise<Result>): Promise<Result> {
  const before = process.cwd();
  process.chdir(directory);
  try {
    return await act();
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

  test.each<[string, (at: ReturnType<typeof place>) => void]>([
    ['its own', () => {}],
    ['its own and in a directory like /tmp', ({ above }) => chmodSync(above, 0o1777)],
    ['a read-only one', ({ file }) => chmodSync(file, 0o444)],
  ])('%s is used', async (_, prepare) => {
    const at = place();
    prepare(at);
    expect(await planned(at.cwd)).toEqual(USED);
  });

  test.each<[string, string, (at: ReturnType<typeof place>) => void]>([
    ['of another user', NOT_OWN, ({ file }) => chownSync(file, OTHER_ID, ROOT)],
    ['that everybody may write to', OPEN, ({ file }) => chmodSync(file, 0o666)],
    ['that everybody may write to, with the sticky bit', OPEN, ({ file }) => chmodSync(file, 0o1666)],
    ['that a group may write to', GROUP, ({ file }) => chmodSync(file, 0o664)],
    ['that is a link of another user', FOREIGN_LINK, ({ file }) => replaceByLink(file, OTHER_ID)],
  ])('a file %s is ignored, and the line says how to use it', async (_, reason, prepare) => {
    const at = place();
    prepare(at);
    expect(await planned(at.cwd)).toEqual(ignored(reason));
    expect(await planned(at.cwd, ['-q'])).toEqual({ runs: 1, stderr: '' });
    expect(await planned(at.cwd, ['--config', `../${FILE}`])).toEqual(USED);
  });

  test.each<[string, (directory: string) => void]>([
    ['that everybody may write to', (directory) => chmodSync(directory, 0o777)],
    ['that its group may write to', (directory) => chmodSync(directory, 0o775)],
    ['of another user', (directory) => chownSync(directory, OTHER_ID, ROOT)],
  ])(
    'one in a directory %s, or below it, is ignored, and the line names the directory',
    async (_, prepare) => {
      for (const depth of [1, 2]) {
        const { cwd, file } = place();
        const directory = depth === 1 ? path.dirname(file) : path.dirname(path.dirname(file));
        prepare(directory);
        expect(await planned(cwd)).toEqual(ignored(changeable(directory)));
        expect(await planned(cwd, ['--config', `../${FILE}`])).toEqual(USED);
      }
    },
  );

  test('the search continues after an ignored file', async () => {
    const { above, cwd, file } = place();
    writeFiles(above, { 'project/package.json': { gobonnie: { runs: 8 } } });
    chownSync(file, OTHER_ID, ROOT);
    const { runs, stderr } = await planned(cwd);
    expect(runs).toBe(8);
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(`^gobonnie: ignoring ../${FILE}: ${NOT_OWN}; `),
      'gobonnie: options from ../package.json',
      '',
    ]);
  });

  test('a profile of an ignored file is refused with the reason', async () => {
    const { cwd, file } = place();
    chmodSync(file, 0o666);
    expect(await planned(cwd, ['--profile=ci'])).toEqual({
      runs: 2,
      stderr: `gobonnie: --profile ci is not looked up in ../${FILE}: ${OPEN}; pass --config ../${FILE} to use it anyway\n`,
    });
  });

  test.each<[string, boolean, unknown]>([
    ['with the key', true, { gobonnie: { runs: 9 } }],
    ['with the key and wrong values', true, { gobonnie: { runs: 'abc' } }],
    ['without it', false, { dependencies: { gobonnie: '1' } }],
    ['that is broken', false, '{ "gobonnie": '],
    ['that is larger than 1 MiB', false, `{ "gobonnie": {}, "x": "${'x'.repeat(1024 ** 2)}" }`],
  ])('a package.json of another user %s gets a message: %s', async (_, isTold, content) => {
    const { cwd } = place();
    writeFiles(cwd, { 'package.json': content });
    chownSync(path.join(cwd, 'package.json'), OTHER_ID, ROOT);
    const { runs, stderr } = await planned(cwd);
    expect(runs).toBe(7);
    expect(stderr.includes('gobonnie: ignoring package.json: ')).toBe(isTold);
  });

  test('a broken file of another user is not an error', async () => {
    const { cwd, file } = place();
    writeFileSync(file, '{ "broken');
    chownSync(file, OTHER_ID, ROOT);
    expect(await planned(cwd)).toEqual(ignored(NOT_OWN));
  });
});

describe('as root without its rights', () => {
  beforeEach(requireTools('root', 'setpriv'));

  test('an own file that cannot be read is refused, and a package.json is ignored', async () => {
    const { cwd, file } = place();
    chmodSync(file, 0);
    expect(await planned(cwd, [], { as: BARE_ROOT })).toEqual({
      runs: 2,
      stderr: `gobonnie: ../${FILE} cannot be read: permission denied (EACCES); fix that, or pass --no-config\n`,
    });
    chmodSync(file, 0o644);
    writeFiles(cwd, { 'package.json': { gobonnie: { runs: 9 } } });
    chmodSync(path.join(cwd, 'package.json'), 0);
    expect(await planned(cwd, [], { as: BARE_ROOT })).toEqual(USED);
  });
});

describe('as nobody', () => {
  beforeEach(requireNobody);

  test.each<[string, (file: string) => void]>([
    ['of root', () => {}],
    ['of nobody', (file) => chownSync(file, NOBODY_ID, ROOT)],
    ['that is a link of nobody', (file) => replaceByLink(file, NOBODY_ID)],
    ['of nobody and a group that may write to it', (file) => own(file, NOBODY_ID, NOBODY_ID, 0o664)],
    [
      'in a directory of nobody and a group that may write to it',
      (file) => own(path.dirname(file), NOBODY_ID, NOBODY_ID, 0o775),
    ],
  ])('a file %s is used', async (_, prepare) => {
    const { cwd, file } = place();
    prepare(file);
    expect(await planned(cwd, [], NOBODY)).toEqual(USED);
  });

  test.each<[string, string, (file: string) => void]>([
    ['of another user', NOT_OWN, (file) => chownSync(file, OTHER_ID, NOBODY_ID)],
    [
      'of nobody and a group of others that may write to it',
      GROUP,
      (file) => own(file, NOBODY_ID, OTHER_ID, 0o664),
    ],
    ['of nobody that everybody may write to', OPEN, (file) => own(file, NOBODY_ID, NOBODY_ID, 0o666)],
    ['of root that everybody may write to', OPEN, (file) => chmodSync(file, 0o646)],
    ['that is a link of another user', FOREIGN_LINK, (file) => replaceByLink(file, OTHER_ID)],
  ])('a file %s is ignored', async (_, reason, prepare) => {
    const { cwd, file } = place();
    prepare(file);
    expect(await planned(cwd, [], NOBODY)).toEqual(ignored(reason));
    expect(await planned(cwd, ['--config', `../${FILE}`], NOBODY)).toEqual(USED);
  });

  test('in a directory that everybody may write to, like /tmp, a file of root is used, and one of another user is not', async () => {
    const { above, cwd, file } = place();
    chmodSync(above, 0o1777);
    chmodSync(path.dirname(file), 0o1777);
    expect(await planned(cwd, [], NOBODY)).toEqual(USED);
    chownSync(file, OTHER_ID, OTHER_ID);
    expect(await planned(cwd, [], NOBODY)).toEqual(ignored(NOT_OWN));
  });
});
