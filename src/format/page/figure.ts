import { type Chart, renderSvg } from '../drawing/chart.js';
import { type Markup, tag, escapeMarkup as text } from '../writing/markup.js';

/** A chart with what it shows in words and, folded away, as a table. */
export function figureElement(chart: Chart): Markup {
  return tag(
    'div',
    { class: 'figure' },
    ...(chart.heading === null ? [] : [tag('h3', {}, text(chart.heading))]),
    tag('p', {}, text(chart.description)),
    tag('div', { class: 'plot', tabindex: 0 }, renderSvg(chart)),
    tag('details', {}, tag('summary', {}, text('As a table')), tableElement(chart.table)),
  );
}

/** Rows of text, the head first. A head without any text is left out. */
export function tableElement(
  [head = [], ...rows]: readonly (readonly string[])[],
  className?: string,
): Markup {
  const headRow = head.some((cell) => cell !== '')
    ? [
        tag(
          'thead',
          {},
          tag(
            'tr',
            {},
            ...head.map((cell) =>
              cell === '' ? tag('td', {}, text('')) : tag('th', { scope: 'col' }, text(cell)),
            ),
          ),
        ),
      ]
    : [];
  const bodyRows = rows.map(([name = '', ...cells]) =>
    tag('tr', {}, tag('th', { scope: 'row' }, text(name)), ...cells.map((cell) => tag('td', {}, text(cell)))),
  );
  return tag(
    'div',
    { class: 'wide', tabindex: 0 },
    tag('table', { class: className }, ...headRow, tag('tbody', {}, ...bodyRows)),
  );
}
