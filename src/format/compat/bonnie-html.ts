import type { RunResult } from '../../report/results.js';
import { escapeMarkup } from '../../text/markup.js';
import { bonnieCells, fileMegabytes, headerTitles, joinWithHeaders } from './bonnie.js';

const HEAD = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Bonnie</title>
<style>
table { border-collapse: collapse }
th, td { border: 1px solid; padding: 0.1em 0.5em }
td + td { text-align: right }
</style>
</head>
<body>
<table>
`;
const TAIL = `</table>
</body>
</html>
`;

/** Renders a page with Bonnie's table. */
export function bonnieHtml(runs: readonly RunResult[]): string {
  return `${HEAD}${joinWithHeaders(runs, headerRows, htmlRow)}${TAIL}`;
}

function htmlRow(run: RunResult): string {
  const results = bonnieCells(run).flatMap(({ rate, cpu }) => [rate, cpu]);
  const cells = [escapeMarkup(run.label), sizeCell(run), ...results];
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>\n`;
}

function headerRows(run: RunResult): string {
  const { output, bytewise, seeks } = headerTitles(run);
  const columnTitles = [bytewise, 'Block', 'Rewrite', bytewise, 'Block', seeks];
  const units = ['K/sec', 'K/sec', 'K/sec', 'K/sec', 'K/sec', '/sec'];
  return [
    `<tr><td colspan="2" rowspan="2"></td><th colspan="6">${output}</th>` +
      '<th colspan="4">Sequential Input</th><th colspan="2">Rnd Seek</th></tr>',
    `<tr>${columnTitles.map((title) => `<th colspan="2">${title}</th>`).join('')}</tr>`,
    `<tr><th>Machine</th><th>MB</th>${units.map((unit) => `<th>${unit}</th><th>%CPU</th>`).join('')}</tr>`,
    '',
  ].join('\n');
}

function sizeCell(run: RunResult): string {
  const megabytes = fileMegabytes(run);
  return megabytes === '' || run.dataFiles === 1 ? megabytes : `${run.dataFiles}*${megabytes}`;
}
