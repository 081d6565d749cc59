import { type Command, runChild, startChild } from '../child.js';
import { figuresOf } from './bonnie-plus-plus-csv.js';
import { gobonnie, gobonnieCommand } from './gobonnie.js';
import { whereInstalled } from './installed.js';
import type { FamilyWork, Peer } from './peer.js';

const PROGRAM = 'bonnie++';
const ROOT = 0;

export const bonniePlusPlus: Peer<FamilyWork> = {
  name: PROGRAM,
  version: (signal) => whereInstalled(() => printedVersion(signal)),
  ...measuredBy((...flags) => [PROGRAM, ...flags]),
};

/** The same flags, and the same line of CSV. */
export const gobonnieBonniePlusPlus: Peer<FamilyWork> = {
  name: gobonnie.name,
  version: gobonnie.version,
  ...measuredBy((...flags) => gobonnieCommand(PROGRAM, ...flags)),
};

function measuredBy(commandOf: (...flags: string[]) => Command): Pick<Peer<FamilyWork>, 'can' | 'measure'> {
  return {
    can: () => true,
    async measure({ flags, figures }, directory, signal) {
      const { stdout } = await runChild(
        // Quietly, CSV alone is on stdout. The memory is not looked at: what it holds is measured as well.
        commandOf('-q', '-r', '0', '-d', directory, ...userFlags(), ...flags),
        signal,
      );
      return figuresOf(stdout, figures);
    },
  };
}

/** Where the bench could not stop being root: both refuse root that is not named. */
function userFlags(): string[] {
  return process.getuid?.() === ROOT ? ['-u', 'root'] : [];
}

/** It has no flag for that, but says it under its usage, which it prints for any flag that it does not know. */
async function printedVersion(signal: AbortSignal): Promise<string | undefined> {
  const { stdout, stderr } = await startChild([PROGRAM, '-h'], signal).exit;
  signal.throwIfAborted();
  return /^Version: (.+)$/m.exec(stdout + stderr)?.[1];
}
