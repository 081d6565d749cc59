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
interface Content<Told extends readonly unknown[]> {
  readonly table: (told: Told, paint: Paint) => Table;
  readonly sentences: (told: Told, paint: Paint) => readonly string[];
  readonly document: (told: Told) => object;
}

/** Renders it in each format; only the text for a terminal is painted. */
export function tabled<Told extends readonly unknown[]>(
  { table, sentences, document }: Content<Told>,
  paint: Paint,
) {
  return {
    text: (...told: Told) => {
      const lines = [...alignedTable(...table(told, paint)), ...sentences(told, paint)];
      return `${lines.join('\n')}\n`;
    },
    json: (...told: Told) => harmlessJson(document(told)),
    markdown: (...told: Told) => {
      const items = sentences(told, PLAIN).map((line) => `- ${inMarkdown(line)}`);
      return `${[...markdownTable(...table(told, PLAIN)), '', ...items].join('\n')}\n`;
    },
  };
}
