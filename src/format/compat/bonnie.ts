import { primaryRateOf } from '../../report/rate.js';
import type { RunResult } from '../../report/results.js';
import { sanitize } from '../../text/escape.js';
import { escapeMarkup } from '../../text/markup.js';
import { KIB, MIB } from '../../text/units.js';
import { padOrTruncate } from '../../text/width.js';
import { IO_TESTS, SEEKS_UNIT } from './bonnie-tests.js';

const RATE_WIDTH = 5;
const CPU_WIDTH = 4;
const OUTPUT_WIDTH = 32;
/** Indents the header lines past the columns of the machine and the size. */
const INDENT = ' '.repeat(14);

type RenderRun = (run: RunResult) => string;

/** Differences between the tables of the two authors. */
interface TableLayout {
  /** The first two lines. */
  readonly headerLines: (run: RunResult) => readonly string[];
  /** The machine and its megabytes. */
  readonly rowLabel: RenderRun;
  readonly seeksWidth: number;
}

/** Renders Garloff's table, which has the settings in its header. */
export const bonnieTable = createTable({
  headerLines: (run) => {
    const { output, bytewise, seeks } = headerTitles(run);
    return [
      `${`---${output}`.padEnd(OUTPUT_WIDTH, '-')} ---Sequential Input-- --Rnd Seek-`,
      `-${bytewise}- --Block--- -Rewrite-- -${bytewise}- --Block--- ${`--${seeks}`.padEnd(10, '-')}-`,
    ];
  },
  rowLabel: (run) => {
    const megabytes = fileMegabytes(run);
    const dataFiles = megabytes === '' ? '' : `${run.dataFiles}*`;
    return `${padOrTruncate(sanitize(run.label), 6)} ${dataFiles.padEnd(2)}${megabytes.padStart(4)}`;
  },
  seeksWidth: 6,
});

/** Renders Bray's older table. */
export const bonnieBrayTable = createTable({
  headerLines: () => [
    '-------Sequential Output-------- ---Sequential Input-- --Random--',
    '-Per Char- --Block--- -Rewrite-- -Per Char- --Block--- --Seeks---',
  ],
  // Bray's Bonnie has only one file.
  rowLabel: (run) =>
    `${padOrTruncate(sanitize(run.label), 8)} ${fileMegabytes({ ...run, dataFiles: 1 }).padStart(4)}`,
  seeksWidth: 5,
});

function createTable({ headerLines, rowLabel, seeksWidth }: TableLayout) {
  const bottom = `Machine    MB ${'K/sec %CPU '.repeat(5)}${'/sec'.padStart(seeksWidth)} %CPU\n`;
  const renderHeader = (run: RunResult) =>
    [...headerLines(run).map((line) => `${INDENT}${line}\n`), bottom].join('');
  const renderRow = (run: RunResult) => {
    const columns = bonnieCells(run).map(
      ({ test, rate, cpu }) =>
        `${rate.padStart(test === 'seeks' ? seeksWidth : RATE_WIDTH)} ${cpu.padStart(CPU_WIDTH)}`,
    );
    return `${[rowLabel(run), ...columns].join(' ')}\n`;
  };
  return (runs: readonly RunResult[]) => joinWithHeaders(runs, renderHeader, renderRow);
}

const HTML_HEAD = `<!DOCTYPE html>
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
const HTML_TAIL = `</table>
</body>
</html>
`;

export function bonnieHtml(runs: readonly RunResult[]): string {
  return `${HTML_HEAD}${joinWithHeaders(runs, htmlHeader, htmlRow)}${HTML_TAIL}`;
}

function htmlRow(run: RunResult): string {
  const results = bonnieCells(run).flatMap(({ rate, cpu }) => [rate, cpu]);
  const cells = [escapeMarkup(run.label), sizeCell(run), ...results];
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>\n`;
}

function htmlHeader(run: RunResult): string {
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

/** Joins the rows, with a new header whenever the header changes. */
function joinWithHeaders(runs: readonly RunResult[], renderHeader: RenderRun, renderRow: RenderRun): string {
  return runs
    .map((run, at) => {
      const header = renderHeader(run);
      const previous = runs[at - 1];
      return previous && renderHeader(previous) === header ? renderRow(run) : header + renderRow(run);
    })
    .join('');
}

function headerTitles({ synced, unlocked, seeks, seekThreads }: RunResult) {
  return {
    output: `Sequential Output (${synced ? 'sync' : 'nosync'})`,
    bytewise: unlocked ? 'CharUnlk' : 'Per Char',
    seeks:
      seeks === null || seekThreads === null
        ? 'Seeks'
        : `${twoDigits(Math.floor(seeks / SEEKS_UNIT))}k (${twoDigits(seekThreads)})`,
  };
}

/** Returns the texts for each test: empty if it did not run, plus signs if it was too short. */
function bonnieCells({ steps: phases }: RunResult) {
  return IO_TESTS.map((test) => {
    const result = phases.find(({ step }) => step === test);
    if (!result) return { test, rate: '', cpu: '' };
    const rate = primaryRateOf(result);
    if (rate === null) return { test, rate: '+++++', cpu: '++++' };
    const { primaryRate, cpuPercent } = result;
    return {
      test,
      rate: primaryRate === 'bytes' ? String(Math.floor(rate / KIB)) : rate.toFixed(1),
      cpu: cpuPercent === null ? '' : cpuPercent.toFixed(1),
    };
  });
}

/** Returns the size of one volume in MiB. Empty if the block tests did not run. */
function fileMegabytes({ sizeBytes, dataFiles }: RunResult): string {
  return sizeBytes === null ? '' : String(Math.floor(sizeBytes / dataFiles / MIB));
}

function twoDigits(count: number): string {
  return String(count).padStart(2, '0');
}
