import {
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
import { expect, test } from 'vitest';
import { MARKER_NAME } from '../../src/scratch/marker.js';
import { findOwnDirectory } from '../../src/scratch/own-files.js';
import { currentOwner } from '../../src/scratch/owner.js';
import { Removal } from '../../src/scratch/removal.js';
import { findScratch, makeDirectory } from '../support/disks/directory.js';
import { startLongRun } from '../support/programs/leftover.js';
import { SMALL_OPTIONS } from '../support/programs/small-run.js';
import { requireTools } from '../support/tools.js';

const NAMES = ['bonnie.0', 'bonnie.1', MARKER_NAME, 'tree.0'];

/** Moves the scratch directory aside, and makes another directory with files of the same names. */
function moveAside(scratch: string) {
  const moved = path.join(path.dirname(scratch), 'moved');
  const victim = path.join(path.dirname(scratch), 'victim');
  mkdirSync(path.join(victim, 'tree.0'), { recursive: true });
  const files = ['bonnie.0', 'bonnie.1', MARKER_NAME, 'tree.0/0000000000'];
  for (const name of files) writeFileSync(path.join(victim, name), 'mine');
  renameSync(scratch, moved);
  return {
    moved,
    victim,
    readVictim: (at: string) => files.map((name) => readFileSync(path.join(at, name), 'utf8')),
  };
}

type Replacement = 'a link' | 'another directory';

/** Puts a replacement in the place of the scratch directory, and returns where the victim is then. */
function replaceWith(replacement: Replacement, scratch: string, victim: string): string {
  if (replacement === 'another directory') {
    renameSync(victim, scratch);
    return scratch;
  }
  symlinkSync(victim, scratch);
  return victim;
}

const CREATE: OptionsInput = { files: 10, phases: ['write', 'create', 'delete'] };
const DELETE: OptionsInput = { files: 10, phases: ['create', 'delete'] };

test.each<[Replacement, string, RunEvent['type'], OptionsInput]>([
  ['a link', 'before the next run replaces the data files', 'run-end', { runs: 2 }],
  ['another directory', 'before a phase reads the data files', 'step-end', { phases: ['write', 'read'] }],
  ['a link', 'before a phase creates small files', 'step-end', CREATE],
  ['another directory', 'before a phase removes small files', 'step-end', DELETE],
])(
  '%s in place of the scratch directory %s changes no file of others, and the error names the directory to remove by hand',
  async (replacement, _, moment, more) => {
    const dir = makeDirectory();
    let scratch = '';
    let read = (): readonly string[] => [];
    const onEvent = ({ type }: RunEvent) => {
      if (type !== moment || scratch !== '') return;
      scratch = findScratch(dir) ?? 'no scratch directory';
      const { victim, readVictim } = moveAside(scratch);
      const at = replaceWith(replacement, scratch, victim);
      read = () => readVictim(at).concat(readdirSync(at).toSorted());
    };
    const { outcome } = await run({ dir, ...SMALL_OPTIONS, ...more }, { onEvent });
    expect(read()).toEqual(['mine', 'mine', 'mine', 'mine', ...NAMES]);
    expect(outcome).toMatchObject({
      code: 'scratch-failed',
      message: expect.stringMatching(
        `^${scratch} was moved, replaced or unmounted during the run; and ${scratch} could not be removed: `,
      ),
      hint: expect.stringContaining('if it still exists, remove it by hand'),
    });
    expect(readdirSync(path.join(dir, 'moved'))).toContain(MARKER_NAME);
  },
);

test.each<Replacement>(['a link', 'another directory'])(
  'the removal of the scratch directory changes no file in %s that has replaced it',
  async (replacement) => {
    const scratch = path.join(makeDirectory(), 'gobonnie-abcdef');
    mkdirSync(scratch);
    const directory = await findOwnDirectory(scratch);
    const { victim, readVictim } = moveAside(scratch);
    const at = replaceWith(replacement, scratch, victim);
    const removal = new Removal(directory).removeAll(currentOwner());
    await expect(removal).rejects.toMatchObject({ code: 'ENOENT' });
    expect(readVictim(at)).toEqual(['mine', 'mine', 'mine', 'mine']);
  },
);

test('a directory that was removed during the run is reported, because a copy may exist elsewhere', async (context) => {
  requireTools('/proc/self/fd')(context);
  const dir = makeDirectory();
  const program = await startLongRun(dir);
  rmSync(findScratch(dir) ?? '', { recursive: true });
  program.kill('SIGINT');
  const { stderr, exitCode } = await program.exitResult;
  expect(stderr).toMatch(
    /gobonnie: stopped by SIGINT, and \S+ could not be removed: no such file or directory \(ENOENT\); it was moved, replaced, unmounted or removed during the run/,
  );
  expect(exitCode).toBe(1);
});
