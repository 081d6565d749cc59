import { stat } from 'node:fs/promises';
import { isByUs, isOurs } from '../../run/trust.js';
import { isTrusted } from '../../run/way.js';

/** Why nobody should do what a file says that was only found; null where this user and root alone decide what it says. */
export async function reasonToDistrust(file: string): Promise<string | null> {
  if (await isTrusted(file).catch(() => false)) return null;
  const found = await stat(file).catch(() => null);
  if (found && !isByUs(found)) return 'it belongs to another user';
  if (found && !isOurs(found)) return 'others may write to it';
  return 'others may put another in its place';
}
