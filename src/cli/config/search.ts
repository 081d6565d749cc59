import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { GobonnieError } from '../../errors.js';
import { isTrusted } from '../../scratch/safe-path/resolve.js';
import {
  isOwnedByUsOrRoot,
  isWritableByOthers,
  isWritableOnlyByUsOrRoot,
} from '../../scratch/safe-path/trust.js';
import { display } from '../../text/escape.js';
import { CONFIG_FILE, PACKAGE_FILE } from '../argv/cli-catalogue.js';
import { type ConfigDocument, isPackageJson, readConfigDocument } from './config-file.js';

export interface FoundConfig {
  readonly document: ConfigDocument | null;
  /** Config files that were ignored. */
  readonly ignored: readonly IgnoredConfig[];
}

interface IgnoredConfig {
  /** The path, escaped for messages. */
  readonly file: string;
  readonly reason: string;
}

/** Searches the working directory and then its parents, up to the first config file. */
export async function searchConfig(): Promise<FoundConfig> {
  const ignored: IgnoredConfig[] = [];
  for (const file of listCandidates()) {
    if (!(await stat(file).catch(() => null))?.isFile()) continue;
    const filePath = path.relative('', file);
    const reason = await whyUntrusted(file);
    if (reason === null) {
      const document = await readFoundConfig(filePath);
      if (document) return { document, ignored };
    } else if (await needsMessage(filePath)) {
      ignored.push({ file: display(filePath), reason });
    }
  }
  return { document: null, ignored };
}

/** Returns no candidates if the working directory was removed. */
function listCandidates(): readonly string[] {
  try {
    return [...selfAndParents(path.resolve())].flatMap((directory) =>
      [CONFIG_FILE, PACKAGE_FILE].map((name) => path.join(directory, name)),
    );
  } catch {
    return [];
  }
}

/** Returns null for a package.json without options or without read permission. */
async function readFoundConfig(filePath: string): Promise<ConfigDocument | null> {
  try {
    return await readConfigDocument(filePath);
  } catch (error) {
    if (!(error instanceof GobonnieError) || error.code !== 'input-unreadable') throw error;
    if (isPackageJson(filePath)) return null;
    throw new GobonnieError('option-invalid', error.message, 'fix that, or pass --no-config', {
      cause: error,
    });
  }
}

/** True if ignoring the file needs a message. A package.json needs one only if it is valid and has our key. */
async function needsMessage(filePath: string): Promise<boolean> {
  return !isPackageJson(filePath) || (await readConfigDocument(filePath).catch(() => null)) !== null;
}

const ROOT = 0;
const WRITABLE_BY_ALL = 0o002;
const WRITABLE_BY_GROUP = 0o020;

/**
 * Returns null if only this user and root can have written the file. Unless the user is root, the user's own groups may
 * also write to it: colleagues who share a checkout already control what npm runs there.
 */
async function whyUntrusted(file: string): Promise<string | null> {
  if (
    await isTrusted(file, (stats) => isWritableOnlyByUsOrRoot(withoutColleagueWrite(stats))).catch(
      () => false,
    )
  )
    return null;
  const stats = await stat(file).catch(() => null);
  if (stats && !isOwnedByUsOrRoot(stats)) return 'it belongs to another user';
  if (stats && isWritableByOthers(withoutColleagueWrite(stats)))
    return `${stats.mode & WRITABLE_BY_ALL ? 'everyone' : 'its group'} can write to it`;
  for (const directory of selfAndParents(path.dirname(file))) {
    const directoryStats = await stat(directory).catch(() => null);
    if (directoryStats && !isWritableOnlyByUsOrRoot(withoutColleagueWrite(directoryStats)))
      return `others can change ${display(directory)}`;
  }
  return 'others can replace it';
}

function withoutColleagueWrite({ uid, gid, mode }: Stats): Pick<Stats, 'uid' | 'mode'> {
  const isOwnGroup = process.geteuid?.() !== ROOT && process.getgroups?.().includes(gid);
  return { uid, mode: isOwnGroup ? mode & ~WRITABLE_BY_GROUP : mode };
}

/** Yields a directory and its parents, nearest first. */
function* selfAndParents(from: string): Generator<string> {
  for (let directory = from; ; directory = path.dirname(directory)) {
    yield directory;
    if (directory === path.dirname(directory)) return;
  }
}
