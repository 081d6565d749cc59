import {
  type BenchRow,
  computeRatios,
  type MeasuredRow,
  median,
  meetsTarget,
  type RowTarget,
} from './bench-row.js';

// biome-ignore format: results on one line, their noise on the next
const COLUMNS = [
  'row', 'work', 'gobonnie', 'peer', 'unit', 'ratio', 'target', 'verdict',
  'gobonnie min..max', 'peer min..max', 'ratio min..max', 'others', 'peer is',
];

/** Formats medians and ratios. The extremes and the CPU share of other processes show how noisy they are. */
export function formatTable(rows: readonly BenchRow[]): string {
  const lines = rows.map((row) =>
    'reason' in row ? [row.name, row.work, `not measured: ${row.reason}`] : formatRow(row),
  );
  const allLines = [COLUMNS, ...lines];
  // A reason is longer than any column and comes last, so it sets no width.
  const fullLines = allLines.filter((line) => line.length === COLUMNS.length);
  const widths = COLUMNS.map((_, column) =>
    Math.max(...(column < 2 ? allLines : fullLines).map((line) => line[column]?.length ?? 0)),
  );
  return allLines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
    .concat('\n');
}

function formatRow(row: MeasuredRow): string[] {
  const { name, work, ours, peer, unit } = row;
  const ratios = computeRatios(row);
  return [
    name,
    work,
    formatNumber(median(ours.values)),
    peer ? formatNumber(median(peer.values)) : '-',
    unit,
    ratios ? formatNumber(median(ratios)) : '-',
    formatTarget(row.target, unit),
    meetsTarget(row) ? 'met' : 'missed',
    formatRange(ours.values),
    formatRange(peer?.values),
    formatRange(ratios),
    formatOtherCpuShare(row),
    peer?.name ?? '-',
  ];
}

function formatRange(values: readonly number[] | null | undefined): string {
  return values ? `${formatNumber(Math.min(...values))}..${formatNumber(Math.max(...values))}` : '-';
}

/** Returns the largest share of the CPU time that other processes used in any turn. */
function formatOtherCpuShare({ ours, peer }: MeasuredRow): string {
  const shares = [...ours.otherCpuShares, ...(peer?.otherCpuShares ?? [])];
  return shares.length === 0 ? '-' : `<= ${(100 * Math.max(...shares)).toFixed(0)} %`;
}

function formatTarget({ statistic, bound, limit }: RowTarget, unit: string): string {
  const sign = bound === 'at least' ? '>=' : '<=';
  return statistic === 'ratio' ? `${sign} ${limit} x` : `${sign} ${limit} ${unit}`;
}

/** Keeps at least three significant digits, and no fraction of large numbers. */
function formatNumber(value: number): string {
  return value.toLocaleString(
    'en-US',
    value < 1000 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 },
  );
}
