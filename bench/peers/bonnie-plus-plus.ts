import { type Command, runChild, startChild } from '../measuring/child.js';
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
        // -q leaves only CSV on stdout; -r 0 lets it measure a size that fits in memory.
        commandOf('-q', '-r', '0', '-d', directory, ...userFlags(), ...flags),
        signal,
      );
      return figuresOf(stdout, figures);
    },
  };
}

/** If the bench could not give up root: both programs refuse to run as root without -u. */
function userFlags(): string[] {
  return process.getuid?.() === ROOT ? ['-u', 'root'] : [];
}

/** bonnie++ has no flag for that, but prints it with its usage, as it does for any unknown flag. */
async function printedVersion(signal: AbortSignal): Promise<string | undefined> {
  const { stdout, stderr } = await startChild([PROGRAM, '-h'], signal).exit;
  signal.throwIfAborted();
  return /^Version: (.+)$/m.exec(stdout + stderr)?.[1];
}
