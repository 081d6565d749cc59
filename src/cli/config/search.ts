import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { GobonnieError } from '../../errors.js';
import { isTrusted } from '../../scratch/safe-path/resolve.js';
import { isWritableOnlyByUsOrRoot } from '../../scratch/safe-path/trust.js';
import { display } from '../../text/escape.js';
import { flag, msg } from '../../text/message-template.js';
import { CONFIG_FILE, PACKAGE_FILE, PACKAGE_KEY } from '../argv/cli-catalogue.js';
import { type ConfigDocument, isPackageJson, readConfigDocument } from './config-file.js';

export interface FoundConfig {
  readonly document: ConfigDocument | null;
  /** The paths of config files that other users can change, escaped for messages. */
  readonly ignored: readonly string[];
}

/** Reads the file of --config, otherwise the config file that the search finds. */
export async function loadConfig(config: string | undefined): Promise<FoundConfig> {
  if (config === undefined) return searchConfig();
  const document = await readConfigDocument(config);
  if (document) return { document, ignored: [] };
  throw new GobonnieError(
    'option-invalid',
    msg`${flag('config', config)} has no key "${PACKAGE_KEY}"`,
    `add, for example, "${PACKAGE_KEY}": { "size": 0.5 }`,
  );
}

/** Searches the working directory and then its parents, up to the first config file. */
async function searchConfig(): Promise<FoundConfig> {
  const ignored: string[] = [];
  for (const file of listCandidates()) {
    if (!(await stat(file).catch(() => null))?.isFile()) continue;
    const filePath = path.relative('', file);
    if (await isTrusted(file, isChangedOnlyByUs).catch(() => false)) {
      const document = await readConfigDocument(filePath);
      if (document) return { document, ignored };
    } else if (await isConfigFile(filePath)) {
      ignored.push(display(filePath));
    }
  }
  return { document: null, ignored };
}

/** Returns no candidates if the working directory was removed. */
function listCandidates(): readonly string[] {
  const candidates: string[] = [];
  try {
    for (let directory = path.resolve(); ; directory = path.dirname(directory)) {
      candidates.push(path.join(directory, CONFIG_FILE), path.join(directory, PACKAGE_FILE));
      if (directory === path.dirname(directory)) return candidates;
    }
  } catch {
    return [];
  }
}

/** False for a package.json that is invalid or does not have our key. */
async function isConfigFile(filePath: string): Promise<boolean> {
  return !isPackageJson(filePath) || (await readConfigDocument(filePath).catch(() => null)) !== null;
}

const ROOT = 0;
const WRITABLE_BY_GROUP = 0o020;

/**
 * True if only this user and root can change the file or directory. Unless the user is root, the user's own groups may
 * also change it: colleagues who share a checkout already control what npm runs there.
 */
function isChangedOnlyByUs({ uid, gid, mode }: Stats): boolean {
  const isOwnGroup = process.geteuid?.() !== ROOT && process.getgroups?.().includes(gid);
  return isWritableOnlyByUsOrRoot({ uid, mode: isOwnGroup ? mode & ~WRITABLE_BY_GROUP : mode });
}
