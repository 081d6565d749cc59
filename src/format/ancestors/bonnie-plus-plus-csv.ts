import { FILE_TESTS, IO_TESTS } from '../../report/family.js';
import type { FileSet, PhaseFigures, RunResult } from '../../report/results.js';
import { harmless, withoutFormula } from '../../text/escape.js';
import { KIB } from '../../text/units.js';
import {
  cellOf,
  chunkText,
  fileCountText,
  fileRateText,
  largestText,
  latencyText,
  resultsOfTests,
  seekRateText,
  sizeText,
} from './bonnie-plus-plus-cells.js';

/** The only version that bon_csv2html and bon_csv2txt accept. */
const FORMAT_VERSION = '1.98';
/** bon_csv2html reads only the first kilobyte of a line. */
const LONGEST_TEXT = 100;

/** The column of each phase; those of its %CPU and latency are named after it. */
const COLUMNS = {
  putc: 'putc',
  write: 'put_block',
  rewrite: 'rewrite',
  getc: 'getc',
  read: 'get_block',
  seeks: 'seeks',
  create: 'seq_create',
  stat: 'seq_stat',
  delete: 'seq_del',
  'create-random': 'ran_create',
  'stat-random': 'ran_stat',
  'delete-random': 'ran_del',
} as const;

/** A line for each run. */
export function bonniePlusPlusCsv(
  runs: readonly RunResult[],
  { header = false }: { readonly header?: boolean } = {},
): string {
  const lines = runs.map(csvLine);
  return [...(header ? [csvHeader()] : []), ...lines].map((line) => `${line}\n`).join('');
}

/** bonnie++'s header, with the two names that it lacks, so that every field has its own. */
export function csvHeader(): string {
  const columnsOf = (tests: readonly (keyof typeof COLUMNS)[]) => tests.map((test) => COLUMNS[test]);
  const withCpu = (columns: readonly string[]) => columns.flatMap((column) => [column, `${column}_cpu`]);
  const [io, files] = [columnsOf(IO_TESTS), columnsOf(FILE_TESTS)];
  return [
    ...['format_version', 'bonnie_version', 'name', 'concurrency', 'seed'],
    ...['file_size', 'io_chunk_size', 'num_seeks', 'seek_procs'],
    ...withCpu(io),
    ...['num_files', 'max_size', 'min_size', 'num_dirs', 'file_chunk_size'],
    ...withCpu(files),
    ...[...io, ...files].map((column) => `${column}_latency`),
  ].join(',');
}

/** The fifty fields of format 1.98. */
export function csvLine(run: RunResult): string {
  const { program, label, threads, seed, sizeBytes, files } = run;
  const [io, fileTests] = [resultsOfTests(run, IO_TESTS), resultsOfTests(run, FILE_TESTS)];
  return [
    ...[FORMAT_VERSION, field(program.version ?? ''), field(label), threads, field(seed ?? '')],
    ...(sizeBytes === null ? ['', '', '', ''] : blockFields(run)),
    ...io.flatMap((result) => cellFields(result, result?.phase === 'seeks' ? seekRateText : kibText)),
    ...(files === null ? ['', '', '', '', ''] : filesFields(files)),
    ...fileTests.flatMap((result) => cellFields(result, fileRateText)),
    ...[...io, ...fileTests].map(latencyText),
  ].join(',');
}

type Fields = readonly (string | number)[];

function blockFields({ sizeBytes, chunkBytes, seeks, seekers }: RunResult): Fields {
  return [sizeText(sizeBytes), chunkText(chunkBytes), seeks ?? '', seekers ?? ''];
}

function cellFields(result: PhaseFigures | undefined, rateText: (perSecond: number) => string): Fields {
  const { rate, cpu } = cellOf(result, rateText);
  return [rate, cpu];
}

function kibText(bytesPerSecond: number): string {
  return String(Math.floor(bytesPerSecond / KIB));
}

function filesFields(files: FileSet): Fields {
  const { kind, minBytes, maxBytes, directories } = files;
  const isWithData = kind === 'files' && maxBytes > 0;
  const chunk = isWithData ? chunkText(files.chunkBytes) : '';
  // bonnie++ writes the directories into the chunk's field: with a chunk, even one directory is given.
  const hasDirectories = directories > 1 || chunk !== '';
  return [
    fileCountText(files),
    largestText(files),
    isWithData && minBytes > 0 ? minBytes : '',
    hasDirectories ? Math.max(1, directories) : '',
    chunk,
  ];
}

/** The family's CSV has no quoting: commas and quotes are replaced. */
function field(text: string): string {
  const safe = Array.from(harmless(text))
    .slice(0, LONGEST_TEXT)
    .join('')
    .replaceAll(',', ';')
    .replaceAll('"', "'");
  return withoutFormula(safe);
}
