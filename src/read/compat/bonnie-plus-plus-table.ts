import { FILE_TESTS, IO_TESTS, TEST_COLUMNS } from '../../format/compat/bonnie-tests.js';
import type { RunResult } from '../../report/results.js';
import { KIB, parseSize } from '../../text/units.js';
import { type Fields, parseRun, splitFileSettings } from './bonnie-plus-plus-csv.js';
import { unexpectedValueError } from './row-parsing.js';

/** The first line of a table. 1.03 prints its version only above the first table. */
const TITLE = /^ *(?:Version +)?(\d\S*)?.*-Sequential (Output|Create)-/;
/** A name, settings such as `64M:4k:3:100:12` or `16:1000:10/5`, and a rate and a %CP for each test. */
const ROWS = {
  Output:
    /^ *(?<name>\S.*? )?? *(?<settings>\d+[kMG](?::\d*[km]?)*)(?<values>(?: +(?:\d[\d.]*[kmg]?|\++) +(?:\d+|\++)){1,6}) *$/,
  Create:
    /^ *(?<name>\S.*? )?? *(?<settings>[\d.]+(?::\w+)*(?:\/\d+)?)(?<values>(?: +(?:\d[\d.]*|\++) +(?:\d+|\++)){1,6}) *$/,
};

interface Table {
  readonly kind: keyof typeof ROWS;
  readonly version: string | undefined;
  /** The run that its first row belongs to. */
  readonly firstRun: number;
  rowCount: number;
  concurrency?: string | undefined;
  name?: string | undefined;
  /** Where the columns of its tests end. Empty before and after its rows. */
  columnEnds: readonly number[];
}

/** Reads the tables that bonnie++ prints at a terminal, line by line. */
export class BonniePlusPlusTables {
  readonly #runs: Fields[] = [];
  #table: Table | null = null;

  readLine(quotedLine: string): void {
    // Mail programs put > before quoted lines.
    const line = quotedLine.replace(/^(?: *>)+ ?/, '').trimEnd();
    const runs = this.#runs;
    const last = this.#table;
    const [, version = last?.version, kind] = TITLE.exec(line) ?? [];
    if (kind === 'Output' || kind === 'Create') {
      const above = kind === 'Create' && last && !runs[last.firstRun]?.num_files ? last : null;
      this.#table = { kind, version, firstRun: above?.firstRun ?? runs.length, rowCount: 0, columnEnds: [] };
    } else if (last) readTableLine(line, last, runs);
  }

  /** Omits the last tables. Their CSV line has exact rates. */
  dropLast(): void {
    if (this.#table) this.#runs.length = this.#table.firstRun;
  }

  toRuns(): readonly RunResult[] {
    return this.#runs.map(parseRun);
  }
}

function readTableLine(line: string, table: Table, runs: Fields[]): void {
  const columns = [...line.matchAll(/\/sec +%CP\b/g)];
  const run = table.firstRun + table.rowCount;
  if (columns.length === IO_TESTS.length) table.columnEnds = columns.map(findEnd);
  else if (table.columnEnds.length === 0) {
    table.concurrency ??= /^ *Concurrency +(\d+)/.exec(line)?.[1];
    table.name ??= /^ *(?!-Create)(\S.*?) +-Create-/.exec(line)?.[1];
  } else if (/^ *Latency /.test(line)) {
    const latencies = placeInColumns(line.replace('Latency', '       '), /\S+/g, table);
    const fields = latencies.map(({ column, match: [text] }) => [`${column}_latency`, text]);
    runs[run - 1] = { ...runs[run - 1], ...Object.fromEntries(fields) };
  } else if (line.trim() !== '') {
    const row = parseRow(line, table, runs[run]?.name);
    if (!row && table.rowCount === 0)
      throw unexpectedValueError('it', line.trim(), 'a size, and a rate and a %CP of each test');
    if (row) {
      runs[run] = { concurrency: '1', ...runs[run], ...row };
      table.rowCount++;
    } else table.columnEnds = [];
  }
}

/** Null if a line is not a row. */
function parseRow(line: string, table: Table, nameAbove: string | undefined): Fields | null {
  const { kind, version = '', name = nameAbove, concurrency = '1' } = table;
  const row = ROWS[kind].exec(line)?.groups;
  if (!row?.settings || !row.values) return null;
  const cells = placeInColumns(row.values.padStart(line.length), /(\S+) +(\S+)/g, table);
  const values = cells.flatMap(({ column, match: [, rate = '', cpu] }) => [
    // A rate without a unit is in KiB/s.
    [column, /[kmg]$/.test(rate) ? String((parseSize(rate) ?? 0) / KIB) : rate],
    [`${column}_cpu`, cpu],
  ]);
  const [file_size, io_chunk_size, threads, num_seeks, seek_procs] = row.settings.split(':');
  return {
    // 1.03 has no version in its CSV. gobonnie's own version is above tables like 2.00's.
    format_version: /^1\.9/.test(version) ? version : /^(?:1\.0\d.*)?$/.test(version) ? undefined : '1.98',
    bonnie_version: version,
    name: row.name?.trim() ?? name,
    ...(kind === 'Create'
      ? splitFileSettings(row.settings)
      : { file_size, io_chunk_size, concurrency: threads || concurrency, num_seeks, seek_procs }),
    ...Object.fromEntries(values),
  };
}

/** Finds the test of each match: its column ends nearest. Long numbers shift the columns on their right. */
function placeInColumns(line: string, pattern: RegExp, { kind, columnEnds }: Table) {
  const tests = kind === 'Output' ? IO_TESTS : FILE_TESTS;
  const matches = [...line.matchAll(pattern)];
  return matches.map((match, at) => {
    const distances = columnEnds.map((end) => Math.abs(end - findEnd(match)));
    const nearest = distances.indexOf(Math.min(...distances));
    const test = tests[matches.length === tests.length ? at : nearest] ?? 'putc';
    return { column: TEST_COLUMNS[test], match };
  });
}

function findEnd(match: RegExpExecArray): number {
  return match.index + match[0].length;
}
