import {
  chownSync,
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { type OptionsInput, type Report, type RunEvent, run } from 'gobonnie';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { MARKER_NAME } from '../../src/scratch/marker.js';
import { createOwnFile } from '../../src/scratch/own-files.js';
import { findScratch, makeDirectory, makePublicDirectory } from '../support/disks/directory.js';
import { startGobonnieForTest } from '../support/programs/running-program.js';
import { SMALL_FLAGS, SMALL_OPTIONS } from '../support/programs/small-run.js';
import { requireTools } from '../support/tools.js';

type Moment = RunEvent['type'];

/** Starts a small run in `dir` that calls `act` at the first event of this type. */
function runWhile(
  dir: string,
  moment: Moment,
  act: (scratch: string) => void,
  more: OptionsInput = {},
): Promise<Report> {
  const options: OptionsInput = { dir, ...SMALL_OPTIONS, ...more };
  let waiting = true;
  const onEvent = ({ type }: RunEvent) => {
    if (!waiting || type !== moment) return;
    waiting = false;
    act(findScratch(dir) ?? 'no scratch directory');
  };
  return run(options, { onEvent });
}

/** Makes a directory whose path has this many characters. */
function makeLongDirectory(length: number): string {
  let directory = makeDirectory();
  for (let left = length - directory.length; left > 0; left = length - directory.length)
    directory += `/${'x'.repeat(left > 200 ? 100 : left - 1)}`;
  mkdirSync(directory, { recursive: true });
  return directory;
}

function readMode(file: string): string {
  return (statSync(file).mode & 0o7777).toString(8);
}

test('only this user has access to the scratch directory, its files and its small files', async () => {
  const directories = new Set<string>();
  const files = new Set<string>();
  const inspect = (scratch: string) => {
    for (const name of ['', ...readdirSync(scratch, { recursive: true, encoding: 'utf8' })]) {
      const file = path.join(scratch, name);
      (lstatSync(file).isDirectory() ? directories : files).add(readMode(file));
    }
  };
  await runWhile(makeDirectory(), 'run-end', inspect, { phases: ['create', 'write'], files: 10 });
  expect([[...directories], [...files]]).toEqual([['700'], ['600']]);
});

test('each run has new files, which are empty at its start', async () => {
  const dir = makeDirectory();
  const seen: [string, number, number][] = [];
  const onEvent = (event: RunEvent) => {
    if (event.type !== 'step-start' || event.step !== 'write') return;
    const file = path.join(findScratch(dir) ?? '', 'bonnie.0');
    const { size, ino } = statSync(file);
    seen.push([path.basename(file), size, ino]);
    // Keep it open, so its inode number is not reused.
    const fd = openSync(file, 'r');
    onTestFinished(() => closeSync(fd));
  };
  await run({ dir, ...SMALL_OPTIONS, runs: 2 }, { onEvent });
  expect(seen.map(([name, size]) => [name, size])).toEqual([
    ['bonnie.0', 0],
    ['bonnie.0', 0],
  ]);
  expect(new Set(seen.map(([, , ino]) => ino)).size).toBe(2);
});

describe('--dir', () => {
  test.each([
    ['the small files', 4063],
    ['any file', 4072],
  ])('a directory whose path is too long for %s remains empty', async (_, length) => {
    const dir = makeLongDirectory(length);
    const { outcome } = await run({ dir, ...SMALL_OPTIONS, files: 10, phases: ['write', 'create'] });
    expect(outcome).toMatchObject({
      state: 'failed',
      message: expect.stringMatching(/^(?!.*could not be removed).*name too long \(ENAMETOOLONG\)/),
    });
    expect(readdirSync(dir)).toEqual([]);
  });

  test('an existing directory is kept even if it is empty', async () => {
    const dir = makeDirectory();
    mkdirSync(path.join(dir, 'empty'));
    const { outcome } = await run({ dir: path.join(dir, 'empty'), ...SMALL_OPTIONS });
    expect(outcome.state).toBe('completed');
    expect(readdirSync(dir, { recursive: true })).toEqual(['empty']);
  });

  test('--dir can be a link to a directory, and it remains a link', async () => {
    const dir = makeDirectory();
    mkdirSync(path.join(dir, 'real'));
    symlinkSync('real', path.join(dir, 'link'));
    const { outcome } = await run({ dir: path.join(dir, 'link'), ...SMALL_OPTIONS });
    expect(outcome.state).toBe('completed');
    expect(readlinkSync(path.join(dir, 'link'))).toBe('real');
    expect(readdirSync(path.join(dir, 'real'))).toEqual([]);
  });
});

/** Stops the program after each mkdir. strace is the child, so signals go to the program. */
const STOPPED = 'strace -D -f -qqq -o /dev/null -e trace=/^mkdir -e inject=/^mkdir:signal=SIGSTOP'.split(' ');

test.for<[string, (other: string) => void]>([
  ['if it belongs to another user', (other) => chownSync(other, 65_534, 65_534)],
  ['if it is not empty', (other) => writeFileSync(path.join(other, 'theirs'), 'theirs')],
  [
    'if it is a link',
    (other) => {
      renameSync(other, `${other}.real`);
      symlinkSync(`${other}.real`, other);
    },
  ],
])(
  'gobonnie does not use another directory that replaces the new scratch directory %s',
  async ([_, change], context) => {
    requireTools('root', 'strace')(context);
    const dir = makePublicDirectory();
    const other = path.join(dir, 'other');
    mkdirSync(other, { mode: 0o700 });
    change(other);
    const program = startGobonnieForTest(['--dir', dir, ...SMALL_FLAGS], { as: STOPPED });
    const scratch = await vi.waitUntil(() => findScratch(dir), 100_000);
    renameSync(scratch, path.join(dir, 'aside'));
    renameSync(other, scratch);
    program.kill('SIGCONT');
    const { stderr, exitCode } = await program.exitResult;
    expect(stderr).toMatch(/^gobonnie: .*(another file or directory has replaced|belong to another user)/m);
    expect(exitCode).toBe(1);
    expect(readdirSync(path.join(dir, 'aside'))).toEqual([]);
  },
);

test("a run does not touch existing files and directories with gobonniego's or gobonnie's names", async () => {
  const dir = makeDirectory();
  for (const name of ['gobonniego', 'gobonnie-abcdef']) {
    mkdirSync(path.join(dir, name));
    writeFileSync(path.join(dir, name, 'bonnie.0'), 'mine');
  }
  writeFileSync(path.join(dir, 'bonnie.0'), 'mine');
  const before = readdirSync(dir, { recursive: true }).toSorted();
  const { outcome } = await run({ dir, ...SMALL_OPTIONS, runs: 2 });
  expect(outcome.state).toBe('completed');
  expect(readdirSync(dir, { recursive: true }).toSorted()).toEqual(before);
  for (const name of ['bonnie.0', 'gobonniego/bonnie.0', 'gobonnie-abcdef/bonnie.0'])
    expect(readFileSync(path.join(dir, name), 'utf8')).toBe('mine');
});

test('a new data file replaces a link of that name, and does not follow it', async () => {
  const dir = makeDirectory();
  const victim = path.join(makeDirectory(), 'victim');
  writeFileSync(victim, 'mine');
  const { outcome } = await runWhile(dir, 'start', (scratch) => {
    symlinkSync(victim, path.join(scratch, 'bonnie.1'));
  });
  expect(outcome).toEqual({ state: 'completed' });
  expect(readFileSync(victim, 'utf8')).toBe('mine');
  expect(readdirSync(dir)).toEqual([]);
});

test.each(['file', 'link'])('createOwnFile() never writes to an existing %s', async (kind) => {
  const directory = makeDirectory();
  const file = path.join(directory, 'file');
  const victim = path.join(directory, 'victim');
  writeFileSync(victim, 'mine');
  if (kind === 'link') symlinkSync(victim, file);
  else linkSync(victim, file);
  await expect(createOwnFile(file, 'ours')).rejects.toMatchObject({ code: 'EEXIST', path: file });
  expect(readFileSync(victim, 'utf8')).toBe('mine');
});

test('another program’s file in the scratch directory is kept and reported', async () => {
  const dir = makeDirectory();
  const { outcome, target, runs } = await runWhile(dir, 'run-end', (scratch) => {
    writeFileSync(path.join(scratch, 'theirs'), 'theirs');
  });
  expect(outcome).toMatchObject({ state: 'failed', code: 'cleanup-failed' });
  expect(outcome).toHaveProperty('message', expect.stringContaining(target.scratchDirectory));
  expect(runs.map(({ state }) => state)).toEqual(['completed']);
  expect(readdirSync(target.scratchDirectory).toSorted()).toEqual([MARKER_NAME, 'theirs']);
  expect(lstatSync(dir).isDirectory()).toBe(true);
});
