import type { RunResult } from '../../report/results.js';
import { escapedMarkup } from '../writing/markup.js';
import { cellsOf, megabytesOf, titlesOf, underHeaders } from './bonnie.js';

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

/** A page with Bonnie's table. */
export function bonnieHtml(runs: readonly RunResult[]): string {
  return `${HEAD}${underHeaders(runs, headerRows, rowOf)}${TAIL}`;
}

function rowOf(run: RunResult): string {
  const figures = cellsOf(run).flatMap(({ rate, cpu }) => [rate, cpu]);
  const cells = [escapedMarkup(run.label), sizeOf(run), ...figures];
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>\n`;
}

function headerRows(run: RunResult): string {
  const { output, bytewise, seeks } = titlesOf(run);
  const over = [bytewise, 'Block', 'Rewrite', bytewise, 'Block', seeks];
  const units = ['K/sec', 'K/sec', 'K/sec', 'K/sec', 'K/sec', '/sec'];
  return [
    `<tr><td colspan="2" rowspan="2"></td><th colspan="6">${output}</th>` +
      '<th colspan="4">Sequential Input</th><th colspan="2">Rnd Seek</th></tr>',
    `<tr>${over.map((title) => `<th colspan="2">${title}</th>`).join('')}</tr>`,
    `<tr><th>Machine</th><th>MB</th>${units.map((unit) => `<th>${unit}</th><th>%CPU</th>`).join('')}</tr>`,
    '',
  ].join('\n');
}

function sizeOf(run: RunResult): string {
  const megabytes = megabytesOf(run);
  return megabytes === '' || run.dataFiles === 1 ? megabytes : `${run.dataFiles}*${megabytes}`;
}
