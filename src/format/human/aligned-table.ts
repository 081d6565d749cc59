import { displayWidth } from '../../text/width.js';

export type Alignment = 'left' | 'right';

type Rows = readonly (readonly string[])[];

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
export function firstFitting(
  candidates: readonly (readonly string[])[],
  windowColumns: number,
): readonly string[] {
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
