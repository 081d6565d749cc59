import { isHeld, type MeasuredRow, median, type Row, ratiosOf, type Target } from './row.js';

const COLUMNS = [
  ...['row', 'work', 'gobonnie', 'peer', 'unit', 'ratio', 'target', 'verdict'],
  ...['gobonnie min..max', 'peer min..max', 'ratio min..max', 'others', 'peer is'],
];

/** Medians and ratios. The extremes and the CPU share of other processes show how noisy they are. */
export function table(rows: readonly Row[]): string {
  const lines = rows.map((row) =>
    'why' in row ? [row.name, row.work, `not measured: ${row.why}`] : cells(row),
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

function cells(row: MeasuredRow): string[] {
  const { name, work, ours, peer, unit } = row;
  const ratios = ratiosOf(row);
  return [
    ...[name, work, text(median(ours.values)), peer ? text(median(peer.values)) : '-', unit],
    ...[ratios ? text(median(ratios)) : '-', targetText(row.target, unit), isHeld(row) ? 'held' : 'missed'],
    ...[extremes(ours.values), extremes(peer?.values), extremes(ratios), others(row), peer?.name ?? '-'],
  ];
}

function extremes(values: readonly number[] | null | undefined): string {
  return values ? `${text(Math.min(...values))}..${text(Math.max(...values))}` : '-';
}

/** The largest share of the CPUs that other processes took in any turn. */
function others({ ours, peer }: MeasuredRow): string {
  const shares = [...ours.othersShares, ...(peer?.othersShares ?? [])];
  return shares.length === 0 ? '-' : `<= ${(100 * Math.max(...shares)).toFixed(0)} %`;
}

function targetText({ of, bound, limit }: Target, unit: string): string {
  const sign = bound === 'at least' ? '>=' : '<=';
  return of === 'ratio' ? `${sign} ${limit} x` : `${sign} ${limit} ${unit}`;
}

/** At least three significant digits, and no fraction of large numbers. */
function text(value: number): string {
  return value.toLocaleString(
    'en-US',
    value < 1000 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 },
  );
}
