import { stat } from 'node:fs/promises';
import path from 'node:path';
import { GobonnieError } from '../../errors.js';
import { shown } from '../../text/escape.js';
import { CONFIG_FILE, PACKAGE_FILE } from './catalogue.js';
import { type Document, isPackage, readDocument } from './document.js';
import { reasonToDistrust, upward } from './trust.js';

/** What was looked for and came to light. */
export interface Found {
  readonly document: Document | null;
  /** What is not obeyed, as if it were not there. */
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

/** Null where it has been removed. */
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

/** A package.json that cannot be read is npm's affair. */
async function readFound(given: string): Promise<Document | null> {
  try {
    return await readDocument(given);
  } catch (error) {
    if (!(error instanceof GobonnieError) || error.code !== 'unreadable') throw error;
    if (isPackage(given)) return null;
    throw new GobonnieError('option-invalid', error.message, 'mend that, or pass --no-config', {
      cause: error,
    });
  }
}

/** What is not obeyed matters only where it speaks to us, and not even that it is broken. */
async function isMeant(given: string): Promise<boolean> {
  if (!isPackage(given)) return true;
  return (await readDocument(given).catch(() => null)) !== null;
}
