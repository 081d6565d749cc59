import { GobonnieError } from '../../errors.js';
import { hangingIndent } from '../../format/writing/fold.js';
import { display } from '../../text/escape.js';
import { findNearest } from '../../text/suggest.js';
import { defineCommand } from '../argv/define-command.js';
import { ValuedArgument } from '../argv/option.js';
import { exampleLines, windowColumns, wrapText } from '../argv/wrap-text.js';
import { EXIT_CODES } from '../exit-codes.js';
import { type Topic, topics } from '../explain/topics.js';

/** Shorter parts occur in too many codes. */
const MIN_PART_LENGTH = 3;

const HEADINGS: Readonly<Record<Topic['kind'], string>> = {
  warning: 'Warnings, which do not end a run',
  error: 'Errors, which end a run',
  'exit code': 'Exit codes',
};

/** Explains a code, or lists the codes. */
export const explain = defineCommand({
  name: 'gobonnie explain',
  usage: '[options] [CODE]',
  description: 'Explains a code: its cause, its effect on the results, and the remedy.',
  argument: new ValuedArgument(
    '[CODE]',
    'the code of a warning or an error, or an exit code (default: list all codes)',
    { choices: topics.map(({ code, title }) => ({ word: code, help: title })) },
  ),
  options: [],
  examples: [
    { command: 'gobonnie explain', comment: 'all codes, one line each' },
    { command: 'gobonnie explain served-from-cache', comment: 'a warning' },
    { command: 'gobonnie explain size-too-large', comment: 'an error' },
    { command: 'gobonnie explain 3', comment: 'an exit code' },
  ],
  notes:
    'Reports also contain these codes (warnings[].code, outcome.code). docs/warnings.md has the same text.',
  request(_, [code]) {
    return {
      type: 'command',
      async run(_process, terminal) {
        terminal.print(code === undefined ? renderList() : renderTopic(findTopic(code)));
        return EXIT_CODES.success;
      },
    };
  },
});

function findTopic(query: string): Topic {
  const wantedCode = query.trim().toLowerCase();
  const topic = topics.find(({ code }) => code === wantedCode);
  if (topic) return topic;
  const similarCodes = findSimilarCodes(wantedCode);
  throw new GobonnieError(
    'option-invalid',
    `unknown code ${display(query)}`,
    similarCodes.length === 0
      ? 'gobonnie explain lists all codes'
      : `did you mean ${new Intl.ListFormat('en', { type: 'disjunction' }).format(similarCodes)}?`,
  );
}

/** Returns the code with the most similar spelling, or all codes that contain the word. */
function findSimilarCodes(wantedCode: string): readonly string[] {
  const codes = topics.map(({ code }) => code);
  const suggestion = findNearest(wantedCode, codes);
  if (suggestion !== null) return [suggestion];
  return wantedCode.length < MIN_PART_LENGTH ? [] : codes.filter((code) => code.includes(wantedCode));
}

function renderList(): string {
  const width = Math.max(...topics.map(({ code }) => code.length));
  const groups = Object.entries(HEADINGS).map(([kind, heading]) => {
    const lines = topics
      .filter((topic) => topic.kind === kind)
      .flatMap(({ code, title }) => hangingIndent(`  ${code.padEnd(width)}  `, title, windowColumns()));
    return [`${heading}:`, ...lines, ''].join('\n');
  });
  return `${groups.join('\n')}\ngobonnie explain CODE shows the details.\n`;
}

function renderTopic({ code, kind, title, cause, impact, remedy, examples, exitCode }: Topic): string {
  const ending = kind === 'error' ? ` (exit code ${exitCode})` : '';
  const heading = `${kind} ${code}${ending}: ${title}`;
  const paragraphs = [heading, `${cause} ${impact}`, remedy].map((text) => wrapText(text));
  return `${[...paragraphs, exampleLines(examples)].filter((part) => part !== '').join('\n\n')}\n`;
}
