import type { Example } from './argv/help-layout.js';
import { readPackageFile } from './package-file.js';

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
  const [, ...chapters] = readPackageFile('docs/warnings.md').split(/^## /m);
  return chapters.flatMap((chapter) => {
    const [introduction = '', ...sections] = chapter.split(/^### /m);
    const [title = ''] = introduction.split('\n');
    return sections.map((section) => parseSection(title, section));
  });
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
