import { escapeMarkup, type Markup, tag } from '../../text/markup.js';
import { COLOR_RULES } from './drawing/hues.js';

/** Optional: charts and tables are complete without it. */
export const STYLE = [
  COLOR_RULES,
  '*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,"Segoe UI",Roboto,sans-serif}',
  'main{max-width:72rem;margin:0 auto;padding:1.5rem 1.25rem 3rem;overflow-wrap:break-word}',
  'header{display:flex;justify-content:space-between;flex-wrap:wrap;gap:0 1rem;color:var(--dim);font-size:.85rem}b,dd{font-weight:600}header b{color:var(--ink)}',
  'h1{font-size:clamp(1.35rem,2.6vw,1.9rem);line-height:1.25;margin:.5rem 0 .25rem;font-weight:650;text-wrap:balance}',
  'h2{font-size:1.05rem;margin:1.75rem 0 .5rem}h1,h2,summary,header span{overflow-wrap:anywhere}p{margin:.25rem 0}.n,dd{white-space:nowrap}',
  '.grid,.verdict{margin-top:.75rem}.note{color:var(--dim);font-size:.85rem}.lead{color:var(--dim)}.lead b{color:var(--ink)}',
  '.grid{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(15rem,100%),1fr));gap:1rem}',
  '.wider{grid-template-columns:repeat(auto-fit,minmax(min(22rem,100%),1fr))}.grid>*{min-width:0}',
  '.card,figure,.verdict{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:.8rem 1rem}figure{margin:0}',
  '.card h2{font-size:.9rem;margin:0;color:var(--dim)}.big{font-size:2.4rem;line-height:1.15;font-weight:680;letter-spacing:-.02em;white-space:nowrap}',
  '.big small{font-size:1rem;font-weight:500;letter-spacing:0;color:var(--dim);margin-left:.3rem}.big,dd,td{font-variant-numeric:tabular-nums}',
  '.spark{display:block;margin:.5rem 0}.numbers{display:flex;flex-wrap:wrap;gap:0 1rem;margin:0 0 .4rem}dt{font-size:.75rem;color:var(--dim)}dd{margin:0}',
  '.chip{display:inline-block;font-size:.78rem;font-weight:600;border-radius:1rem;padding:.1rem .6rem;background:var(--okbg);color:var(--ok)}',
  '.warn{background:var(--warnbg);color:var(--warn)}.plain{background:var(--line);color:var(--ink)}',
  '.callout{background:var(--warnbg);border-left:4px solid var(--warn);border-radius:8px;padding:.5rem .8rem;margin:.6rem 0 0}.callout b{color:var(--warn)}',
  '.pass{background:var(--okbg);border-color:var(--ok)}.pass b{color:var(--ok)}.verdict{border-left:6px solid var(--dim)}.worse{border-left-color:var(--bad)}.better{border-left-color:var(--ok)}.verdict h1{margin-top:0}',
  'figcaption{display:flex;justify-content:space-between;gap:1rem;font-size:.85rem}figcaption span{color:var(--dim);text-align:right}',
  '.chart{display:block;overflow:visible}.halo{paint-order:stroke;stroke:var(--card);stroke-width:3px;stroke-linejoin:round}',
  '.changes{list-style:none;margin:0;padding:0}.changes li{display:grid;grid-template-columns:minmax(6rem,1fr) 14rem 5rem minmax(8rem,3fr) 6.5rem;gap:0 1rem;align-items:center;padding:.35rem 0;border-top:1px solid var(--line)}',
  '.changes li:first-child{border:0}.changes li>.n{text-align:right;font-weight:600}.band{fill:var(--line)}li.worse{color:var(--bad)}li.better{color:var(--ok)}',
  '.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(15rem,100%),1fr));gap:0 2rem;margin:0}.facts div{display:flex;justify-content:space-between;gap:1rem;border-bottom:1px solid var(--line);padding:.2rem 0}.facts dd{font-size:.85rem;white-space:normal;text-align:right;min-width:0;font-weight:500}',
  'pre{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.7rem .9rem;white-space:pre-wrap;font-size:.82rem;user-select:all}summary{cursor:pointer;color:var(--dim);margin:.75rem 0 .25rem}',
  '.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.88rem}th,td{text-align:right;padding:.3rem .4rem;border-bottom:1px solid var(--line);white-space:nowrap;font-weight:400}th:first-child{text-align:left;padding-left:0}thead th{color:var(--dim);font-size:.8rem}td svg{width:8rem}td .spark{margin:0 0 0 auto}',
  '@media(max-width:50rem){.changes li{grid-template-columns:1fr auto}.changes svg{grid-column:1/3;order:1}.changes li>:nth-child(2){text-align:right}}',
  '@media print{main{max-width:none;padding:0}.card,figure,.verdict,li,tr,.callout{break-inside:avoid}h2,summary{break-after:avoid}figure:has(ol){break-inside:auto}}',
].join('');

