import path from 'node:path';
import { nullIfMissing } from '../system-error.js';
import { createOwnFile, readOwnFile, removeFile } from './own-files.js';
import type { Owner } from './owner.js';

export const MARKER_NAME = 'owner';

const FORMAT = 'gobonnie-scratch/4';

/** Names the owner of a scratch directory, and no files, which a forged marker could choose. Fails if the file exists. */
export async function writeMarker(root: string, owner: Owner): Promise<void> {
  await createOwnFile(path.join(root, MARKER_NAME), `${JSON.stringify({ format: FORMAT, owner })}\n`);
}

/** Returns true if the marker existed. */
export async function removeMarker(root: string): Promise<boolean> {
  return (await nullIfMissing(removeFile(path.join(root, MARKER_NAME)))) !== null;
}

/** Returns null if the marker is missing, another user's, or invalid. */
export async function readMarker(root: string): Promise<Owner | null> {
  const text = await readOwnFile(path.join(root, MARKER_NAME)).catch(() => null);
  try {
    const marker = JSON.parse(text ?? '') as { readonly format: string; readonly owner: Owner };
    return marker.format === FORMAT && isValid(marker.owner) ? marker.owner : null;
  } catch {
    // It is not JSON, or a field is missing or of another type.
    return null;
  }
}

/** Throws a TypeError if there is no owner. */
function isValid({ pid, startTime, host, machine, boot, pidNamespace }: Owner): boolean {
  const texts: readonly unknown[] = [startTime, host, machine, boot, pidNamespace];
  return texts.every((text) => typeof text === 'string') && Number.isSafeInteger(pid);
}
