import { readdir } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { isOver, type Leftover, standingWith } from '../scratch/leftovers.js';
import type { Owner } from '../scratch/owner.js';
import { DirectoryHandle } from '../scratch/safe-path/directory-handle.js';
import { readOwnFile } from '../scratch/safe-path/own-file.js';
import { removeFile } from '../scratch/safe-path/patience.js';

/** In the directory of --rendezvous. */
export const POINTER = '.gobonnie-meeting';
const CARD = '.gobonnie-rank';
const ROOM = /^\.gobonnie-meeting\.([\da-f-]{36})$/;
const OWNER = 'owner';

const texts = z.string();
const ownerSchema = z.object({
  ...{ pid: z.int(), startTime: texts, host: texts, machine: texts, boot: texts, pidNamespace: texts },
});
const cardSchema = z.object({ nonce: texts, owner: ownerSchema });

export const cardOf = (rank: number) => `${CARD}.${rank}`;
export const ownerOf = (room: string) => path.join(room, OWNER);

/** What a rank that looks for the others draws, and who it is. Null for a text that is none. */
export function readCard(text: string | null): z.infer<typeof cardSchema> | null {
  try {
    return cardSchema.parse(JSON.parse(text ?? ''));
  } catch {
    return null;
  }
}

export function isRoom(name: string): boolean {
  return ROOM.test(name);
}

/** The cards and rooms of ranks that look for each other, or did so when they were killed. */
export async function meetingsIn(directory: string): Promise<readonly Leftover[]> {
  return (await DirectoryHandle.open(directory)).use(meetingsOf);
}

async function meetingsOf(ground: DirectoryHandle): Promise<readonly Leftover[]> {
  const found: Leftover[] = [];
  for (const name of await readdir(ground.root)) {
    const owner = await ownerIn(ground, name);
    const place = ground.named(path.join(ground.root, name));
    if (owner) found.push({ path: place, ...standingWith(owner, jobOf(name)) });
  }
  return found;
}

/** Removes the cards and rooms that may be removed; gives their paths. */
export async function clearMeetings(directory: string, job: string | null): Promise<readonly string[]> {
  return (await DirectoryHandle.open(directory)).use(async (ground) => {
    const over = (await meetingsOf(ground)).filter((one) => isOver(one, job));
    for (const name of over.map((one) => path.basename(one.path)))
      if (isRoom(name)) await removeIn(ground, name);
      else await removeFile(path.join(ground.root, name));
    return over.map((one) => one.path);
  });
}

function jobOf(room: string): string | null {
  return ROOM.exec(room)?.[1] ?? null;
}

/** Removes a room with all that is in it. */
export async function removeRoom(room: string): Promise<void> {
  const ground = await DirectoryHandle.open(path.dirname(room));
  await ground.use(() => removeIn(ground, path.basename(room)));
}

/** Each directory is opened in the one before, as others may be able to put a link in its place. */
async function removeIn(ground: DirectoryHandle, name: string): Promise<void> {
  const directory = await ground.enter(name);
  await directory.use(async () => {
    for (const entry of await readdir(directory.root, { withFileTypes: true })) {
      if (entry.isDirectory()) await removeIn(directory, entry.name);
      else await removeFile(path.join(directory.root, entry.name));
    }
    await directory.removeDirectory();
  });
  if (isRoom(name)) await removePointerTo(ground, name);
}

/** Who made a card or a room. Undefined for anything else. */
async function ownerIn(ground: DirectoryHandle, name: string): Promise<Owner | undefined> {
  if (name.startsWith(`${CARD}.`)) return readCard(await readOwnFile(path.join(ground.root, name)))?.owner;
  const room = isRoom(name) ? await ground.enter(name).catch(() => null) : null;
  return room?.use(async () => {
    try {
      return ownerSchema.parse(JSON.parse((await readOwnFile(ownerOf(room.root))) ?? ''));
    } catch {
      return undefined;
    }
  });
}

async function removePointerTo(ground: DirectoryHandle, room: string): Promise<void> {
  const pointer = path.join(ground.root, POINTER);
  if ((await readOwnFile(pointer))?.includes(`"${room}"`)) await removeFile(pointer);
}