/** Hash for the page's policy, which allows only this style. */
export const STYLE_HASH = 'sha256-WBJXcEWU5vzvCig4J7oOsGwOIYwekwW8UaxoGUIC5fk=';

/** Allows only the page's own style. */
const CONTENT_SECURITY_POLICY = `default-src 'none'; style-src '${STYLE_HASH}'`;

/** Renders a page that opens anywhere: it loads nothing, and is complete without its style. */
export function htmlDocument(title: string, body: readonly Markup[]): string {
  return [
    '<!DOCTYPE html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${escapeMarkup(CONTENT_SECURITY_POLICY)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    textTag('title', title),
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    tag('main', {}, ...body),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

export function textTag(name: string, content: string, className?: string): Markup {
  return tag(name, { class: className }, escapeMarkup(content));
}

/** A flag, or a number and its unit if one follows. */
const NUMBER = /(--[a-z-]+|\d[\d.,]*(?: ?(?:%|[kMG]B\/s|MiB\/s|\/s|[µmn]?s\b|[KMG]iB))?)/;

/** Renders text whose numbers and flags are not wrapped. */
export function sentence(text: string): readonly Markup[] {
  return text
    .split(NUMBER)
    .map((part, at) => (at % 2 === 1 ? textTag('span', part, 'n') : escapeMarkup(part)));
}

/** Renders a section with a heading. Empty without content. */
export function section(title: string, content: readonly Markup[]): readonly Markup[] {
  return content.length === 0 ? [] : [tag('section', {}, textTag('h2', title), ...content)];
}

/** Renders a chart below its title, with the unit at the right. */
export function figure(title: string, unit: string, className: string, chart: Markup): Markup {
  const caption = tag('figcaption', {}, textTag('b', title, className || undefined), textTag('span', unit));
  return tag('figure', {}, caption, chart);
}

export function folded(summary: string, ...content: readonly Markup[]): Markup {
  return tag('details', {}, textTag('summary', summary), ...content);
}

type Cell = string | { readonly markup: Markup };

/** Renders rows, the head first. Omits columns that would be empty. */
export function tableElement([head = [], ...rows]: readonly (readonly Cell[])[]): Markup {
  const isShown = (_: Cell, at: number) => at === 0 || rows.some((row) => row[at] !== '');
  const render = (row: readonly Cell[], scope: 'col' | 'row') => {
    const cells = row.filter(isShown).map((cell, at) => {
      const isHead = cell !== '' && (scope === 'col' || at === 0);
      const content = typeof cell === 'string' ? escapeMarkup(cell) : cell.markup;
      return isHead ? tag('th', { scope }, content) : tag('td', {}, content);
    });
    return tag('tr', {}, ...cells);
  };
  const body = tag('tbody', {}, ...rows.map((row) => render(row, 'row')));
  const table = tag('table', {}, tag('thead', {}, render(head, 'col')), body);
  return tag('div', { class: 'wide', tabindex: 0 }, table);
}
