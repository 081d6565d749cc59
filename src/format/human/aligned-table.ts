import { stringifySafely } from '../../text/escape.js';
import { displayWidth, truncateStart } from '../../text/width.js';
import { type Paint, PLAIN_PAINT } from './paint.js';

export type Alignment = 'left' | 'right';

export type Rows = readonly (readonly string[])[];

/** Returns aligned columns, two spaces apart. By default, the first is aligned left and the others right. */
export function alignedTable(rows: Rows, alignments = defaultAlignments(rows)): readonly string[] {
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

/** Renders as many columns as fit in the window, at least one. The last columns are omitted first. */
export function fitColumns<Column>(
  columns: readonly Column[],
  windowColumns: number,
  render: (columns: readonly Column[]) => readonly string[],
): readonly string[] {
  return firstFitting(
    columns.map((_, omitted) => render(columns.slice(0, columns.length - omitted))),
    windowColumns,
  );
}

/** Returns the first candidate whose lines all fit in the window. If none fits, returns the last one. */
function firstFitting(candidates: readonly (readonly string[])[], windowColumns: number): readonly string[] {
  const fits = (lines: readonly string[]) => lines.every((line) => displayWidth(line) < windowColumns);
  return candidates.find(fits) ?? candidates.at(-1) ?? [];
}

/** Renders rows, the head first, as a Markdown table. */
export function markdownTable(all: Rows, alignments = defaultAlignments(all)): readonly string[] {
  const [head = [], ...rows] = all;
  const rule = alignments.map((alignment) => (alignment === 'left' ? '---' : '--:'));
  return [head.map(escapeMarkdown), rule, ...rows.map((row) => row.map(escapeMarkdown))].map(
    (cells) => `| ${cells.join(' | ')} |`,
  );
}

function defaultAlignments([head = []]: Rows): readonly Alignment[] {
  return head.map((_, at) => (at === 0 ? 'left' : 'right'));
}

/** Markdown's special characters, and the colons of links and emoji. */
const MARKDOWN_CHARACTERS = /[\\`*_[\]<>|~&@#$]|:(?=\/\/)|(?<!\d):(?=[\w+-]+:)/g;

/** Escapes characters that are special in Markdown, GitHub's Markdown or HTML. */
export function escapeMarkdown(text: string): string {
  return text.replace(MARKDOWN_CHARACTERS, (char) => `&#${char.charCodeAt(0)};`);
}

export type Table = [rows: Rows, alignments: readonly Alignment[]];

export interface TableStyle {
  readonly paint: Paint;
  /** Width of the terminal; infinite without one. */
  readonly columns: number;
  /** False to show only metrics that get a verdict. */
  readonly all: boolean;
  /** How much is omitted to fit the width; 0 is nothing. */
  readonly omissionLevel: number;
}

const DEFAULT_STYLE: TableStyle = { paint: PLAIN_PAINT, columns: Infinity, all: false, omissionLevel: 0 };
/** Maximum width of a head at each omission level: two heads and their changes fit in 80 columns, one in 40. */
const MAX_HEAD_COLUMNS = [16, 16, 10, 10];

/** A table with sentences below it. */
interface TableDocument<Input extends readonly unknown[]> {
  readonly table: (input: Input, style: TableStyle) => Table;
  /** Splits the input into narrower tables, for when a single one is too wide. */
  readonly split: (input: Input) => readonly Input[];
  readonly sentences: (input: Input) => readonly string[];
  readonly document: (input: Input) => object;
}

/** Renders the document in each format. Only text has colours and fits the terminal's width. */
export function tableFormats<Input extends readonly unknown[]>(
  { table, split, sentences, document }: TableDocument<Input>,
  overrides: Partial<TableStyle>,
) {
  const style = { ...DEFAULT_STYLE, ...overrides };
  const tableLines = ([[head = [], ...rows], alignments]: Table, columns = Infinity) =>
    alignedTable([head.map((name) => truncateStart(name, columns)), ...rows], alignments);
  /** Returns one table if it fits, otherwise several. An input that cannot be split omits more columns instead. */
  const fittingLines = (input: Input): readonly string[] => {
    const linesAt = (omissionLevel: number) => [
      ...tableLines(table(input, { ...style, omissionLevel }), MAX_HEAD_COLUMNS[omissionLevel]),
      '',
    ];
    const parts = split(input);
    const candidates =
      parts.length > 1
        ? [linesAt(0), linesAt(1), parts.flatMap(fittingLines)]
        : MAX_HEAD_COLUMNS.map((_, omissionLevel) => linesAt(omissionLevel));
    return firstFitting(candidates, style.columns);
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
