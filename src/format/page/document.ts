import { type Markup, tag, escapeMarkup as text } from '../../text/markup.js';
import { type Chart, renderSvg } from './drawing/chart.js';
import { DARK_RULES } from './drawing/line-style.js';

/** Optional: charts and tables are complete without it. */
export const STYLE = [
  ':root{color-scheme:light dark}',
  'body{margin:0;background:#fff;color:#1f2328;font:16px/1.5 system-ui,sans-serif}',
  'main{max-width:46rem;margin:0 auto;padding:1.5rem 1rem 4rem;overflow-wrap:anywhere}',
  'h1{font-size:1.6rem;line-height:1.25;margin:0 0 .5rem}',
  'h2{font-size:1.2rem;margin:2.5rem 0 .25rem}',
  'h3{font-size:1rem;margin:1.5rem 0 .25rem}',
  'p,ul{margin:.25rem 0 .75rem}',
  '.plot,.wide{overflow-x:auto}',
  '.chart{display:block;min-width:34rem;max-width:100%;height:auto}',
  'table{border-collapse:collapse;overflow-wrap:normal;font-size:.9rem;font-variant-numeric:tabular-nums}',
  'th,td{padding:.2rem .75rem .2rem 0;text-align:right;border-bottom:1px solid #d0d7de;font-weight:400}',
  'thead th{color:#57606a}',
  'th:first-child{text-align:left}',
  '.steps th,.steps td{white-space:nowrap}',
  '.answer td:nth-child(2){font-size:1.25rem;font-weight:600}',
  'pre{overflow-x:auto;padding:.75rem;background:#f6f8fa;font-size:.8rem}',
  'summary{cursor:pointer;color:#57606a}',
  '.note{color:#57606a;font-size:.9rem}',
  '@media (prefers-color-scheme:dark){',
  'body{background:#0d1117;color:#e6edf3}pre{background:#161b22}',
  'th,td{border-color:#30363d}thead th,summary,.note{color:#9ea7b3}',
  `${DARK_RULES}}`,
  '@media print{main{max-width:none;padding:0}section,.figure{break-inside:avoid}pre{white-space:pre-wrap}',
  '.plot{overflow:visible}.chart{min-width:0}}',
].join('');

/** Hash for the page's policy, which allows only this style. */
export const STYLE_HASH = 'sha256-gRzXDzvdwYwj+zQOYfdNK5CQEuF0A9xGhK3jF9ZZpiQ=';

/** Optional: adds Copy buttons, and shows the time and the rates under the pointer. Loads nothing. */
export const SCRIPT = `
for (const text of document.querySelectorAll('pre')) {
  const button = document.createElement('button');
  button.textContent = 'Copy';
  button.onclick = async () => {
    getSelection().selectAllChildren(text);
    await navigator.clipboard.writeText(text.textContent);
    button.textContent = 'Copied';
  };
  text.before(button);
}
for (const chart of document.querySelectorAll('svg[data-plot]')) {
  const [left, right, top, bottom, seconds, highest, unit] = chart.dataset.plot.split(' ').map((part, at) => (at < 6 ? Number(part) : part));
  const make = (name, attributes) => {
    const element = document.createElementNS(chart.namespaceURI, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    chart.append(element);
    return element;
  };
  const lines = [...chart.querySelectorAll('polyline[data-line]')].map((line) => line.getAttribute('points').split(' ').map((pair) => pair.split(',').map(Number)));
  const cross = make('line', { y1: top, y2: bottom, stroke: '#8b949e', visibility: 'hidden' });
  const label = make('text', { y: top - 10, fill: 'currentColor', 'text-anchor': 'end', x: right });
  chart.onpointermove = ({ clientX }) => {
    const box = chart.getBoundingClientRect();
    const x = ((clientX - box.left) / box.width) * chart.viewBox.baseVal.width;
    if (x < left || x > right) return chart.onpointerleave();
    const found = lines.flatMap((points) => (x > points.at(-1)[0] ? [] : [points.findLast(([px]) => px <= x) ?? points[0]]));
    const rates = found.slice(0, 4).map(([, y]) => Number((((bottom - y) / (bottom - top)) * highest).toPrecision(3)));
    cross.setAttribute('x1', x);
    cross.setAttribute('x2', x);
    cross.setAttribute('visibility', 'visible');
    const time = (((x - left) / (right - left)) * seconds).toFixed(1) + ' s';
    label.textContent = rates.length > 0 ? time + ': ' + rates.join(', ') + ' ' + unit : time;
  };
  chart.onpointerleave = () => {
    cross.setAttribute('visibility', 'hidden');
    label.textContent = '';
  };
}
`;

export const SCRIPT_HASH = 'sha256-4D6FU2vPjCTLti6oHIPmqmxf7BUYlTPs00PGX7KRMXs=';

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

/**
 * Renders a chart below its description, and above a collapsed table of its values. Its id consists of letters, digits
 * and hyphens. The only chart in its section has no heading.
 */
export function figureElement(chart: Chart, id: string, title: string, heading?: string): Markup {
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
export function tableElement([head = [], ...rows]: readonly (readonly string[])[], className?: string) {
  const headCells = head.map((cell) =>
    cell === '' ? tag('td', {}, text('')) : tag('th', { scope: 'col' }, text(cell)),
  );
  const hasHead = head.some((cell) => cell !== '');
  const headRow = hasHead ? tag('thead', {}, tag('tr', {}, ...headCells)) : text('');
  const bodyRows = rows.map(([name = '', ...cells]) =>
    tag('tr', {}, tag('th', { scope: 'row' }, text(name)), ...cells.map((cell) => tag('td', {}, text(cell)))),
  );
  const table = tag('table', { class: className }, headRow, tag('tbody', {}, ...bodyRows));
  return tag('div', { class: 'wide', tabindex: 0 }, table);
}
