import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';

/** Instructions for the attacker, as JSON in the last argument. */
export interface AttackPlan {
  readonly uid: number;
  /** The measured directory, in which gobonnie creates its scratch directory. */
  readonly target: string;
  /** The measured directory or a parent of it, if the attacker may rename it. */
  readonly swappedPath: string | null;
  /** The target of the attacker's links, and the names of its files. */
  readonly victim: string;
  readonly names: readonly string[];
  /** Another victim, in the measured directory, if the attacker may rename entries there. */
  readonly innerVictim: string | null;
}

/** Long enough for gobonnie to find the swapped entry, and short enough for its next call to find the original. */
const SWAPPED_MS = 0.3;
/** Pause before gobonnie has a scratch directory: long enough for it to resolve the path between two swaps. */
const UNSWAPPED_MS = 3;
const OWNER = { pid: 1, startTime: '1', host: 'h', machine: 'm', boot: 'b', pidNamespace: 'p' };
const FORGED = { format: 'gobonnie-scratch/4', owner: OWNER, createdParents: ['1', '2'], files: 1_000_000 };

const plan = JSON.parse(process.argv.at(-1) ?? '') as AttackPlan;
const { target, victim, innerVictim, swappedPath } = plan;
process.setgroups?.([]);
process.setgid?.(plan.uid);
process.setuid?.(plan.uid);

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
  const scratches = listScratches().filter((one) => !decoys.includes(one) && one !== innerVictim);
  // Swaps at least one decoy, so an entry changes while gobonnie reads the directory.
  if (decoy) for (const one of [...scratches, decoys[(round + 2) % decoys.length] ?? '']) swap(one, decoy);
  if (swappedPath) redirect(swappedPath, scratches[0]);
  await setImmediate();
}
process.stdout.write(`${swaps}\n`);

/** Creates entries that look like a scratch directory or link to the victim, to rename over gobonnie's. */
function makeDecoys(): readonly string[] {
  const [link = '', linked = '', forged = ''] = ['link00', 'linked', 'forged'].map((name) =>
    path.join(target, `gobonnie-${name}`),
  );
  symlinkSync(victim, link);
  for (const directory of [linked, forged]) mkdirSync(directory, { mode: 0o700 });
  for (const name of plan.names) symlinkSync(path.join(victim, name), path.join(linked, name));
  writeFileSync(path.join(forged, 'owner'), `${JSON.stringify(FORGED)}\n`);
  return [link, linked, forged];
}

function listScratches(): readonly string[] {
  try {
    const names = readdirSync(target).filter((name) => name.startsWith('gobonnie-'));
    return names.map((name) => path.join(target, name));
  } catch {
    return [];
  }
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
