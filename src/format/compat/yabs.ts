import { type ListedStep, listCompleteSteps, listPart } from '../../report/listed-steps.js';
import { metricOfRuns } from '../../report/metrics.js';
import { listReports, type Results } from '../../report/results.js';
import { isComplete } from '../../report/runs.js';
import type { Report } from '../../report/schema/report.js';
import { sanitize, stringifySafely } from '../../text/escape.js';
import { groupBy } from '../../text/group-by.js';
import { formatShortSize, MB, pluralize } from '../../text/units.js';
import { toText } from '../../text/wrap.js';

/** The phases of steps that yabs.sh also measures. */
export const YABS_PHASES = ['random'] as const;

const KB = 1000;
const GB = 1000 * MB;
const RULE = '-'.repeat(33);

/** The rows of the table, and the end of their keys in the JSON. */
const ROWS = [
  { title: 'Read', key: 'r', part: 'reads' },
  { title: 'Write', key: 'w', part: 'writes' },
  { title: 'Total', key: 'rw', part: null },
] as const;
type Row = (typeof ROWS)[number];

/** Renders the disk table of yabs.sh: two block sizes side by side, and a table for each mix of reads and writes. */
export function yabsText(results: readonly Results[]): string {
  return listReports(results).map(reportText).join('\n');
}

/** Renders the disk part of the JSON of yabs.sh, one line for each report. Unknown rates are null. */
export function yabsJson(results: readonly Results[]): string {
  return listReports(results)
    .map((report) => {
      const fio = listCompleteSteps(report, YABS_PHASES).map((result) => toJson(result, report));
      return stringifySafely({ partition: report.target.device, fio });
    })
    .join('');
}

function toJson(result: ListedStep, report: Report) {
  const rates = ROWS.flatMap((row): readonly [string, number | null][] => {
    const { bytesPerSecond, operationsPerSecond } = meanRates(result, row, report);
    const isKnown = result.isKnown || null;
    return [
      [`speed_${row.key}`, isKnown && bytesPerSecond / KB],
      [`iops_${row.key}`, isKnown && operationsPerSecond],
    ];
  });
  return { bs: formatShortSize(result.step.ioBytes), ...Object.fromEntries(rates), speed_units: 'KBps' };
}

function reportText(report: Report): string {
  const { label, version, target } = report;
  const results = listCompleteSteps(report, YABS_PHASES);
  const runs = pluralize(report.runs.filter(isComplete).length, 'run');
  const note = results.every(({ isKnown }) => isKnown) ? '' : '; 0.00 is unknown';
  const partition = target.device === null ? '' : ` (Partition ${sanitize(target.device)})`;
  const tables = groupBy(results, ({ step }) => `${step.mixPercent}/${100 - step.mixPercent}`);
  const lines = [
    `gobonnie ${sanitize(version)} on ${sanitize(label)}, mean of ${runs}${note}`,
    ...tables.flatMap((table) => {
      const { mixPercent } = table[0].step;
      const title = `fio Disk Speed Tests (Mixed R/W ${mixPercent}/${100 - mixPercent})${partition}:`;
      return ['', title, RULE, ...tableLines(table, report)];
    }),
  ];
  return toText(lines);
}

function tableLines(results: readonly ListedStep[], report: Report): readonly string[] {
  const lines: string[] = [];
  // yabs.sh has one step for each size; here, the queue tells steps of the same size apart.
  const sizeText = ({ ioBytes, threads, depth }: ListedStep['step']) => {
    const isUnique = results.filter(({ step }) => step.ioBytes === ioBytes).length === 1;
    return `${formatShortSize(ioBytes)}${isUnique ? '' : ` q${threads * depth}`}`;
  };
  for (let at = 0; at < results.length; at += 2) {
    const pair = results.slice(at, at + 2);
    const addRow = (title: string, renderCell: (result: ListedStep) => string) =>
      lines.push([title.padEnd(10), ...pair.map(renderCell)].join(' | '));
    addRow('Block Size', ({ step }) => cellText(sizeText(step), '(IOPS)'));
    addRow('  ------', () => cellText('---', '---- '));
    for (const row of ROWS) addRow(row.title, (result) => rateCell(result, row, report));
    if (at + 2 < results.length) addRow('', () => cellText('', ''));
  }
  return lines;
}

function cellText(left: string, right: string): string {
  return `${left.padEnd(11)} ${right.padStart(8)}`;
}

/** An unknown rate is 0, because parsers accept only numbers. A step of reads only has 0 for its writes. */
function meanRates(result: ListedStep, { part }: Row, report: Report) {
  const { step, rows, isKnown } = result;
  const isWhole = part === null || step.mixPercent === (part === 'reads' ? 100 : 0);
  const partRows = isWhole ? rows : listPart(result, part, report);
  const mean = (name: string) => (isKnown ? (metricOfRuns(partRows, name) ?? 0) : 0);
  return { bytesPerSecond: mean('throughput'), operationsPerSecond: mean('ops') };
}

function rateCell(result: ListedStep, row: Row, report: Report): string {
  const { bytesPerSecond, operationsPerSecond: iops } = meanRates(result, row, report);
  const iopsText = iops < 1000 ? iops.toFixed(0) : `${(iops / 1000).toFixed(1)}k`;
  return cellText(speedText(bytesPerSecond), `(${iopsText})`);
}

/** Formats a rate in units of powers of 1000. */
function speedText(bytesPerSecond: number): string {
  if (bytesPerSecond >= GB) return `${(bytesPerSecond / GB).toFixed(2)} GB/s`;
  return bytesPerSecond >= MB
    ? `${(bytesPerSecond / MB).toFixed(2)} MB/s`
    : `${(bytesPerSecond / KB).toFixed(2)} KB/s`;
}
