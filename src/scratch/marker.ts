import path from 'node:path';
import { nullIfMissing } from '../system-error.js';
import { createOwnFile, readOwnFile, removeFile } from './own-files.js';
import type { Owner } from './owner.js';

export const MARKER_NAME = 'owner';

const FORMAT = 'gobonnie-scratch/4';

/** The owner of a scratch directory. It holds no names, so a forged marker names no other files. */
export interface Marker {
  readonly owner: Owner;
}

/** Fails if anything of that name exists. */
export async function writeMarker(root: string, marker: Marker): Promise<void> {
  await createOwnFile(path.join(root, MARKER_NAME), `${JSON.stringify({ format: FORMAT, ...marker })}\n`);
}

/** Returns true if the marker existed. */
export async function removeMarker(root: string): Promise<boolean> {
  return (await nullIfMissing(removeFile(path.join(root, MARKER_NAME)))) !== null;
}

/** Returns null if the marker is missing, another user's, or invalid. */
export async function readMarker(root: string): Promise<Marker | null> {
  const text = await readOwnFile(path.join(root, MARKER_NAME)).catch(() => null);
  try {
    const marker = JSON.parse(text ?? '') as Marker & { readonly format: string };
    return isValid(marker) ? marker : null;
  } catch {
    // It is not JSON, or a field is missing or of another type.
    return null;
  }
}

/** Throws a TypeError if a field is missing. */
function isValid({ format, owner }: Marker & { readonly format: string }): boolean {
  const { pid, startTime, host, machine, boot, pidNamespace } = owner;
  return (
    format === FORMAT &&
    [startTime, host, machine, boot, pidNamespace].every((text) => typeof text === 'string') &&
    Number.isSafeInteger(pid)
  );
}
