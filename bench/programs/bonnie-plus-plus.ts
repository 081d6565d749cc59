import { type Command, runChild, startChild } from '../harness/child.js';
import type { BenchmarkedProgram, BonnieWork } from './benchmarked-program.js';
import { parseBonnieCsv } from './bonnie-plus-plus-csv.js';
import { gobonnieCommand, gobonnieProgram } from './gobonnie.js';
import { undefinedIfMissing } from './installed-version.js';

const PROGRAM = 'bonnie++';
const ROOT = 0;

export const bonniePlusPlusProgram: BenchmarkedProgram<BonnieWork> = {
  name: PROGRAM,
  version: (signal) => undefinedIfMissing(() => queryVersion(signal)),
  ...measureWith((...flags) => [PROGRAM, ...flags]),
};

/** The same flags, and the same line of CSV. */
export const gobonnieAsBonniePlusPlus: BenchmarkedProgram<BonnieWork> = {
  name: gobonnieProgram.name,
  version: gobonnieProgram.version,
  ...measureWith((...flags) => gobonnieCommand(PROGRAM, ...flags)),
};

function measureWith(
  buildCommand: (...flags: string[]) => Command,
): Pick<BenchmarkedProgram<BonnieWork>, 'supports' | 'measure'> {
  return {
    supports: () => true,
    async measure({ flags, metrics }, directory, signal) {
      const { stdout } = await runChild(
        // -q leaves only CSV on stdout; -r 0 lets it measure a size that fits in memory.
        buildCommand('-q', '-r', '0', '-d', directory, ...userFlags(), ...flags),
        signal,
      );
      return parseBonnieCsv(stdout, metrics);
    },
  };
}

/** If the bench could not give up root: both programs refuse to run as root without -u. */
function userFlags(): string[] {
  return process.getuid?.() === ROOT ? ['-u', 'root'] : [];
}

/** bonnie++ has no flag for that, but prints it with its usage, as it does for any unknown flag. */
async function queryVersion(signal: AbortSignal): Promise<string | undefined> {
  const { stdout, stderr } = await startChild([PROGRAM, '-h'], signal).exit;
  signal.throwIfAborted();
  return /^Version: (.+)$/m.exec(stdout + stderr)?.[1];
}
