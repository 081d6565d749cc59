import { type Shell, shells } from '../completion/shells.js';
import { type Program, programVocabularyOf } from '../completion/vocabulary.js';
import { EXIT_CODES } from '../exit-codes.js';
import type { Terminal } from '../output/terminal.js';

/** Prints a shell's script; gives the exit code. */
export async function completion(shell: Shell, program: Program, terminal: Terminal): Promise<number> {
  const script = await shells[shell]();
  terminal.answer(script(await programVocabularyOf(program)));
  return EXIT_CODES.done;
}
