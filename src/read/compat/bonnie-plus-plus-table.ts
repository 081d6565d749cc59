import { FILE_TESTS, IO_TESTS, TEST_COLUMNS } from '../../format/compat/bonnie-tests.js';
import type { RunResult } from '../../report/results.js';
import { KIB, parseSize } from '../../text/units.js';
import { type Fields, parseRun, splitFileSettings } from './bonnie-plus-plus-csv.js';
import { unexpectedValueError } from './row-parsing.js';

/** The first line of a table. 1.03 prints its version only above the first table. */
const TITLE = /^ *(?:Version +)?(\d\S*)?.*-Sequential (Output|Create)-/;
/** `64M:4k:3:100:12`, `16:1000:10/5` or `1:link`. */
const SETTINGS = { Output: String.raw`\d+[kMG](?::\d*[km]?)*`, Create: String.raw`[\d.]+(?::\w+)*(?:/\d+)?` };
const VALUES = String.raw`(?: +(?:\d[\d.]*[kmg]?|\++) +(?:\d+|\++)){1,6}`;

/** With quotation marks. Longer lines would take long to match. */
const MAX_LINE_LENGTH = 300;

const findEnd = (match: RegExpExecArray) => match.index + match[0].length;

/** Reads the tables that bonnie++ prints at a terminal, line by line. */
export class BonniePlusPlusTables {
  readonly #runs: Fields[] = [];
  #kind: keyof typeof SETTINGS = 'Output';
  /** Ends of the columns of the last table's tests. Empty before and after its rows. */
  #columnEnds: readonly number[] = [];
  /** Facts from the lines above its rows. */
  #heading: Fields = {};
  #firstRun = 0;
  #nextRun = 0;

  readLine(quotedLine: string): void {
    if (quotedLine.length > MAX_LINE_LENGTH) return;
    // Mail programs put > before quoted lines.
    const line = quotedLine.replace(/^(?: *>)+ ?/, '').trimEnd();
    const [, version = this.#heading.bonnie_version, kind] = TITLE.exec(line) ?? [];
    const columns = [...line.matchAll(/\/sec +%CP\b/g)];
    if (kind === 'Output' || kind === 'Create') {
      // A table of file tests continues the rows of the table above it.
      if (kind === 'Output' || this.#runs[this.#firstRun]?.num_files) this.#firstRun = this.#runs.length;
      this.#nextRun = this.#firstRun;
      this.#kind = kind;
      this.#columnEnds = [];
      this.#heading = { bonnie_version: version };
    } else if (columns.length === IO_TESTS.length) this.#columnEnds = columns.map(findEnd);
    else if (this.#columnEnds.length === 0) {
      this.#heading.concurrency ??= /^ *Concurrency +(\d+)/.exec(line)?.[1];
      this.#heading.name ??= /^ *(?!-Create)(\S.*?) +-Create-/.exec(line)?.[1];
    } else if (line !== '') this.#readRow(line);
  }

  /** Omits the last tables. Their CSV line has exact rates. */
  dropLast(): void {
    this.#runs.length = this.#firstRun;
  }

  toRuns(): readonly RunResult[] {
    return this.#runs.map(parseRun);
  }

  #readRow(line: string): void {
    const above = this.#runs[this.#nextRun];
    const pattern = `^ *(\\S.*? )?? *(${SETTINGS[this.#kind]})(${VALUES})$`;
    const [, name, settings = '', values = ''] = new RegExp(pattern).exec(line) ?? [];
    const { bonnie_version = '', concurrency = above?.concurrency ?? '1' } = this.#heading;
    if (values !== '') {
      const [file_size, io_chunk_size, threads, num_seeks, seek_procs] = settings.split(':');
      const io = { file_size, io_chunk_size, concurrency: threads || concurrency, num_seeks, seek_procs };
      const run: Fields = { ...above, ...(this.#kind === 'Output' ? io : splitFileSettings(settings)) };
      run.concurrency ??= concurrency;
      run.bonnie_version = bonnie_version;
      // 1.03 has no format in its CSV. gobonnie prints its own version above tables like 2.00's.
      if (!/^(?:1\.0\d.*)?$/.test(bonnie_version))
        run.format_version = bonnie_version.startsWith('1.9') ? bonnie_version : '1.98';
      run.name = name?.trim() ?? this.#heading.name ?? above?.name;
      for (const [column, [, rate = '', cpu]] of this.#place(values.padStart(line.length), /(\S+) +(\S+)/g)) {
        // A rate without a unit is in KiB/s.
        run[column] = /[kmg]$/.test(rate) ? String((parseSize(rate) ?? 0) / KIB) : rate;
        run[`${column}_cpu`] = cpu;
      }
      this.#runs[this.#nextRun++] = run;
    } else if (this.#nextRun === this.#firstRun)
      throw unexpectedValueError('it', line.trim(), 'a size, and a rate and a %CP of each test');
    else if (/^ *Latency /.test(line)) {
      const run = this.#runs[this.#nextRun - 1];
      for (const [column, [text]] of this.#place(line.replace('Latency', '       '), /\S+/g))
        if (run) run[`${column}_latency`] = text;
    } else this.#columnEnds = [];
  }

  /** Finds the column of each match: it ends nearest. Long numbers shift the columns on their right. */
  #place(line: string, pattern: RegExp) {
    const tests = this.#kind === 'Output' ? IO_TESTS : FILE_TESTS;
    const matches = [...line.matchAll(pattern)];
    return matches.map((match, at) => {
      const distances = this.#columnEnds.map((end) => Math.abs(end - findEnd(match)));
      const nearest = distances.indexOf(Math.min(...distances));
      const test = tests[matches.length === tests.length ? at : nearest] ?? 'putc';
      return [TEST_COLUMNS[test], match] as const;
    });
  }
}
