import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';

/**
 * What tells a directory from any other of its filesystem, be it one that is given its number later. The device's
 * number is no part of it: that may be another one when the machine has been started anew.
 */
export async function identityOf(directory: string): Promise<string> {
  const { ino, birthtimeNs } = await look(directory);
  return `${ino} ${birthtimeNs}`;
}

/** When it was made; where the filesystem does not know, as early as can be. Without statx it is the last change. */
export async function birthMsOf(directory: string): Promise<number> {
  return Number((await look(directory)).birthtimeMs);
}

/** Behind a name, the dot leads through what is held open. */
function look(directory: string): Promise<BigIntStats> {
  return stat(`${directory}/.`, { bigint: true });
}
