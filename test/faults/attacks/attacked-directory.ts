import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { makeDirectory } from '../../support/disks/directory.js';
import type { AttackPlan } from './attack.js';
import { createVictim, NAMES, type Victim } from './victim.js';

const ROOT = 0;
const ATTACKER = 65_533;

type MakeDirectory = (name: string, mode: number, uid: number) => string;
type AttackPaths = Pick<AttackPlan, 'target' | 'swappedPath'> & { readonly isWritable: boolean };

/** The measured directories, by what an attacker may do to them. */
const directoryKinds = {
  'that anyone may write to': (make, user) => {
    return { target: make('target', 0o777, user), swappedPath: null, isWritable: true };
  },
  'of the attacker’s': (make) => ({
    target: make('target', 0o1777, ATTACKER),
    swappedPath: null,
    isWritable: true,
  }),
  'that is sticky': (make) => ({ target: make('target', 0o1777, ROOT), swappedPath: null, isWritable: true }),
  'of the attacker’s in a sticky one': (make) => {
    make('above', 0o1777, ROOT);
    const target = make('above/ground', 0o777, ATTACKER);
    return { target, swappedPath: target, isWritable: true };
  },
  'in one of the attacker’s': (make, user) => {
    make('above', 0o755, ATTACKER);
    const target = make('above/ground', 0o755, user);
    return { target, swappedPath: target, isWritable: false };
  },
  'that is yet to be made in one of the attacker’s': (make) => {
    const swappedPath = path.join(make('above', 0o777, ATTACKER), 'made');
    return { target: path.join(swappedPath, 'empty'), swappedPath, isWritable: false };
  },
} as const satisfies Record<string, (make: MakeDirectory, user: number) => AttackPaths>;

export type DirectoryKind = keyof typeof directoryKinds;
export const DIRECTORY_KINDS = Object.keys(directoryKinds) as DirectoryKind[];

export interface AttackedDirectory {
  readonly plan: AttackPlan;
  readonly victims: readonly Victim[];
  /** What the user has there beyond the victims. */
  leftovers(): readonly string[];
}

/** A directory for a user to measure, an attacker's plan, and the files that must not change. */
export function createAttackedDirectory(name: DirectoryKind, user: number): AttackedDirectory {
  const root = makeDirectory();
  chmodSync(root, 0o755);
  const make: MakeDirectory = (below, mode, uid) => {
    const directory = path.join(root, below);
    mkdirSync(directory);
    chownSync(directory, uid, uid);
    chmodSync(directory, mode);
    return directory;
  };
  const { target, swappedPath, isWritable } = directoryKinds[name](make, user);
  const victim = path.join(root, 'victim');
  const innerVictim = isWritable ? path.join(target, 'gobonnie-kin000') : null;
  const victims = [
    createVictim(victim, ROOT, 0o755),
    ...(innerVictim === null ? [] : [createVictim(innerVictim, user, 0o700)]),
  ];
  const known = new Set(listInodes(root).keys());
  return {
    plan: { uid: ATTACKER, target, swappedPath, victim, names: NAMES, innerVictim, report: null },
    victims,
    leftovers: () =>
      [...listInodes(root)]
        .filter(([ino, place]) => !known.has(ino) && lstatSync(place).uid === user)
        .map(([, place]) => place),
  };
}

/** Everything in it, without following links. */
function listInodes(directory: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const name of readdirSync(directory)) {
    const place = path.join(directory, name);
    const entry = lstatSync(place);
    found.set(entry.ino, place);
    if (entry.isDirectory()) for (const [ino, deeper] of listInodes(place)) found.set(ino, deeper);
  }
  return found;
}
