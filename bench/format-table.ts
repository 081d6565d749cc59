import {
  type BenchRow,
  computeRatios,
  type MeasuredRow,
  median,
  meetsTarget,
  type RowTarget,
} from './bench-row.js';

const COLUMNS = [
  ...['row', 'work', 'gobonnie', 'peer', 'unit', 'ratio', 'target', 'verdict'],
  ...['gobonnie min..max', 'peer min..max', 'ratio min..max', 'others', 'peer is'],
];

/** Medians and ratios. The extremes and the CPU share of other processes show how noisy they are. */
export function formatTable(rows: readonly BenchRow[]): string {
  const lines = rows.map((row) =>
    'reason' in row ? [row.name, row.work, `not measured: ${row.reason}`] : formatRow(row),
  );
  // A reason is longer than any column and comes last, so it sets no width.
  const aligned = [COLUMNS, ...lines.filter((line) => line.length === COLUMNS.length)];
  const subjects = [COLUMNS, ...lines];
  const widths = COLUMNS.map((_, column) =>
    Math.max(...(column < 2 ? subjects : aligned).map((line) => line[column]?.length ?? 0)),
  );
  return [COLUMNS, ...lines]
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
    ...[name, work, formatNumber(median(ours.values)), peer ? formatNumber(median(peer.values)) : '-', unit],
    ...[
      ratios ? formatNumber(median(ratios)) : '-',
      formatTarget(row.target, unit),
      meetsTarget(row) ? 'held' : 'missed',
    ],
    ...[
      formatRange(ours.values),
      formatRange(peer?.values),
      formatRange(ratios),
      formatOtherCpuShare(row),
      peer?.name ?? '-',
    ],
  ];
}

function formatRange(values: readonly number[] | null | undefined): string {
  return values ? `${formatNumber(Math.min(...values))}..${formatNumber(Math.max(...values))}` : '-';
}

/** The largest share of the CPUs that other processes took in any turn. */
function formatOtherCpuShare({ ours, peer }: MeasuredRow): string {
  const shares = [...ours.otherCpuShares, ...(peer?.otherCpuShares ?? [])];
  return shares.length === 0 ? '-' : `<= ${(100 * Math.max(...shares)).toFixed(0)} %`;
}

function formatTarget({ statistic, bound, limit }: RowTarget, unit: string): string {
  const sign = bound === 'at least' ? '>=' : '<=';
  return statistic === 'ratio' ? `${sign} ${limit} x` : `${sign} ${limit} ${unit}`;
}

/** At least three significant digits, and no fraction of large numbers. */
function formatNumber(value: number): string {
  return value.toLocaleString(
    'en-US',
    value < 1000 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 },
  );
}
