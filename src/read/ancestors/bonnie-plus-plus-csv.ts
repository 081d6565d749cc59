import { FILE_TESTS, IO_TESTS } from '../../report/family.js';
import type { FileSet, PhaseFigures, RunResult } from '../../report/results.js';
import { shown } from '../../text/escape.js';
import { parseSize } from '../../text/size.js';
import { KIB, MIB, NS_PER_MS, NS_PER_SECOND, NS_PER_US } from '../../text/units.js';
import { type Fields, fieldsOf, type Test } from './bonnie-plus-plus-fields.js';
import {
  damaged,
  figuresIn,
  foreignPhase,
  foreignRun,
  numberIn,
  type RowReader,
  wholeNumberIn,
} from './row.js';

/** What it is when 1.03 to 1.97 do not tell it; 1.98 never tells it. */
const DEFAULT_CHUNK_BYTES = 8 * KIB;
/** The files are counted in units of so many. */
const FILES_UNIT = 1024;

const LATENCY_UNITS: Readonly<Record<string, number>> = { us: NS_PER_US, ms: NS_PER_MS, s: NS_PER_SECOND };

const KINDS: ReadonlyMap<string, FileSet['kind']> = new Map([
  ['link', 'hard-links'],
  ['symlink', 'symlinks'],
]);

/** bonnie++'s CSV lines of the formats 1.03, 1.93 to 1.97 and 1.98, among whatever else it printed. */
export function bonniePlusPlusRows(): RowReader {
  return (line) => {
    // -x prints the names of the fields first; the manual takes what begins with # for a comment.
    if (/^\s*(?:format_version,|name,file_size,|#)/.test(line)) return null;
    const fields = fieldsOf(line);
    return fields && runOf(fields);
  };
}

function runOf(fields: Fields): RunResult {
  const format = fields('format');
  const sizeBytes = optional(fields('size'), (text) => bytesIn(text, 'the size', MIB));
  return foreignRun({
    program: { name: 'bonnie++', version: fields('program') || null },
    label: fields('name'),
    sizeBytes,
    chunkBytes: sizeBytes === null ? null : chunkOf(fields('chunk'), format),
    threads: wholeNumberIn(fields('concurrency'), 'the concurrency'),
    seed: fields('seed') || null,
    seeks: optional(fields('seek count'), (text) => wholeNumberIn(text, 'the number of seeks')),
    seekers: optional(fields('seekers'), (text) => wholeNumberIn(text, 'the number of seekers')),
    // From 1.90 on it syncs every file that it closes.
    synced: format !== '',
    files: optional(fields('files'), (text) => fileSetOf(text, fields)),
    phases: [...IO_TESTS, ...FILE_TESTS].flatMap((test) => phaseOf(test, fields) ?? []),
  });
}

/** Null if the test was left out. */
function phaseOf(test: Test, fields: Fields): PhaseFigures | null {
  const cell = { rate: fields(test), cpu: fields(`${test} %cpu`), name: test };
  const longestNs = optional(fields(`${test} latency`), nsIn);
  if (cell.rate === '' && cell.cpu === '') return null;
  const countsBytes = IO_TESTS.some((one) => one === test) && test !== 'seeks';
  const { rate, cpuPercent } = figuresIn(cell, countsBytes ? KIB : 1);
  return foreignPhase(test, { rate, cpuPercent, longestNs });
}

function fileSetOf(count: string, fields: Fields): FileSet {
  const largest = fields('largest');
  const kind = KINDS.get(largest) ?? 'files';
  // 1.9x and 2.00 put the directories into the last of the five fields, and never tell the chunk.
  const [directories, chunk] =
    fields('directories') === '' ? [fields('file chunk'), ''] : [fields('directories'), fields('file chunk')];
  const bytes = (text: string, name: string) => optional(text, (given) => bytesIn(given, name, 1)) ?? 0;
  return {
    count: Math.round(numberIn(count, 'the number of files', FILES_UNIT)),
    kind,
    minBytes: bytes(fields('smallest'), "the files' smallest size"),
    maxBytes: kind === 'files' ? bytes(largest, "the files' largest size") : 0,
    directories: optional(directories, (text) => wholeNumberIn(text, 'the number of directories')) ?? 1,
    chunkBytes: optional(chunk, (text) => bytesIn(text, "the files' chunk", 1)),
  };
}

function chunkOf(chunk: string, format: string): number | null {
  if (chunk !== '') return bytesIn(chunk, 'the chunk', 1);
  return format === '1.98' ? null : DEFAULT_CHUNK_BYTES;
}

/** `64M`, `1G`, `16k`; without a unit it is in `defaultUnit`. */
function bytesIn(text: string, name: string, defaultUnit: number): number {
  const bytes = parseSize(text, defaultUnit);
  if (bytes !== null && Number.isSafeInteger(bytes)) return bytes;
  throw damaged(`${name} is ${shown(text)}, which is no size`);
}

function nsIn(text: string): number {
  const [, number = '', unit = ''] = /^(\d+)(us|ms|s)$/.exec(text) ?? [];
  const unitNs = LATENCY_UNITS[unit];
  if (unitNs === undefined) throw damaged(`a latency is ${shown(text)}, which is none in us, ms or s`);
  return wholeNumberIn(number, 'a latency') * unitNs;
}

function optional<Value>(text: string, read: (text: string) => Value): Value | null {
  return text === '' ? null : read(text);
}
