import { harmlessJson } from '../../text/escape.js';
import { type Paint, PLAIN } from '../writing/paint.js';
import { widthOf } from '../writing/width.js';

export type Alignment = 'left' | 'right';

/** Aligned columns, two spaces apart. */
export function alignedTable(
  rows: readonly (readonly string[])[],
  alignments: readonly Alignment[],
): readonly string[] {
  const widths = alignments.map((_, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ''))));
  return rows.map((row) =>
    alignments
      .map((alignment, column) => {
        const cell = row[column] ?? '';
        const gap = ' '.repeat((widths[column] ?? 0) - widthOf(cell));
        return alignment === 'left' ? cell + gap : gap + cell;
      })
      .join('  ')
      .trimEnd(),
  );
}

/** The first row is the head. */
export function markdownTable(
  [head = [], ...rows]: readonly (readonly string[])[],
  alignments: readonly Alignment[],
): readonly string[] {
  const rule = alignments.map((alignment) => (alignment === 'left' ? '---' : '--:'));
  return [head.map(inMarkdown), rule, ...rows.map((row) => row.map(inMarkdown))].map(
    (cells) => `| ${cells.join(' | ')} |`,
  );
}

/** Markdown's special characters, and the colons of links and emoji. */
const MARKS = /[\\`*_[\]<>|~&@#$]|:(?=\/\/)|(?<!\d):(?=[\w+-]+:)/g;

/** Text without meaning to Markdown, GitHub's Markdown or HTML. */
export function inMarkdown(text: string): string {
  return text.replace(MARKS, (char) => `&#${char.charCodeAt(0)};`);
}

export type Table = [rows: readonly (readonly string[])[], alignments: readonly Alignment[]];

/** A table with sentences below it. */
interface Content<Subject extends readonly unknown[]> {
  readonly table: (subject: Subject, paint: Paint) => Table;
  readonly sentences: (subject: Subject, paint: Paint) => readonly string[];
  readonly document: (subject: Subject) => object;
}

/** Renders it in each format; only the text for a terminal is painted. */
export function tabled<Subject extends readonly unknown[]>(
  { table, sentences, document }: Content<Subject>,
  paint: Paint,
) {
  return {
    text: (...subject: Subject) => {
      const lines = [...alignedTable(...table(subject, paint)), ...sentences(subject, paint)];
      return `${lines.join('\n')}\n`;
    },
    json: (...subject: Subject) => harmlessJson(document(subject)),
    markdown: (...subject: Subject) => {
      const items = sentences(subject, PLAIN).map((line) => `- ${inMarkdown(line)}`);
      return `${[...markdownTable(...table(subject, PLAIN)), '', ...items].join('\n')}\n`;
    },
  };
}
