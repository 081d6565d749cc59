import { stat } from 'node:fs/promises';

/**
 * What tells a directory from any other of its filesystem, be it one that is given its number later. The device's
 * number is no part of it: that may be another one when the machine has been started anew.
 */
export async function identityOf(directory: string): Promise<string> {
  // Behind a name, the dot leads through what is held open.
  const { ino, birthtimeNs } = await stat(`${directory}/.`, { bigint: true });
  return `${ino} ${birthtimeNs}`;
}
