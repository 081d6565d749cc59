import { readdir } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { Leftover } from '../scratch/leftovers.js';
import { type Owner, whyPossiblyAlive } from '../scratch/owner.js';
import { DirectoryHandle } from '../scratch/safe-path/directory-handle.js';
import { readOwnFile } from '../scratch/safe-path/own-file.js';
import { removeFile } from '../scratch/safe-path/retry.js';

/** Name of rank 0's file in the directory of --rendezvous. */
export const RENDEZVOUS_FILE = '.gobonnie-rendezvous';
const RANK_FILE = '.gobonnie-rank';
const RENDEZVOUS_NAME = /^\.gobonnie-rendezvous\.[\da-f-]{36}$/;
const OWNER_FILE = 'owner';

const ownerSchema = z.object({
  pid: z.int(),
  startTime: z.string(),
  host: z.string(),
  machine: z.string(),
  boot: z.string(),
  pidNamespace: z.string(),
});
const rankFileSchema = z.object({ nonce: z.string(), owner: ownerSchema });

export const rankFileName = (rank: number) => `${RANK_FILE}.${rank}`;
export const ownerFile = (rendezvous: string) => path.join(rendezvous, OWNER_FILE);

/** Returns a joining rank's nonce and owner. Null for any other text. */
export function parseRankFile(text: string | null): z.infer<typeof rankFileSchema> | null {
  try {
    return rankFileSchema.parse(JSON.parse(text ?? ''));
  } catch {
    return null;
  }
}

export function isRendezvousName(name: string): boolean {
  return RENDEZVOUS_NAME.test(name);
}

/** Returns the rank files and rendezvous directories of ranks that are joining or connected, or were killed. */
export async function findRendezvous(
  directory: string,
  deadHost: string | null = null,
): Promise<readonly Leftover[]> {
  const parent = await DirectoryHandle.open(directory);
  return parent.use(() => scanForRendezvous(parent, deadHost));
}

async function scanForRendezvous(
  parent: DirectoryHandle,
  deadHost: string | null,
): Promise<readonly Leftover[]> {
  const found: Leftover[] = [];
  for (const name of await readdir(parent.root)) {
    const owner = await readOwner(parent, name);
    const entryPath = parent.displayPath(path.join(parent.root, name));
    if (owner) found.push({ path: entryPath, reason: whyPossiblyAlive(owner, deadHost) });
  }
  return found;
}

/** Removes the stale rank files and rendezvous directories. Returns their paths. */
export async function removeStaleRendezvous(
  directory: string,
  deadHost: string | null = null,
): Promise<readonly string[]> {
  return (await DirectoryHandle.open(directory)).use(async (parent) => {
    const removable = (await scanForRendezvous(parent, deadHost)).filter(({ reason }) => reason === null);
    for (const name of removable.map((one) => path.basename(one.path)))
      if (isRendezvousName(name)) await removeTreeIn(parent, name);
      else await removeFile(path.join(parent.root, name));
    return removable.map((one) => one.path);
  });
}

/** Removes a rendezvous directory and its contents. */
export async function removeRendezvous(rendezvous: string): Promise<void> {
  const parent = await DirectoryHandle.open(path.dirname(rendezvous));
  await parent.use(() => removeTreeIn(parent, path.basename(rendezvous)));
}

/** Opens each directory through its parent's handle, because other users may be able to replace it with a link. */
async function removeTreeIn(parent: DirectoryHandle, name: string): Promise<void> {
  const directory = await parent.enter(name);
  await directory.use(async () => {
    for (const entry of await readdir(directory.root, { withFileTypes: true })) {
      if (entry.isDirectory()) await removeTreeIn(directory, entry.name);
      else await removeFile(path.join(directory.root, entry.name));
    }
    await directory.removeDirectory();
  });
  if (isRendezvousName(name)) await removeRendezvousFileFor(parent, name);
}

/** Returns the owner of a rank file or a rendezvous directory. Undefined for anything else. */
async function readOwner(parent: DirectoryHandle, name: string): Promise<Owner | undefined> {
  if (name.startsWith(`${RANK_FILE}.`))
    return parseRankFile(await readOwnFile(path.join(parent.root, name)))?.owner;
  const rendezvous = isRendezvousName(name) ? await parent.enter(name).catch(() => null) : null;
  return rendezvous?.use(async () => {
    try {
      return ownerSchema.parse(JSON.parse((await readOwnFile(ownerFile(rendezvous.root))) ?? ''));
    } catch {
      return undefined;
    }
  });
}

async function removeRendezvousFileFor(parent: DirectoryHandle, rendezvous: string): Promise<void> {
  const file = path.join(parent.root, RENDEZVOUS_FILE);
  if ((await readOwnFile(file))?.includes(`"${rendezvous}"`)) await removeFile(file);
}
