import { commandOf } from '../argv/face.js';
import { lex } from '../argv/lexing.js';
import { ValuedArgument } from '../argv/option.js';
import type { Dialect, Request } from '../request.js';

const NOTES =
  'The codes of the warnings and of what ended a run are in every report, too (warnings[].code, outcome.code). ' +
  'The same as a page: docs/warnings.md.';

/** What a warning, an error or an exit code means. */
export const explain: Dialect = {
  name: 'explain',
  summary: 'say what a warning, an error or an exit code means, and what to do',
  group: 'Commands',

  command: () =>
    commandOf({
      name: 'gobonnie explain',
      usage: '[options] [CODE]',
      description:
        'Explains in plain words what was seen, what it means for the figures, and what to do about it.',
      argument: new ValuedArgument(
        '[CODE]',
        "a warning's or an error's code, or an exit code (default: a list of all)",
        { choices: async () => (await import('../explain/topics.js')).topicChoices },
      ),
      options: [],
      examples: [
        { command: 'gobonnie explain', does: 'all of them, with a line each' },
        { command: 'gobonnie explain memory-served', does: 'a warning' },
        { command: 'gobonnie explain size-too-large', does: 'an error' },
        { command: 'gobonnie explain 3', does: 'an exit code' },
      ],
      notes: NOTES,
    }),

  read(args): Request {
    const command = this.command();
    const said = lex(command, args);
    if (said !== null) return { type: 'say', text: said };
    const [code] = command.args;
    return {
      type: 'act',
      load: async () => {
        const { explain } = await import('./explain.js');
        return async (_process, terminal) => explain(code, terminal);
      },
    };
  },
};
