import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { makeDirectory } from '../../support/disks/directory.js';
import type { Attack } from './attack.js';
import { makeVictim, NAMES, type Victim } from './victim.js';

const ROOT = 0;
const ATTACKER = 65_533;

type Make = (name: string, mode: number, uid: number) => string;
type Place = Pick<Attack, 'ground' | 'way'> & { readonly isWritable: boolean };

/** The measured directories, by what an attacker may do to them. */
const grounds = {
  'that anyone may write to': (make, user) => {
    return { ground: make('ground', 0o777, user), way: null, isWritable: true };
  },
  'of the attacker’s': (make) => ({ ground: make('ground', 0o1777, ATTACKER), way: null, isWritable: true }),
  'that is sticky': (make) => ({ ground: make('ground', 0o1777, ROOT), way: null, isWritable: true }),
  'of the attacker’s in a sticky one': (make) => {
    make('above', 0o1777, ROOT);
    const ground = make('above/ground', 0o777, ATTACKER);
    return { ground, way: ground, isWritable: true };
  },
  'in one of the attacker’s': (make, user) => {
    make('above', 0o755, ATTACKER);
    const ground = make('above/ground', 0o755, user);
    return { ground, way: ground, isWritable: false };
  },
  'that is yet to be made in one of the attacker’s': (make) => {
    const way = path.join(make('above', 0o777, ATTACKER), 'made');
    return { ground: path.join(way, 'empty'), way, isWritable: false };
  },
} as const satisfies Record<string, (make: Make, user: number) => Place>;

export type Ground = keyof typeof grounds;
export const GROUNDS = Object.keys(grounds) as Ground[];

export interface AttackedDirectory {
  readonly plan: Attack;
  readonly victims: readonly Victim[];
  /** What the user has there beyond the victims. */
  left(): readonly string[];
}

/** A directory for a user to measure, an attacker's plan, and the files that must not change. */
export function attackedDirectory(name: Ground, user: number): AttackedDirectory {
  const root = makeDirectory();
  chmodSync(root, 0o755);
  const make: Make = (below, mode, uid) => {
    const directory = path.join(root, below);
    mkdirSync(directory);
    chownSync(directory, uid, uid);
    chmodSync(directory, mode);
    return directory;
  };
  const { ground, way, isWritable } = grounds[name](make, user);
  const victim = path.join(root, 'victim');
  const kin = isWritable ? path.join(ground, 'gobonnie-kin000') : null;
  const victims = [makeVictim(victim, ROOT, 0o755), ...(kin === null ? [] : [makeVictim(kin, user, 0o700)])];
  const known = new Set(inodesIn(root).keys());
  return {
    plan: { uid: ATTACKER, ground, way, victim, names: NAMES, kin, report: null },
    victims,
    left: () =>
      [...inodesIn(root)]
        .filter(([ino, place]) => !known.has(ino) && lstatSync(place).uid === user)
        .map(([, place]) => place),
  };
}

/** Everything in it, without following links. */
function inodesIn(directory: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const name of readdirSync(directory)) {
    const place = path.join(directory, name);
    const entry = lstatSync(place);
    found.set(entry.ino, place);
    if (entry.isDirectory()) for (const [ino, deeper] of inodesIn(place)) found.set(ino, deeper);
  }
  return found;
}
