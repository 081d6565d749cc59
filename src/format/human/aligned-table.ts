import { stringifySafely } from '../../text/escape.js';
import { type Paint, PLAIN_PAINT } from '../writing/paint.js';
import { displayWidth, truncateStart } from '../writing/width.js';

export type Alignment = 'left' | 'right';

/** Aligned columns, two spaces apart. */
export function alignedTable(
  rows: readonly (readonly string[])[],
  alignments: readonly Alignment[],
): readonly string[] {
  const widths = alignments.map((_, column) =>
    Math.max(...rows.map((row) => displayWidth(row[column] ?? ''))),
  );
  return rows.map((row) =>
    alignments
      .map((alignment, column) => {
        const cell = row[column] ?? '';
        const gap = ' '.repeat((widths[column] ?? 0) - displayWidth(cell));
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
  return [head.map(escapeMarkdown), rule, ...rows.map((row) => row.map(escapeMarkdown))].map(
    (cells) => `| ${cells.join(' | ')} |`,
  );
}

/** Markdown's special characters, and the colons of links and emoji. */
const MARKDOWN_CHARACTERS = /[\\`*_[\]<>|~&@#$]|:(?=\/\/)|(?<!\d):(?=[\w+-]+:)/g;

/** Text without meaning to Markdown, GitHub's Markdown or HTML. */
export function escapeMarkdown(text: string): string {
  return text.replace(MARKDOWN_CHARACTERS, (char) => `&#${char.charCodeAt(0)};`);
}

export type Table = [rows: readonly (readonly string[])[], alignments: readonly Alignment[]];

export interface TableStyle {
  readonly paint: Paint;
  /** The width that the text must fit, if there is one. */
  readonly columns: number;
  /** Whether all figures are shown, or only those that are judged. */
  readonly all: boolean;
  /** How much has to be left out to fit, from nothing on. */
  readonly omissionLevel: number;
}

const DEFAULT_STYLE: TableStyle = { paint: PLAIN_PAINT, columns: Infinity, all: false, omissionLevel: 0 };
/** How wide heads may be, by what is left out: two fit into 80 columns beside their changes, one into 40. */
const MAX_HEAD_COLUMNS = [16, 16, 10, 10];

/** A table with sentences below it. */
interface TableDocument<Input extends readonly unknown[]> {
  readonly table: (input: Input, style: TableStyle) => Table;
  /** What each of several tables can show, where one would be too wide. */
  readonly split: (input: Input) => readonly Input[];
  readonly sentences: (input: Input) => readonly string[];
  readonly document: (input: Input) => object;
}

/** Renders it in each format; only the text for a terminal is painted and made to fit. */
export function tableFormats<Input extends readonly unknown[]>(
  { table, split, sentences, document }: TableDocument<Input>,
  overrides: Partial<TableStyle>,
) {
  const style = { ...DEFAULT_STYLE, ...overrides };
  const tableLines = ([[head = [], ...rows], alignments]: Table, columns = Infinity) =>
    alignedTable([head.map((name) => truncateStart(name, columns)), ...rows], alignments);
  /** One table, or several if there is no other way: a single one leaves out more instead. */
  const fittingLines = (input: Input): readonly string[] => {
    const parts = split(input);
    const omissions = [...MAX_HEAD_COLUMNS.keys()].slice(0, parts.length > 1 ? 2 : undefined);
    const candidates = omissions.map((omissionLevel) =>
      tableLines(table(input, { ...style, omissionLevel }), MAX_HEAD_COLUMNS[omissionLevel]),
    );
    const fitting = candidates.find((lines) => lines.every((line) => displayWidth(line) < style.columns));
    if (fitting) return [...fitting, ''];
    return parts.length > 1 ? parts.flatMap(fittingLines) : [...(candidates.at(-1) ?? []), ''];
  };
  return {
    text: (...input: Input) => `${[...fittingLines(input), ...sentences(input)].join('\n')}\n`,
    json: (...input: Input) => stringifySafely(document(input)),
    markdown: (...input: Input) => {
      const items = sentences(input).map((line) => `- ${escapeMarkdown(line)}`);
      const rows = markdownTable(...table(input, { ...style, paint: PLAIN_PAINT }));
      return `${[...rows, '', ...items].join('\n')}\n`;
    },
  };
}
