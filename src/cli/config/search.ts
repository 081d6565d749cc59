import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { GobonnieError } from '../../errors.js';
import { isTrusted } from '../../scratch/safe-path/resolve.js';
import { isByUs, isOurs, isWritableByOthers } from '../../scratch/safe-path/trust.js';
import { shown } from '../../text/escape.js';
import { CONFIG_FILE, PACKAGE_FILE } from '../argv/cli-catalogue.js';
import { type ConfigDocument, isPackage, readDocument } from './config-file.js';

/** What the search found. */
export interface Found {
  readonly document: ConfigDocument | null;
  /** Files that are ignored. */
  readonly distrusted: readonly Distrusted[];
}

export interface Distrusted {
  /** As messages call it. */
  readonly file: string;
  readonly reason: string;
}

/** In the working directory, or else in the nearest one above it that has something. */
export async function search(): Promise<Found> {
  const distrusted: Distrusted[] = [];
  const from = workingDirectory();
  for (const directory of from === null ? [] : upward(from)) {
    for (const name of [CONFIG_FILE, PACKAGE_FILE]) {
      const file = path.join(directory, name);
      if (!(await isFile(file))) continue;
      const given = path.relative('', file);
      const reason = await reasonToDistrust(file);
      if (reason === null) {
        const document = await readFound(given);
        if (document) return { document, distrusted };
      } else if (await isMeant(given)) {
        distrusted.push({ file: shown(given), reason });
      }
    }
  }
  return { document: null, distrusted };
}

/** Null if it has been removed. */
function workingDirectory(): string | null {
  try {
    return path.resolve();
  } catch {
    return null;
  }
}

async function isFile(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => null);
  return found?.isFile() === true;
}

/** An unreadable package.json is npm's problem. */
async function readFound(given: string): Promise<ConfigDocument | null> {
  try {
    return await readDocument(given);
  } catch (error) {
    if (!(error instanceof GobonnieError) || error.code !== 'unreadable') throw error;
    if (isPackage(given)) return null;
    throw new GobonnieError('option-invalid', error.message, 'fix that, or pass --no-config', {
      cause: error,
    });
  }
}

/** An ignored package.json is worth a message only if it has our key; that it is broken is not. */
async function isMeant(given: string): Promise<boolean> {
  if (!isPackage(given)) return true;
  return (await readDocument(given).catch(() => null)) !== null;
}

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
