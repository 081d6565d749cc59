import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { makeDirectory } from '../../support/disks/directory.js';
import type { AttackPlan } from './attack.js';
import { createVictim, NAMES, type Victim } from './victim.js';

const ROOT = 0;
const ATTACKER = 65_533;

type MakeDirectory = (name: string, mode: number, uid: number) => string;
type AttackPaths = Pick<AttackPlan, 'target' | 'swappedPath'> & { readonly isWritable: boolean };

/** Kinds of measured directories, by the attacker's permissions. */
const directoryKinds = {
  'a world-writable directory': (make, user) => {
    return { target: make('target', 0o777, user), swappedPath: null, isWritable: true };
  },
  'a directory of the attacker': (make) => ({
    target: make('target', 0o1777, ATTACKER),
    swappedPath: null,
    isWritable: true,
  }),
  'a sticky directory': (make) => ({
    target: make('target', 0o1777, ROOT),
    swappedPath: null,
    isWritable: true,
  }),
  'a directory of the attacker in a sticky directory': (make) => {
    make('above', 0o1777, ROOT);
    const target = make('above/target', 0o777, ATTACKER);
    return { target, swappedPath: target, isWritable: true };
  },
  'a directory in a directory of the attacker': (make, user) => {
    make('above', 0o755, ATTACKER);
    const target = make('above/target', 0o755, user);
    return { target, swappedPath: target, isWritable: false };
  },
  'a missing directory in a directory of the attacker': (make) => {
    const swappedPath = path.join(make('above', 0o777, ATTACKER), 'missing');
    return { target: path.join(swappedPath, 'empty'), swappedPath, isWritable: false };
  },
} as const satisfies Record<string, (make: MakeDirectory, user: number) => AttackPaths>;

export type DirectoryKind = keyof typeof directoryKinds;
export const DIRECTORY_KINDS = Object.keys(directoryKinds) as DirectoryKind[];

export interface AttackedDirectory {
  readonly plan: AttackPlan;
  readonly victims: readonly Victim[];
  /** Returns the user's new files and directories. */
  leftovers(): readonly string[];
}

/** Creates a directory for a user to measure, the attacker's plan, and files that must not change. */
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
  const victims = [createVictim(victim, ROOT, 0o755)];
  if (innerVictim !== null) victims.push(createVictim(innerVictim, user, 0o700));
  const known = new Set(listInodes(root).keys());
  return {
    plan: { uid: ATTACKER, target, swappedPath, victim, names: NAMES, innerVictim, report: null },
    victims,
    leftovers: () =>
      [...listInodes(root)]
        .filter(([ino, entryPath]) => !known.has(ino) && lstatSync(entryPath).uid === user)
        .map(([, entryPath]) => entryPath),
  };
}

/** Returns the inode and path of every entry, at any depth, without following links. */
function listInodes(directory: string): ReadonlyMap<number, string> {
  const inodes = new Map<number, string>();
  for (const name of readdirSync(directory)) {
    const entryPath = path.join(directory, name);
    const entry = lstatSync(entryPath);
    inodes.set(entry.ino, entryPath);
    if (entry.isDirectory()) for (const [ino, deeper] of listInodes(entryPath)) inodes.set(ino, deeper);
  }
  return inodes;
}
