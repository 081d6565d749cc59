/** Another user who attacks as fast as possible until SIGTERM. Prints `ready`, and at the end the number of swaps. */
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { AttackPlan } from './attack.js';

/** Long enough for the program to find what was swapped in, short enough for its next call to find the original. */
const SWAPPED_MS = 0.3;
/** Before it has its directory: rare enough for the program to resolve the path between two swaps. */
const UNSWAPPED_MS = 3;
const HUGE_BYTES = 100_000_000;
const PREFIX = 'gobonnie-';
const FORGED = JSON.stringify({
  format: 'gobonnie-scratch/3',
  owner: { pid: 1, startTime: '1', host: 'h', machine: 'm', boot: 'b', pidNamespace: 'p' },
  ...{ createdParents: ['1 1', '2 2'], files: 1_000_000, trees: [], seed: 11, smallFileRuns: {} },
});

const { uid, target, swappedPath, victim, names, innerVictim, report } = JSON.parse(
  process.argv.at(-1) ?? '',
) as AttackPlan;
process.setgroups?.([]);
process.setgid?.(uid);
process.setuid?.(uid);

let tries = 0;
let isOver = false;
process.on('SIGTERM', () => {
  isOver = true;
});

if (swappedPath) symlinkSync(victim, `${swappedPath}.link`);
const decoys = innerVictim === null ? [] : makeDecoys();
process.stdout.write('ready\n');
for (let round = 0; !isOver; round++) {
  const decoy = round % 2 === 0 ? innerVictim : decoys[round % decoys.length];
  const places = listNames(target).map((name) => path.join(target, name));
  const scratches = places.filter(
    (place) => isScratchName(place) && !decoys.includes(place) && place !== innerVictim,
  );
  // At least one decoy of its own, so that a program that reads the directory sees an entry change.
  if (decoy)
    for (const place of [...scratches, decoys[(round + 2) % decoys.length] ?? '']) swap(place, decoy);
  if (report) replaceReport(report, round);
  if (swappedPath) redirect(swappedPath, scratches[0]);
  await setImmediate();
}
process.stdout.write(`${tries}\n`);

/** Entries that look like a run's directory or lead to the victim; a rename puts one in place of the program's. */
function makeDecoys(): readonly string[] {
  const make = (name: string, act: (place: string) => void) => {
    const place = path.join(target, PREFIX + name);
    act(place);
    return place;
  };
  const makeLike = (name: string, act: (marker: string) => void) =>
    make(name, (place) => {
      mkdirSync(place, { mode: 0o700 });
      act(path.join(place, 'owner'));
    });
  return [
    make('link00', (place) => symlinkSync(victim, place)),
    make('linked', (place) => {
      mkdirSync(place, { mode: 0o700 });
      for (const name of names) symlinkSync(path.join(victim, name), path.join(place, name));
    }),
    make('pipe00', (place) => execFileSync('mkfifo', [place])),
    makeLike('forged', (marker) => writeFileSync(marker, `${FORGED}\n`)),
    makeLike('piped0', (marker) => execFileSync('mkfifo', [marker])),
    makeLike('huge00', (marker) => {
      writeFileSync(marker, FORGED);
      truncateSync(marker, HUGE_BYTES);
    }),
    make('empty0', (place) => mkdirSync(place, { mode: 0o700 })),
  ];
}

function isScratchName(place: string): boolean {
  return path.basename(place).startsWith(PREFIX);
}

function swap(place: string, decoy: string): void {
  const aside = `${place}x`;
  if (!succeeds(() => renameSync(place, aside))) return;
  if (succeeds(() => renameSync(decoy, place))) {
    count();
    succeeds(() => renameSync(place, decoy));
  }
  succeeds(() => renameSync(aside, place));
}

/** Puts a link or a directory in place of a file, which may or may not exist. */
function replaceReport(file: string, round: number): void {
  const isThere = succeeds(() => renameSync(file, `${file}x`));
  const isPlanted = succeeds(() =>
    round % 2 === 0 ? symlinkSync(path.join(victim, path.basename(file)), file) : mkdirSync(file),
  );
  if (isPlanted) count();
  succeeds(() => rmSync(file, { recursive: true }));
  if (isThere) succeeds(() => renameSync(`${file}x`, file));
}

/** Lets the path to the ground lead to the victim, which has an entry with the new name of the scratch directory. */
function redirect(place: string, scratch: string | undefined): void {
  const renamed = path.join(target, 'empty');
  const isRenamed = scratch !== undefined && succeeds(() => renameSync(scratch, renamed));
  swap(place, `${place}.link`);
  if (isRenamed) succeeds(() => renameSync(renamed, scratch));
  pause(scratch === undefined ? UNSWAPPED_MS : SWAPPED_MS);
}

function count(): void {
  tries += 1;
  pause(SWAPPED_MS);
}

function pause(longestMs: number): void {
  const endMs = performance.now() + Math.random() * longestMs;
  while (performance.now() < endMs);
}

function listNames(directory: string): readonly string[] {
  let found: readonly string[] = [];
  succeeds(() => {
    found = readdirSync(directory);
  });
  return found;
}

/** A call that fails is forbidden, or comes too late. */
function succeeds(act: () => void): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if ('syscall' in (error as Error)) return false;
    throw error;
  }
}
