import { gobonniego } from '../ancestors/gobonniego.js';
import type { CommandRow } from '../argv/command.js';
import { EXIT_CODES } from '../exit-codes.js';
import type { Act } from '../request.js';
import { answerFor, type CompletionAnswer } from './answer.js';

/**
 * What the shells' scripts ask: `gobonnie __complete .CURRENT [BEFORE...]`, with the word at the cursor behind a dot, as
 * PowerShell drops empty words. Prints the kind of answer, then each word with a tab and what it is.
 */
export function complete([dotted = '.', ...before]: readonly string[], commands: readonly CommandRow[]): Act {
  return async (_process, terminal) => {
    // What is typed may be half a line, or wrong: then there is nothing to offer.
    const answer = await answerFor(
      { commands, program: gobonniego, profileNames },
      before,
      dotted.slice(1),
    ).catch((): CompletionAnswer => ({ kind: 'words', words: [] }));
    const words = 'words' in answer ? answer.words : [];
    const lines = words.map(({ word, help }) => `${word}\t${help.replace(/\s+/g, ' ')}\n`);
    terminal.answer(`${answer.kind}\n${lines.join('')}`);
    return EXIT_CODES.done;
  };
}

/** The profiles in that config file, or else in the one that is found. */
async function profileNames(configFile: string | undefined): Promise<readonly string[]> {
  const { readDocument, search } = await import('../commands/loaded-together.js');
  const document = configFile === undefined ? (await search()).document : await readDocument(configFile);
  const { profiles = {} } = (document?.value ?? {}) as { profiles?: object };
  return Object.keys(profiles);
}
