import { GobonnieError } from '../../errors.js';
import { shown } from '../../text/escape.js';
import { nearest } from '../../text/suggest.js';
import { exampleLines, wrapped } from '../argv/wrapping.js';
import { EXIT_CODES } from '../exit-codes.js';
import { type Topic, topics } from '../explain/topics.js';
import type { Terminal } from '../output/terminal.js';

/** Less is in too many codes. */
const LEAST_PART = 3;

const HEADINGS: Readonly<Record<Topic['kind'], string>> = {
  warning: 'Warnings, of which a report may hold several',
  error: 'Errors, which end a run',
  'exit code': 'Exit codes',
};

/** Says what a code means, or which codes there are; gives the exit code. */
export function explain(code: string | undefined, terminal: Terminal): number {
  terminal.answer(code === undefined ? listText() : topicText(topicOf(code)));
  return EXIT_CODES.done;
}

function topicOf(given: string): Topic {
  const wanted = given.trim().toLowerCase();
  const topic = topics.find(({ code }) => code === wanted);
  if (topic) return topic;
  const near = codesNear(wanted);
  throw new GobonnieError(
    'option-invalid',
    `there is no code ${shown(given)}`,
    near.length === 0
      ? 'gobonnie explain without one lists them all'
      : `did you mean ${new Intl.ListFormat('en', { type: 'disjunction' }).format(near)}?`,
  );
}

/** The one that was mistyped, or those of which a part was given. */
function codesNear(wanted: string): readonly string[] {
  const codes = topics.map(({ code }) => code);
  const near = nearest(wanted, codes);
  if (near !== null) return [near];
  return wanted.length < LEAST_PART ? [] : codes.filter((code) => code.includes(wanted));
}

function listText(): string {
  const width = Math.max(...topics.map(({ code }) => code.length));
  const groups = Object.entries(HEADINGS).map(([kind, heading]) => {
    const lines = topics
      .filter((topic) => topic.kind === kind)
      .map(({ code, title }) => `  ${code.padEnd(width)}  ${title}\n`);
    return `${heading}:\n${lines.join('')}`;
  });
  return `${groups.join('\n')}\ngobonnie explain CODE says more of one.\n`;
}

function topicText({ code, kind, title, seen, means, remedy, examples, exitCode }: Topic): string {
  const ending = kind === 'error' ? ` (exit code ${exitCode})` : '';
  const heading = `${kind} ${code}${ending}: ${title}`;
  const paragraphs = [heading, `${seen} ${means}`, remedy].map((text) => wrapped(text));
  return `${[...paragraphs, exampleLines(examples)].join('\n\n')}\n`;
}
