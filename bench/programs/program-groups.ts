import type { BenchmarkedProgram, BlockWork, BonnieWork, ProgramGroup } from './benchmarked-program.js';
import { bonniePlusPlusProgram, gobonnieAsBonniePlusPlus } from './bonnie-plus-plus.js';
import { fioProgram, fioUnalignedProgram } from './fio.js';
import { gobonnieProgram } from './gobonnie.js';
import { gobonniegoProgram } from './gobonniego.js';

/** Programs for gobonnie's own phases. */
export const blockPrograms: ProgramGroup<BlockWork> = {
  ours: gobonnieProgram,
  theirs: [fioProgram, fioUnalignedProgram, gobonniegoProgram],
};

/** Programs for the phases of bonnie++, with its flags. */
export const bonniePrograms: ProgramGroup<BonnieWork> = {
  ours: gobonnieAsBonniePlusPlus,
  theirs: [bonniePlusPlusProgram],
};

/** All programs whose version the bench prints. */
export const allPrograms: readonly Pick<BenchmarkedProgram, 'name' | 'version'>[] = [
  gobonnieProgram,
  ...blockPrograms.theirs,
  ...bonniePrograms.theirs,
];
