import { type Markup, tag, escapeMarkup as text } from '../../text/markup.js';
import { SCRIPT, SCRIPT_HASH } from './browser-script.js';
import { type Chart, renderSvg } from './drawing/chart.js';
import { STYLE, STYLE_HASH } from './style.js';

/** Allows only the page's own style and script. */
const CONTENT_SECURITY_POLICY = `default-src 'none'; style-src '${STYLE_HASH}'; script-src '${SCRIPT_HASH}'`;

/** Renders a page that opens anywhere: it loads nothing, and is complete without its style and its script. */
export function htmlDocument(title: string, body: readonly Markup[]): string {
  return [
    '<!DOCTYPE html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${text(CONTENT_SECURITY_POLICY)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    tag('title', {}, text(title)),
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    tag('main', {}, tag('h1', {}, text(title)), ...body),
    `<script>${SCRIPT}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

interface FigureTexts {
  /** Consists of letters, digits and hyphens. */
  readonly id: string;
  readonly title: string;
  /** Omitted if it is the only chart in its section. */
  readonly heading?: string;
}

/** Renders a chart below its description, and above a collapsed table of its values. */
export function figureElement(chart: Chart, { id, title, heading }: FigureTexts): Markup {
  return tag(
    'div',
    { class: 'figure' },
    heading === undefined ? text('') : tag('h3', {}, text(heading)),
    tag('p', {}, text(chart.description)),
    tag('div', { class: 'plot', tabindex: 0 }, renderSvg(chart, title, id)),
    tag('details', {}, tag('summary', {}, text('As a table')), tableElement(chart.table)),
  );
}

/** Renders rows of text, the head first. A head without any text is omitted. */
export function tableElement(
  [head = [], ...rows]: readonly (readonly string[])[],
  className?: string,
): Markup {
  const headCells = head.map((cell) =>
    cell === '' ? tag('td', {}, text('')) : tag('th', { scope: 'col' }, text(cell)),
  );
  const hasHead = head.some((cell) => cell !== '');
  const headRow = hasHead ? tag('thead', {}, tag('tr', {}, ...headCells)) : text('');
  const bodyRows = rows.map(([name = '', ...cells]) =>
    tag('tr', {}, tag('th', { scope: 'row' }, text(name)), ...cells.map((cell) => tag('td', {}, text(cell)))),
  );
  return tag(
    'div',
    { class: 'wide', tabindex: 0 },
    tag('table', { class: className }, headRow, tag('tbody', {}, ...bodyRows)),
  );
}
