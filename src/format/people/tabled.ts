import { harmlessJson } from '../../text/escape.js';
import { type Paint, PLAIN } from '../writing/paint.js';
import { type Alignment, alignedTable, inMarkdown, markdownTable } from './table.js';

export type Table = [rows: readonly (readonly string[])[], alignments: readonly Alignment[]];

/** What can be said of something in a table with sentences below it. */
interface Content<Told extends readonly unknown[]> {
  readonly table: (told: Told, paint: Paint) => Table;
  readonly sentences: (told: Told, paint: Paint) => readonly string[];
  readonly document: (told: Told) => object;
}

/** Every form of that, one row each; only what is for people alone is painted. */
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
