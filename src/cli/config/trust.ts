import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { isTrusted } from '../../scratch/safe-path/resolve.js';
import { isByUs, isOurs, isWritableByOthers } from '../../scratch/safe-path/trust.js';
import { shown } from '../../text/escape.js';

const ROOT = 0;
/** What is writable by others, but not by everybody, is so by its group. */
const WRITABLE_BY_ALL = 0o002;
const WRITABLE_BY_GROUP = 0o020;

/**
 * Why nobody should do what a file says that was only found; null where this user and root alone decide what it says. But
 * for root, a user's group may: who works on the same checkout decides as well what npm runs in it.
 */
export async function reasonToDistrust(file: string): Promise<string | null> {
  if (await isTrusted(file, (found) => isOurs(judged(found))).catch(() => false)) return null;
  const found = await stat(file).catch(() => null);
  if (found && !isByUs(found)) return 'it belongs to another user';
  if (found && isWritableByOthers(judged(found)))
    return `${found.mode & WRITABLE_BY_ALL ? 'everybody' : 'its group'} may write to it`;
  for (const directory of upward(path.dirname(file))) {
    const above = await stat(directory).catch(() => null);
    if (above && !isOurs(judged(above))) return `others may change what ${shown(directory)} holds`;
  }
  return 'others may put another in its place';
}

function judged({ uid, gid, mode }: Stats): Pick<Stats, 'uid' | 'mode'> {
  const isColleagues = process.geteuid?.() !== ROOT && ownGroups().includes(gid);
  return { uid, mode: isColleagues ? mode & ~WRITABLE_BY_GROUP : mode };
}

function ownGroups(): readonly number[] {
  return [process.getegid?.() ?? [], process.getgroups?.() ?? []].flat();
}

/** A directory and those above it, the nearest first. */
export function* upward(from: string): Generator<string> {
  for (let directory = from; ; directory = path.dirname(directory)) {
    yield directory;
    if (directory === path.dirname(directory)) return;
  }
}
