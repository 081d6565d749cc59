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

/** Uses the same flags, and prints the same CSV line. */
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
        // -q prints only CSV on stdout; -r 0 allows a size that fits in RAM.
        buildCommand('-q', '-r', '0', '-d', directory, ...userFlags(), ...flags),
        signal,
      );
      return parseBonnieCsv(stdout, metrics);
    },
  };
}

/** Needed if the bench could not drop root: both programs reject root without -u. */
function userFlags(): string[] {
  return process.getuid?.() === ROOT ? ['-u', 'root'] : [];
}

/** Parses the usage text, which bonnie++ prints for any unknown flag, because it has no flag for its version. */
async function queryVersion(signal: AbortSignal): Promise<string | undefined> {
  const { stdout, stderr } = await startChild([PROGRAM, '-h'], signal).exit;
  signal.throwIfAborted();
  return /^Version: (.+)$/m.exec(stdout + stderr)?.[1];
}
