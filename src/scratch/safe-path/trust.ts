import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { open, statfs, unlink } from 'node:fs/promises';
import path from 'node:path';
import { CREATE_NEW } from '../../../workers/protocol.js';
import { GobonnieError } from '../../errors.js';
import { shown } from '../../text/escape.js';

const ROOT = 0;
/** The group counts, too: it may have other members, and its bit also stands for access lists. */
const WRITABLE_BY_OTHERS = 0o022;
/** In such a directory, like /tmp, users cannot rename or remove each other's files. */
const STICKY = 0o1000;
/** FUSE (virtiofs as well) and 9p, as statfs calls them. */
const SERVED_TYPES = [0x65735546, 0x01021997];

type Owned = Pick<Stats, 'uid'>;
type OwnedMode = Pick<Stats, 'uid' | 'mode'>;

/** Whether it belongs to this user. On Windows there are no such users. */
export function isOwn({ uid }: Owned): boolean {
  return process.geteuid === undefined || uid === process.geteuid();
}

/** Whether it belongs to this user or to root. */
export function isByUs({ uid }: Owned): boolean {
  return uid === ROOT || uid === process.geteuid?.();
}

export function isWritableByOthers({ mode }: Pick<Stats, 'mode'>): boolean {
  return (mode & WRITABLE_BY_OTHERS) !== 0;
}

/** Whether only this user and root can change it or, in a sticky directory, what belongs to them in it. */
export function isOurs(found: OwnedMode): boolean {
  if (process.geteuid === undefined) return true;
  return isByUs(found) && (!isWritableByOthers(found) || isSticky(found));
}

/** On a file the bit means nothing. */
function isSticky({ mode }: Pick<Stats, 'mode'>): boolean {
  return (mode & constants.S_IFMT) === constants.S_IFDIR && (mode & STICKY) !== 0;
}

/** Whether a program, of whichever user, makes up the owners there. */
export async function isServed(directory: string): Promise<boolean> {
  return SERVED_TYPES.includes((await statfs(directory)).type);
}

/** A directory, as people name it and as the system finds it. */
interface Named {
  readonly path: string;
  readonly root: string;
}

/** The error for a mount that gives new files to another user; null when it does not. */
export async function givenAway({ path: directory, root }: Named): Promise<GobonnieError | null> {
  const probe = path.join(root, `.gobonnie-${randomUUID()}`);
  // Judged by what is open, as anything may have taken its place by then.
  const handle = await open(probe, CREATE_NEW, 0o600).catch(() => null);
  if (!handle) return null;
  try {
    const found = await handle.stat();
    if (isOwn(found)) return null;
    return new GobonnieError(
      'directory-unusable',
      `files made in ${shown(directory)} belong to another user (uid ${found.uid}), as it is mounted that way`,
      'run gobonnie as a user who owns what it makes there, or measure another directory',
    );
  } finally {
    await unlink(probe).catch(() => {});
    await handle.close();
  }
}

/** The error for a mount that lets others write to files that were made for this user alone. */
export function openToOthers({ path: directory }: Named): GobonnieError {
  return new GobonnieError(
    'directory-unusable',
    `other users can write to files made in ${shown(directory)}, as it is mounted that way`,
    'mount it with umask=022, or measure another directory',
  );
}
