import { averageRuns, computeStatistics } from '../report/statistics/statistics.js';
import type { SweepPoint } from '../sweep/point.js';
import { groupBy } from '../text/group-by.js';
import { MIB, NS_PER_US } from '../text/units.js';
import { damagedRowError, unexpectedValueError } from './compat/row-parsing.js';
import { ReadError, readLines, withFileName } from './guard.js';

const REQUIRED_COLUMNS = ['depth', 'iops'];
const HEADER_HINT = 'begin the file with a header such as depth,iops,p99_us';
const NUMBER = /^\d+\.?\d*(e[+-]?\d+)?$/i;

/** The known columns of a row. Null if the file lacks the column, or the cell is empty; the row's number if it has no time. */
type Row = ReturnType<typeof parseRow> & { readonly atSeconds: number };

/**
 * Reads points measured elsewhere from CSV with the columns `depth`, `iops`, and optionally `p99_us`, `mean_us`,
 * `bytes_per_second` or `mib_per_s`, and `at_seconds`. Rows with the same depth are measurements of one point, in order
 * of time. Throws if any row cannot be read.
 */
export function readPoints(text: string, fileName: string): readonly SweepPoint[] {
  return withFileName(fileName, () => parsePoints(text));
}

function parsePoints(text: string): readonly SweepPoint[] {
  let header: readonly string[] | null = null;
  const rows = readLines(text.replace(/^\uFEFF/, ''), (line) => {
    if (line.trim() === '') return null;
    const cells = line.split(',').map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
    if (header !== null) return parseRow(header, cells);
    header = parseHeader(cells);
    return null;
  });
  if (rows.length === 0) throw new ReadError('it has no points', HEADER_HINT);
  const samples = rows.map((row, at) => ({ ...row, atSeconds: row.atSeconds ?? at }));
  const groups = groupBy(samples, ({ depth }) => String(depth));
  return groups.map(toPoint).toSorted((one, other) => one.depth - other.depth);
}

function parseHeader(cells: readonly string[]): readonly string[] {
  const names = cells.map((name) => name.toLowerCase());
  const missing = REQUIRED_COLUMNS.find((name) => !names.includes(name));
  if (missing !== undefined) throw new ReadError(`it has no column ${missing}`, HEADER_HINT);
  return names;
}

function parseRow(header: readonly string[], cells: readonly string[]) {
  if (cells.length > header.length)
    throw damagedRowError(`it has ${cells.length} cells, but the header has ${header.length}`);
  const parse = (name: string, unit = 1): number | null => {
    const text = cells[header.indexOf(name)] ?? '';
    if (text === '') return null;
    if (!NUMBER.test(text)) throw unexpectedValueError(`column ${name}`, text, 'a number');
    return Number(text) * unit;
  };
  const depth = parse('depth');
  if (depth === null || depth < 1 || !Number.isSafeInteger(depth))
    throw unexpectedValueError('column depth', String(depth ?? ''), 'a whole number above 0');
  const operationsPerSecond = parse('iops');
  if (operationsPerSecond === null) throw unexpectedValueError('column iops', '', 'a number');
  return {
    depth,
    operationsPerSecond,
    bytesPerSecond: parse('bytes_per_second') ?? parse('mib_per_s', MIB),
    p99Ns: parse('p99_us', NS_PER_US),
    meanNs: parse('mean_us', NS_PER_US),
    atSeconds: parse('at_seconds'),
  };
}

function toPoint(rows: readonly [Row, ...Row[]]): SweepPoint {
  const operations = rows.map((row) => row.operationsPerSecond);
  const rates = computeStatistics(operations);
  const average = (name: 'bytesPerSecond' | 'p99Ns' | 'meanNs') => {
    const values = rows.map((row) => row[name]).filter((value) => value !== null);
    return values.length === 0 ? null : averageRuns(values);
  };
  return {
    depth: rows[0].depth,
    threads: null,
    ioSizeBytes: null,
    operationsPerSecond: rates.mean,
    bytesPerSecond: average('bytesPerSecond'),
    p99Ns: average('p99Ns'),
    meanNs: average('meanNs'),
    confidence95: rates.confidence95,
    isServedByDevice: true,
    limitedBy: null,
    samples: rows,
  };
}
