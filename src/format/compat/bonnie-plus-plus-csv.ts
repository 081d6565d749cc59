import type { FileSet, RunResult } from '../../report/results.js';
import { escapeFormula, sanitize } from '../../text/escape.js';
import { KIB } from '../../text/units.js';
import { bonniePlusPlusCells, chunkText, fileCountText, largestText, sizeText } from './bonnie-plus-plus.js';
import { type BonnieCsvColumn, COLUMNS_1_98, TEST_COLUMNS } from './bonnie-tests.js';

/** The only version that bon_csv2html and bon_csv2txt accept. */
const FORMAT_VERSION = '1.98';

/** Missing fields are printed empty. */
type Fields = Partial<Record<BonnieCsvColumn, string | number | null>>;

export function bonniePlusPlusCsv(runs: readonly RunResult[]): string {
  return runs
    .map(toFields)
    .map((fields) => `${COLUMNS_1_98.map((column) => fields[column] ?? '').join(',')}\n`)
    .join('');
}

export function bonniePlusPlusCsvHeader(): string {
  return COLUMNS_1_98.join(',');
}

function toFields(run: RunResult): Fields {
  const { program, label, threads, seed, sizeBytes, chunkBytes, seeks, seekThreads, files } = run;
  const { io, files: fileTests } = bonniePlusPlusCells(run, (rate) => String(Math.floor(rate / KIB)));
  const results = [...io, ...fileTests].flatMap(({ test, rate, cpu, latency }) => {
    const column = TEST_COLUMNS[test];
    return [
      [column, rate],
      [`${column}_cpu`, cpu],
      [`${column}_latency`, latency],
    ];
  });
  return {
    format_version: FORMAT_VERSION,
    bonnie_version: textField(program.version ?? ''),
    name: textField(label),
    concurrency: threads,
    seed: textField(seed ?? ''),
    ...(sizeBytes !== null && {
      file_size: sizeText(sizeBytes),
      io_chunk_size: chunkText(chunkBytes),
      num_seeks: seeks,
      seek_procs: seekThreads,
    }),
    ...(files && fileSetFields(files)),
    ...Object.fromEntries(results),
  };
}

function fileSetFields(files: FileSet): Fields {
  const { kind, minBytes, maxBytes, directories } = files;
  const hasData = kind === 'files' && maxBytes > 0;
  const chunk = hasData ? chunkText(files.chunkBytes) : '';
  // bonnie++ puts the directories into the chunk's field, so a chunk requires a directory count, even if it is 1.
  const hasDirectories = directories > 1 || chunk !== '';
  return {
    num_files: fileCountText(files),
    max_size: largestText(files),
    min_size: hasData && minBytes > 0 ? minBytes : '',
    num_dirs: hasDirectories ? Math.max(1, directories) : '',
    file_chunk_size: chunk,
  };
}

/** Replaces commas and quotes because bonnie++'s CSV has no quoting. */
function textField(text: string): string {
  return escapeFormula(sanitize(text).replaceAll(',', ';').replaceAll('"', "'"));
}
