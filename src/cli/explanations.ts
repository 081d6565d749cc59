import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { GobonnieError } from '../errors.js';
import { systemReason } from '../system-error.js';
import { display } from '../text/escape.js';
import type { Example } from './argv/example.js';

/** Located by the package's own name, which works from src and from dist. */
const PAGE = path.join(
  path.dirname(createRequire(import.meta.url).resolve('gobonnie/package.json')),
  'docs/warnings.md',
);

/** A section of docs/warnings.md, without Markdown. */
export interface Explanation {
  /** The title of its chapter. */
  readonly chapter: string;
  /** The code of a warning or an error, or an exit code. */
  readonly code: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** Commands to paste. */
  readonly examples: readonly Example[];
}

/** Reads docs/warnings.md, which explains all codes. */
export function readExplanations(): readonly Explanation[] {
  const [, ...chapters] = readPage().split(/^## /m);
  return chapters.flatMap((chapter) => {
    const [introduction = '', ...sections] = chapter.split(/^### /m);
    const [title = ''] = introduction.split('\n');
    return sections.map((section) => parseSection(title, section));
  });
}

function readPage(): string {
  try {
    return readFileSync(PAGE, 'utf8');
  } catch (error) {
    // Tools that shrink node_modules remove Markdown files.
    const message = `cannot read ${display(PAGE)}: ${systemReason(error)}`;
    throw new GobonnieError('system-call-failed', message, 'install gobonnie again', { cause: error });
  }
}

function parseSection(chapter: string, section: string): Explanation {
  const [prose = '', commands = ''] = section.split(/^```.*\n/m);
  const [heading = '', ...paragraphs] = removeMarkup(prose).trim().split('\n\n');
  const [code = ''] = heading.split(': ');
  return {
    chapter,
    code,
    title: heading.slice(`${code}: `.length),
    paragraphs: paragraphs.map((paragraph) => paragraph.replaceAll('\n', ' ')),
    examples: commands.trim().split('\n').map(parseExample),
  };
}

/** Removes backticks, and the targets of links. */
function removeMarkup(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');
}

function parseExample(line: string): Example {
  const [command = '', comment = ''] = line.split(/ +# /);
  return { command, comment };
}
