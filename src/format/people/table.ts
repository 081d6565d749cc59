import { stringifySafely } from '../../text/escape.js';
import { type Paint, PLAIN } from '../writing/paint.js';
import { endOf, widthOf } from '../writing/width.js';

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

export interface TableStyle {
  readonly paint: Paint;
  /** The width that the text must fit, if there is one. */
  readonly columns: number;
  /** Whether all figures are shown, or only those that are judged. */
  readonly all: boolean;
  /** How much has to be left out to fit, from nothing on. */
  readonly omission: number;
}

const USUAL: TableStyle = { paint: PLAIN, columns: Infinity, all: false, omission: 0 };
/** How wide heads may be, by what is left out: two fit into 80 columns beside their changes, one into 40. */
const HEAD_COLUMNS = [16, 16, 10];

/** A table with sentences below it. */
interface Content<Subject extends readonly unknown[]> {
  readonly table: (subject: Subject, style: TableStyle) => Table;
  /** What each of several tables can show, where one would be too wide. */
  readonly apart: (subject: Subject) => readonly Subject[];
  readonly sentences: (subject: Subject) => readonly string[];
  readonly document: (subject: Subject) => object;
}

/** Renders it in each format; only the text for a terminal is painted and made to fit. */
export function tabled<Subject extends readonly unknown[]>(
  { table, apart, sentences, document }: Content<Subject>,
  asked: Partial<TableStyle>,
) {
  const style = { ...USUAL, ...asked };
  const linesOf = ([[head = [], ...rows], alignments]: Table, columns = Infinity) =>
    alignedTable([head.map((name) => endOf(name, columns)), ...rows], alignments);
  /** One table, or several if there is no other way: a single one leaves out more instead. */
  const linesThatFit = (subject: Subject): readonly string[] => {
    const parts = apart(subject);
    const omissions = [...HEAD_COLUMNS.keys()].slice(0, parts.length > 1 ? -1 : undefined);
    const tried = omissions.map((omission) =>
      linesOf(table(subject, { ...style, omission }), HEAD_COLUMNS[omission]),
    );
    const fitting = tried.find((lines) => lines.every((line) => widthOf(line) < style.columns));
    if (fitting) return [...fitting, ''];
    return parts.length > 1 ? parts.flatMap(linesThatFit) : [...(tried.at(-1) ?? []), ''];
  };
  return {
    text: (...subject: Subject) => `${[...linesThatFit(subject), ...sentences(subject)].join('\n')}\n`,
    json: (...subject: Subject) => stringifySafely(document(subject)),
    markdown: (...subject: Subject) => {
      const items = sentences(subject).map((line) => `- ${inMarkdown(line)}`);
      const rows = markdownTable(...table(subject, { ...style, paint: PLAIN }));
      return `${[...rows, '', ...items].join('\n')}\n`;
    },
  };
}
