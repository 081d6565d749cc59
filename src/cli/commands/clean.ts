import os from 'node:os';
import path from 'node:path';
import { GobonnieError } from '../../errors.js';
import { type Cleared, clearLeftovers, leftoversIn } from '../../scratch/leftovers.js';
import { knownError, systemReason } from '../../system-error.js';
import { shown } from '../../text/escape.js';
import type { Terminal } from '../output/terminal.js';

const BY_HAND = 'once that is fixed, remove it by hand or with gobonnie clean';

interface Cleaning {
  readonly directory: string | undefined;
  readonly dryRun: boolean;
}

/** Removes what killed runs have left in a directory, and names what stays and why; gives the exit code. */
export async function clean(
  { directory = os.tmpdir(), dryRun }: Cleaning,
  terminal: Terminal,
): Promise<number> {
  const place = path.resolve(directory);
  const found = await leftoversIn(place).catch(refuse(place));
  if (found.length === 0)
    terminal.narrate(`gobonnie: there is nothing of yours in ${shown(place)} that a killed run has left`);
  for (const { path, reason } of found)
    if (reason !== null) terminal.narrate(`gobonnie: ${shown(path)} stays: ${reason}`);
  if (dryRun) {
    for (const { path, reason } of found)
      if (reason === null) terminal.answer(`would remove ${shown(path)}\n`);
    return 0;
  }
  const cleared = await clearLeftovers(place).catch(refuse(place));
  for (const { path, error } of cleared) if (error === null) terminal.answer(`removed ${shown(path)}\n`);
  const failed = cleared.filter(({ error }) => error !== null);
  for (const one of failed) terminal.narrate(failureLine(one));
  return failed.length > 0 ? 1 : 0;
}

/** What a run says of what it found in its way. */
export function clearedLine(one: Cleared): string {
  return one.error
    ? failureLine(one)
    : `gobonnie: removed ${shown(one.path)}, which a run that was killed had left`;
}

function failureLine({ path, error }: Cleared): string {
  const cause = error ?? new Error();
  return `gobonnie: ${shown(path)}, which a run that was killed had left, could not be removed: ${systemReason(cause)}; ${BY_HAND}`;
}

/** What is known already says itself what to do. */
function refuse(place: string): (error: Error) => never {
  return (error) => {
    if (error instanceof GobonnieError || !knownError(error)) throw error;
    throw new GobonnieError(
      'directory-unusable',
      `${shown(place)} cannot be looked through: ${systemReason(error)}`,
      'pass the directory that was measured',
      { cause: error },
    );
  };
}
