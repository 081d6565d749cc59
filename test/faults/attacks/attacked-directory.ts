import {
  chmodSync,
  chownSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { makeDirectory } from '../../support/disks/directory.js';
import type { AttackPlan } from './attacker.js';

const ROOT = 0;
const ATTACKER = 65_533;

/** Names that gobonnie removes in its own scratch directory. */
const NAMES = ['bonnie.0', 'owner', 'tree.0', 'tree.0-random'];
const SMALL_FILES = ['tree.0/0000000000', 'tree.0/000000000fXy', 'tree.0-random/Xy000000001f'];

/** The measured directory. The attacker may rename the path `swapped`, or the entries of a writable directory. */
interface Target {
  readonly target: string;
  readonly swapped?: string;
  readonly isWritable?: true;
}

/** Creates the measured directory, by the attacker's permissions. */
const directoryKinds = {
  'a world-writable directory': (root, user) => ({
    target: makeOwned(path.join(root, 'target'), 0o777, user),
    isWritable: true,
  }),
  'a directory of the attacker in a sticky directory': (root) => {
    const above = makeOwned(path.join(root, 'above'), 0o1777, ROOT);
    const target = makeOwned(path.join(above, 'target'), 0o777, ATTACKER);
    return { target, swapped: target, isWritable: true };
  },
  'a directory in a directory of the attacker': (root, user) => {
    const above = makeOwned(path.join(root, 'above'), 0o755, ATTACKER);
    const target = makeOwned(path.join(above, 'target'), 0o755, user);
    return { target, swapped: target };
  },
  'a missing directory in a directory of the attacker': (root) => {
    const missing = path.join(makeOwned(path.join(root, 'above'), 0o777, ATTACKER), 'missing');
    return { target: path.join(missing, 'empty'), swapped: missing };
  },
} satisfies Readonly<Record<string, (root: string, user: number) => Target>>;

export type DirectoryKind = keyof typeof directoryKinds;
export const DIRECTORY_KINDS = Object.keys(directoryKinds) as DirectoryKind[];

export interface AttackedDirectory {
  readonly plan: AttackPlan;
  /** Returns the metadata and content of every file that must not change. */
  describeVictims(): readonly string[];
  /** Returns the user's new files and directories. */
  leftovers(): readonly string[];
}

/** Creates a directory for a user to measure, the attacker's plan, and files that must not change. */
export function createAttackedDirectory(kind: DirectoryKind, user: number): AttackedDirectory {
  const root = makeDirectory();
  chmodSync(root, 0o755);
  const { target, swapped, isWritable }: Target = directoryKinds[kind](root, user);
  const victim = path.join(root, 'victim');
  const innerVictim = isWritable ? path.join(target, 'gobonnie-kin000') : null;
  const describeVictim = [createVictim(victim, ROOT, 0o755)];
  if (innerVictim !== null) describeVictim.push(createVictim(innerVictim, user, 0o700));
  const known = new Set(listInodes(root).keys());
  return {
    plan: {
      uid: ATTACKER,
      target,
      victim,
      names: NAMES,
      innerVictim,
      swappedPath: swapped ?? null,
    },
    describeVictims: () => describeVictim.flatMap((describe) => describe()),
    leftovers: () =>
      [...listInodes(root)]
        .filter(([ino, entryPath]) => !known.has(ino) && lstatSync(entryPath).uid === user)
        .map(([, entryPath]) => entryPath),
  };
}

function makeOwned(directory: string, mode: number, uid: number): string {
  mkdirSync(directory);
  chownSync(directory, uid, uid);
  chmodSync(directory, mode);
  return directory;
}

/** Creates a directory with names that gobonnie removes or overwrites, and returns a function that describes it. */
function createVictim(directory: string, uid: number, mode: number): () => readonly string[] {
  for (const name of ['', 'empty', 'tree.0', 'tree.0-random'])
    makeOwned(path.join(directory, name), mode, uid);
  for (const name of ['bonnie.0', 'owner', ...SMALL_FILES]) {
    writeFileSync(path.join(directory, name), `the victim’s ${name}`);
    chownSync(path.join(directory, name), uid, uid);
  }
  // Keep it open, because the attacker moves it.
  const fd = openSync(directory, 'r');
  onTestFinished(() => closeSync(fd));
  return () => describeTree(`/proc/${process.pid}/fd/${fd}/.`);
}

function describeTree(entryPath: string): readonly string[] {
  const stats = lstatSync(entryPath, { bigint: true });
  const { ino, mode, uid, gid, size, mtimeNs } = stats;
  const facts = `${path.basename(entryPath)} ${[ino, mode, uid, gid, size, mtimeNs].join(' ')}`;
  if (!stats.isDirectory()) return [`${facts} ${stats.isFile() ? readFileSync(entryPath, 'utf8') : ''}`];
  const names = readdirSync(entryPath).toSorted();
  return [facts, ...names.flatMap((name) => describeTree(`${entryPath}/${name}`))];
}

/** Returns the inode and path of every entry, at any depth, without following links. */
function listInodes(directory: string): ReadonlyMap<number, string> {
  const entries = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return new Map(
    entries.map((name) => [lstatSync(path.join(directory, name)).ino, path.join(directory, name)] as const),
  );
}
