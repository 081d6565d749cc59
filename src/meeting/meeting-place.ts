import { randomUUID } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, type Stats } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { GobonnieError } from '../errors.js';
import { isAlive, ownProcessId } from '../scratch/owner.js';
import { isWritableByOthers } from '../scratch/safe-path/trust.js';
import { shown } from '../text/escape.js';

/*
 * A user's directory in the system's temporary one:
 *
 *   now/PARTIES.ID/seat.0/state   the rendezvous; a seat is a process that joined, and stays when it has gone
 *   new.PID.BIRTH, gone.ID        one being made or removed, here for a moment
 *
 * Nothing is locked. What has to be there whole or not at all is made aside and renamed: a directory that has something
 * in it cannot be renamed over, so of two that try, one fails. What is removed is named by its ID and renamed away
 * first, so that nobody who decides slowly can take away what is newer than the decision.
 */

/** One rendezvous. */
export interface Place {
  readonly path: string;
  readonly parties: number;
}

/** How a rename says that there is something already. Windows says EPERM. */
export const TAKEN = ['ENOTEMPTY', 'EEXIST', 'EPERM'];

/** Where the processes of this user look for each other. */
export function homePath(): string {
  const user = process.geteuid?.() ?? os.userInfo().username;
  return path.join(os.tmpdir(), `gobonnie-rendezvous-${user}`);
}

/** What has been opened, and not closed yet. */
export function findPlace(home: string): Place | null {
  if (!isThere(home)) return null;
  const now = path.join(home, 'now');
  for (const name of namesIn(now)) {
    const parties = /^(\d+)\.[\da-f-]+$/.exec(name)?.[1];
    if (parties !== undefined) return { path: path.join(now, name), parties: Number(parties) };
  }
  return null;
}

/** False when there is one already, or the directory went away meanwhile: then look again. */
export function makePlace(home: string, parties: number): boolean {
  const { pid, startTime } = ownProcessId();
  const draft = path.join(home, `new.${pid}.${startTime}`);
  const place = path.join(draft, `${parties}.${randomUUID()}`);
  unless(['EEXIST'], () => mkdirSync(home, { mode: 0o700 }));
  try {
    return unless(['ENOENT', ...TAKEN], () => {
      mkdirSync(draft, { mode: 0o700 });
      // With this in it nobody removes the directory any more, so that it stays the one that is looked at here.
      refuseUnsafe(home, lstatSync(home));
      mkdirSync(place, { mode: 0o700 });
      renameSync(draft, path.join(home, 'now'));
    });
  } finally {
    // One by one and only when empty, as the directory may turn out to be somebody else's.
    for (const made of [place, draft]) unless(['ENOENT', 'ENOTDIR', ...TAKEN], () => rmdirSync(made));
  }
}

/** False when somebody else has removed it. */
export function removePlace(home: string, place: Place): boolean {
  const isRemoved = unless(['ENOENT'], () =>
    renameSync(place.path, path.join(home, `gone.${path.basename(place.path)}`)),
  );
  sweep(home);
  return isRemoved;
}

/** Removes what the dead have left half done, and the directories when nothing is in them any more. */
export function sweep(home: string): void {
  if (!isThere(home)) return;
  for (const name of namesIn(home)) {
    const [, pid, startTime = ''] = /^new\.(\d+)\.(\d*)$/.exec(name) ?? [];
    const isAbandoned = pid !== undefined && !isAlive({ pid: Number(pid), startTime });
    if (isAbandoned || name.startsWith('gone.')) removeTree(path.join(home, name));
  }
  for (const directory of [path.join(home, 'now'), home])
    unless(['ENOENT', ...TAKEN], () => rmdirSync(directory));
}

/** Whether the directory is there, and nobody else's. */
function isThere(home: string): boolean {
  const found = lstatSync(home, { throwIfNoEntry: false });
  if (found) refuseUnsafe(home, found);
  return found !== undefined;
}

/** One that somebody else could have put something into. */
function refuseUnsafe(home: string, found: Stats): void {
  const user = process.geteuid?.();
  if (!found.isDirectory()) throw unsafe(home, 'is not a directory');
  if (user !== undefined && found.uid !== user) throw unsafe(home, 'belongs to somebody else');
  if (user !== undefined && isWritableByOthers(found)) throw unsafe(home, 'may be written to by others');
}

function unsafe(home: string, what: string): GobonnieError {
  return new GobonnieError(
    'rendezvous-failed',
    `${shown(home)} ${what}, and cannot be used for a rendezvous`,
    'remove it, or set TMPDIR to another directory for all processes',
  );
}

/** Others may be at it, too. What stays is for whoever sweeps next. */
export function removeTree(directory: string): void {
  unless(['ENOENT', ...TAKEN], () => rmSync(directory, { recursive: true, force: true }));
}

export function namesIn(directory: string): readonly string[] {
  let names: readonly string[] = [];
  unless(['ENOENT'], () => {
    names = readdirSync(directory);
  });
  return names;
}

/** Whether it was done; false when it failed with one of the codes. */
export function unless(codes: readonly string[], act: () => void): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if (codes.includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}
