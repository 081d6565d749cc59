/**
 * Draws the pictures of README from recorded runs: `npm run pictures`. To record others, run the commands of terminal.ansi
 * and quick.ansi in a tmux of 80 columns, and keep what `tmux capture-pane -e -p` prints and the report of the first.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { renderReport, reportFormats } from '../../src/format/index.js';
import { reportSchema } from '../../src/report/schema/report.js';
import { escapeMarkup, type Markup, tag } from '../../src/text/markup.js';

const [LETTER, LINE, MARGIN, COLUMNS] = [7.8, 18, 16, 80];
/** SGR codes: those of the program, and the ends of them. */
const CLASSES: Readonly<Record<string, string>> = { '2': 'faint', '33': 'caution', '36': 'accent' };
const STYLE = [
  'text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre;fill:#1f2328}',
  '.faint{fill:#656d76}.caution{fill:#9a6700}.accent{fill:#0969da}rect{fill:#f6f8fa;stroke:#d0d7de}',
  '@media (prefers-color-scheme:dark){text{fill:#e6edf3}.faint{fill:#8b949e}.caution{fill:#d29922}.accent{fill:#58a6ff}',
  'rect{fill:#0d1117;stroke:#30363d}}',
].join('');

const ESCAPE = '\u001b';
/** A change of colour, or text. */
const PART = new RegExp(`${ESCAPE}\\[([\\d;]*)m|([^${ESCAPE}]+)`, 'g');

const resolveFile = (name: string) => new URL(name, import.meta.url);
for (const name of ['terminal', 'quick'])
  writeFileSync(resolveFile(`${name}.svg`), drawTerminal(readFileSync(resolveFile(`${name}.ansi`), 'utf8')));

const report = reportSchema.parse(JSON.parse(readFileSync(resolveFile('recorded.json'), 'utf8')));
const html = renderReport(reportFormats.html, report);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
for (const colorScheme of ['light', 'dark'] as const) {
  const page = await browser.newPage({ viewport: { width: 1000, height: 760 }, colorScheme });
  await page.setContent(html);
  await page.screenshot({ path: resolveFile(`page-${colorScheme}.png`).pathname });
}
await browser.close();

/** The text of a terminal as a picture that follows the reader's scheme. */
function drawTerminal(text: string): string {
  const lines = text.trimEnd().split('\n');
  const width = Math.ceil(COLUMNS * LETTER + 2 * MARGIN);
  const height = lines.length * LINE + 2 * MARGIN;
  let className: string | undefined;
  const rows = lines.map((line, row) => {
    let column = 0;
    const parts: Markup[] = [];
    for (const [, codes, words = ''] of line.matchAll(PART)) {
      if (codes !== undefined) className = CLASSES[codes];
      else {
        const x = Math.round(10 * (MARGIN + column * LETTER)) / 10;
        parts.push(tag('tspan', { x, class: className }, escapeMarkup(words)));
        column += words.length;
      }
    }
    return parts.length > 0 ? [tag('text', { y: MARGIN + row * LINE + 13 }, ...parts)] : [];
  });
  return `${tag(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img' },
    tag('title', {}, escapeMarkup('gobonnie at a terminal')),
    tag('style', {}, escapeMarkup(STYLE.replaceAll('"', ''))),
    tag('rect', { x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: 6 }),
    ...rows.flat(),
  )}\n`;
}
