import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { type OptionsInput, type RunEvent, run } from 'gobonnie';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { MARKER_NAME } from '../../src/scratch/marker.js';
import { currentOwner } from '../../src/scratch/owner.js';
import { removeScratch } from '../../src/scratch/removal.js';
import { DirectoryHandle } from '../../src/scratch/safe-path/directory-handle.js';
import { findScratch, makeDirectory } from '../support/disks/directory.js';
import { endWithWatcher, startLongRun } from '../support/programs/leftover.js';
import { SMALL_OPTIONS } from '../support/programs/small-run.js';
import { requireTools } from '../support/tools.js';

beforeEach(requireTools('/proc/self/fd'));

const NAMES = ['bonnie.0', 'bonnie.1', MARKER_NAME];

/** Moves the scratch directory aside, and puts a link in its place to a directory with files of the same names. */
function replaceWithLink(dir: string) {
  const scratch = findScratch(dir) ?? 'no scratch directory';
  const moved = path.join(dir, 'moved');
  const victim = path.join(dir, 'victim');
  mkdirSync(victim);
  for (const name of NAMES) writeFileSync(path.join(victim, name), 'mine');
  renameSync(scratch, moved);
  symlinkSync(victim, scratch);
  return { scratch, moved, victim };
}

function readVictim(victim: string): readonly (readonly [string, string])[] {
  return readdirSync(victim)
    .toSorted()
    .map((name) => [name, readFileSync(path.join(victim, name), 'utf8')]);
}

/** Runs, and replaces the scratch directory with a link at the first event of this type. */
async function runAndReplace(dir: string, moment: RunEvent['type'], more: OptionsInput) {
  let replaced: ReturnType<typeof replaceWithLink> | undefined;
  const onEvent = ({ type }: RunEvent) => {
    if (type === moment) replaced ??= replaceWithLink(dir);
  };
  const { outcome } = await run({ dir, ...SMALL_OPTIONS, ...more }, { onEvent });
  if (!replaced) throw new Error(`there was no event ${moment}`);
  return { outcome, ...replaced };
}

const UNCHANGED = NAMES.map((name) => [name, 'mine']);

describe("a link in place of the scratch directory does not lead gobonnie to the user's files", () => {
  test('when the run ends, which removes the moved directory and names it', async () => {
    const dir = makeDirectory();
    const program = await startLongRun(dir);
    const { scratch, moved, victim } = replaceWithLink(dir);
    await endWithWatcher(program, 'SIGINT');
    const { stderr, exitCode } = await program.exitResult;
    expect(readVictim(victim)).toEqual(UNCHANGED);
    expect(stderr).toContain(
      `warning: ${scratch} was moved during the run; gobonnie removed it from ${moved}; leave that directory in place until the run ends`,
    );
    expect(exitCode).toBe(130);
    expect(existsSync(moved)).toBe(false);
  });

  test('when the next run replaces the data files, which continues in the moved directory', async () => {
    const dir = makeDirectory();
    const { outcome, moved, victim } = await runAndReplace(dir, 'run-end', { runs: 2 });
    expect(readVictim(victim)).toEqual(UNCHANGED);
    expect(outcome).toEqual({ state: 'completed' });
    expect(existsSync(moved)).toBe(false);
  });

  test('when a phase with small files begins, which ends the run and names the moved directory', async () => {
    const dir = makeDirectory();
    const more: OptionsInput = { files: 10, phases: ['create', 'delete'] };
    const { outcome, scratch, moved, victim } = await runAndReplace(dir, 'step-end', more);
    expect(readVictim(victim)).toEqual(UNCHANGED);
    expect(outcome).toMatchObject({
      code: 'scratch-failed',
      message: `${scratch} was moved to ${moved} during the run`,
    });
    expect(existsSync(moved)).toBe(false);
  });

  test('when gobonnie removes leftovers without /proc, and so finds files by path', async () => {
    const dir = makeDirectory();
    const platform = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
    Object.defineProperty(process, 'platform', { ...platform, value: 'darwin' });
    onTestFinished(() => {
      Object.defineProperty(process, 'platform', platform);
    });
    const parent = await DirectoryHandle.open(dir);
    const directory = await parent.create('gobonnie-abcdef', 0o700);
    expect(directory.isOpen).toBe(false);
    const { victim } = replaceWithLink(dir);
    const marker = { owner: currentOwner(), createdParents: [], files: 2 };
    await expect(removeScratch(directory, marker)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(readVictim(victim)).toEqual(UNCHANGED);
  });
});

test('a directory that was removed during the run is reported, because a copy may exist elsewhere', async () => {
  const dir = makeDirectory();
  const program = await startLongRun(dir);
  rmSync(findScratch(dir) ?? '', { recursive: true });
  program.kill('SIGINT');
  const { stderr, exitCode } = await program.exitResult;
  expect(stderr).toMatch(
    /gobonnie: stopped by SIGINT, and \S+ could not be removed: no such file or directory \(ENOENT\); it was moved, unmounted or removed during the run/,
  );
  expect(exitCode).toBe(1);
});
