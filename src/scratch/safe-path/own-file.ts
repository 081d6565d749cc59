import { type FileHandle, open, unlink } from 'node:fs/promises';
import { CREATE_NEW } from '../../../workers/protocol.js';

/** Only the user who runs gobonnie may read what it writes. */
export const FILE_MODE = 0o600;

/** Windows has no such users. */
export function isOwn({ uid }: { readonly uid: number }): boolean {
  return process.geteuid === undefined || uid === process.geteuid();
}

/** What the system says of a file that is not there; of a path that is too long for it, that none can be. */
const MISSING = ['ENOENT', 'ENAMETOOLONG'];

export function isMissing({ code = '' }: NodeJS.ErrnoException): boolean {
  return MISSING.includes(code);
}

export function unlessMissing(act: (error: NodeJS.ErrnoException) => void) {
  return (error: NodeJS.ErrnoException) => {
    if (!isMissing(error)) act(error);
  };
}

/** Makes an empty file. */
export async function makeFile(file: string): Promise<void> {
  await make(file, async () => {});
}

/** Makes a file that holds this text whenever it is found, be it after a power cut. Where that fails, there is none. */
export async function makeDurably(file: string, text: string): Promise<void> {
  await make(file, async (handle) => {
    await handle.writeFile(text);
    await handle.datasync();
  });
}

/** The system's errors say of which descriptor; here they say of which file. */
async function make(file: string, fill: (handle: FileHandle) => Promise<void>): Promise<void> {
  const handle = await open(file, CREATE_NEW, FILE_MODE);
  try {
    try {
      await fill(handle);
    } finally {
      await handle.close();
    }
  } catch (error) {
    await unlink(file).catch(() => {});
    throw Object.assign(error as NodeJS.ErrnoException, { path: file });
  }
}
