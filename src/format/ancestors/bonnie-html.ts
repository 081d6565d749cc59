import type { Sheet } from '../../report/sheet.js';
import { escaped } from '../writing/markup.js';
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
export function bonnieHtml(sheets: readonly Sheet[]): string {
  return `${HEAD}${underHeaders(sheets, headerRows, bonnieHtmlRow)}${TAIL}`;
}

/** One run as a row, for a table that stands elsewhere. */
export function bonnieHtmlRow(sheet: Sheet): string {
  const cells = [
    escaped(sheet.label),
    sizeOf(sheet),
    ...cellsOf(sheet).flatMap(({ rate, cpu }) => [rate, cpu]),
  ];
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>\n`;
}

function headerRows(sheet: Sheet): string {
  const { output, bytewise, seeks } = titlesOf(sheet);
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

function sizeOf(sheet: Sheet): string {
  const megabytes = megabytesOf(sheet);
  return megabytes === '' || sheet.volumes === 1 ? megabytes : `${sheet.volumes}*${megabytes}`;
}
