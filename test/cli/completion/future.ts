import { commandOf } from '../../../src/cli/argv/face.js';
import { ValuedArgument, ValuedOption } from '../../../src/cli/argv/option.js';
import { type Shell, shells } from '../../../src/cli/completion/shells.js';
import { programVocabularyOf } from '../../../src/cli/completion/vocabulary.js';
import type { Dialect } from '../../../src/cli/request.js';

/** What ends quotes, brackets and lines in one shell or another, and what it would then do. */
const HOSTILE_HELP = `it's "$(touch obeyed)" \`touch obeyed\` [a]: b\\ %s; touch obeyed {x} 'y`;

/** One that gobonnie does not have yet. */
export const future: Dialect = {
  name: 'moon',
  summary: HOSTILE_HELP,
  group: 'Commands',
  command: () =>
    commandOf({
      name: 'gobonnie moon',
      usage: '[options] DIR',
      description: 'Waits for the moon.',
      argument: new ValuedArgument('[WORD]', HOSTILE_HELP, {
        choices: async () => [{ word: 'crescent', help: HOSTILE_HELP }],
      }),
      options: [
        new ValuedOption({
          flags: '-m, --moon-phase <PHASE>',
          help: HOSTILE_HELP,
          values: { choices: ['waxing', 'waning'] },
        }),
        new ValuedOption({ flags: '--tide', help: HOSTILE_HELP }),
      ],
      examples: [{ command: 'gobonnie moon', does: 'waits' }],
      notes: 'Only at night.',
    }),
  read: () => ({ type: 'say', text: '' }),
};

/** A script with it. */
export async function futureScript(shell: Shell): Promise<string> {
  const print = await shells[shell]();
  return print(await programVocabularyOf({ main: future, named: [future] }));
}
