import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import path from 'node:path';
import { CREATE_NEW } from '../../../workers/protocol.js';
import { GobonnieError } from '../../errors.js';
import { shown } from '../../text/escape.js';
import { FILE_MODE, isOwn } from './own-file.js';

/** A directory, as people know it and as the system does. */
interface Ground {
  readonly path: string;
  readonly root: string;
}

/** The error for a mount that makes another user the owner of what is made in it; null where it does not. */
export async function givenAway(ground: Ground): Promise<GobonnieError | null> {
  const probe = path.join(ground.root, `.gobonnie-${randomUUID()}`);
  // In the place of what this opens nobody can have put anything else.
  const handle = await open(probe, CREATE_NEW, FILE_MODE).catch(() => null);
  if (!handle) return null;
  try {
    const found = await handle.stat();
    if (isOwn(found)) return null;
    return new GobonnieError(
      'directory-unusable',
      `the mount of ${shown(ground.path)} gives what you make there to another user (uid ${found.uid})`,
      'run gobonnie as a user who keeps what it makes there, or pass another --dir',
    );
  } finally {
    await unlink(probe).catch(() => {});
    await handle.close();
  }
}

/** The error for a mount that lets others write to what was made for this user alone. */
export function openToOthers(ground: Ground): GobonnieError {
  return new GobonnieError(
    'directory-unusable',
    `others may write to what is made in ${shown(ground.path)}, by its mount`,
    'mount it so that only you may (umask=022), or pass another --dir',
  );
}
