import { displayWidth } from '../../text/width.js';
import { PLAIN_SCREEN, type Screen } from './screen.js';

export const INDENT = '  ';

export interface Column<Row> {
  readonly title: string;
  /** By default, `left` for the first column and `right` for the others. */
  readonly align?: 'left' | 'right';
  /** Rows that are printed one by one need it. */
  readonly minWidth?: number;
  /**
   * In a narrow window, the columns with the highest rank are omitted first. Rank 0 is never omitted. By default, the last
   * columns are omitted first, and the first two never.
   */
  readonly rank?: number;
  readonly value: (row: Row) => string;
}

/** Returns the columns that are not empty in every row. */
export function usedColumns<Row>(columns: readonly Column<Row>[], rows: readonly Row[]) {
  return columns.filter(({ value }) => rows.some((row) => value(row) !== ''));
}

/** Returns the lines of a table with as many columns as fit in the window, or all in a pipe. Without titles, it has no head. */
export function textTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  screen: Screen,
  indent = INDENT,
): readonly string[] {
  const ranked = columns.map((column, index) => {
    return { align: defaultAlign(index), rank: Math.max(0, index - 1), ...column };
  });
  for (let limit = Math.max(...ranked.map(({ rank }) => rank)); ; limit -= 1) {
    const shown = ranked.filter(({ rank }) => rank <= limit);
    const lines = alignedLines(shown, rows, screen).map((line) => indent + line);
    if (limit <= 0 || screen === PLAIN_SCREEN || fitsWindow(lines, screen)) return lines;
  }
}

export function fitsWindow(lines: readonly string[], { columns }: Pick<Screen, 'columns'>): boolean {
  return lines.every((line) => displayWidth(line) < columns);
}

/** Returns the head and the rows, with two spaces between columns. The first title, which names the table, is not faint. */
function alignedLines<Row>(columns: readonly Column<Row>[], rows: readonly Row[], screen: Screen) {
  const head = columns.map(({ title }, index) => (index === 0 ? title : screen.paint.faint(title)));
  const body = rows.map((row) => columns.map(({ value }) => value(row)));
  const lines = columns.some(({ title }) => title !== '') ? [head, ...body] : body;
  const padded = columns.map(({ align, minWidth = 0 }, index) => {
    const cells = lines.map((line) => line[index] ?? '');
    const width = Math.max(minWidth, ...cells.map(displayWidth));
    return cells.map((cell) => {
      const gap = ' '.repeat(width - displayWidth(cell));
      return align === 'left' ? cell + gap : gap + cell;
    });
  });
  return lines.map((_, line) =>
    padded
      .map((cells) => cells[line])
      .join(INDENT)
      .trimEnd(),
  );
}

/** Returns all columns as a Markdown table. */
export function markdownTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): readonly string[] {
  const rule = columns.map(({ align }, index) => ((align ?? defaultAlign(index)) === 'left' ? '---' : '--:'));
  const head = columns.map(({ title }) => escapeMarkdown(title));
  const body = rows.map((row) => columns.map(({ value }) => escapeMarkdown(value(row))));
  return [head, rule, ...body].map((cells) => `| ${cells.join(' | ')} |`);
}

function defaultAlign(index: number): 'left' | 'right' {
  return index === 0 ? 'left' : 'right';
}

/** Markdown's special characters, and the colons of links and emoji. */
const MARKDOWN_CHARACTERS = /[\\`*_[\]<>|~&@#$]|:(?=\/\/)|(?<!\d):(?=[\w+-]+:)/g;

export function escapeMarkdown(text: string): string {
  return text.replace(MARKDOWN_CHARACTERS, (char) => `&#${char.charCodeAt(0)};`);
}
