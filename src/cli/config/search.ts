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
  /** As messages call it. */
  readonly file: string;
  readonly reason: string;
}

/** Looks in the working directory, then in each directory above it, up to the first config file. */
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

/** None if the working directory was removed. */
function listCandidates(): readonly string[] {
  try {
    return [...selfAndParents(path.resolve())].flatMap((directory) =>
      [CONFIG_FILE, PACKAGE_FILE].map((name) => path.join(directory, name)),
    );
  } catch {
    return [];
  }
}

/** A package.json that cannot be read is ignored. */
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

/** Whether an ignored file gets a message: a package.json only if it has our key, and not if it is broken. */
async function needsMessage(filePath: string): Promise<boolean> {
  return !isPackageJson(filePath) || (await readConfigDocument(filePath).catch(() => null)) !== null;
}

const ROOT = 0;
const WRITABLE_BY_ALL = 0o002;
const WRITABLE_BY_GROUP = 0o020;

/**
 * Null if only this user and root can have written the file. A group of this user may write to it as well, unless the user
 * is root: colleagues who share a checkout also decide what npm runs there.
 */
async function whyUntrusted(file: string): Promise<string | null> {
  if (
    await isTrusted(file, (found) => isWritableOnlyByUsOrRoot(withoutColleagueWrite(found))).catch(
      () => false,
    )
  )
    return null;
  const found = await stat(file).catch(() => null);
  if (found && !isOwnedByUsOrRoot(found)) return 'it belongs to another user';
  if (found && isWritableByOthers(withoutColleagueWrite(found)))
    return `${found.mode & WRITABLE_BY_ALL ? 'everybody' : 'its group'} may write to it`;
  for (const directory of selfAndParents(path.dirname(file))) {
    const above = await stat(directory).catch(() => null);
    if (above && !isWritableOnlyByUsOrRoot(withoutColleagueWrite(above)))
      return `others may change what ${display(directory)} holds`;
  }
  return 'others may put another in its place';
}

function withoutColleagueWrite({ uid, gid, mode }: Stats): Pick<Stats, 'uid' | 'mode'> {
  const isOwnGroup = process.geteuid?.() !== ROOT && process.getgroups?.().includes(gid);
  return { uid, mode: isOwnGroup ? mode & ~WRITABLE_BY_GROUP : mode };
}

/** A directory and those above it, the nearest first. */
function* selfAndParents(from: string): Generator<string> {
  for (let directory = from; ; directory = path.dirname(directory)) {
    yield directory;
    if (directory === path.dirname(directory)) return;
  }
}
