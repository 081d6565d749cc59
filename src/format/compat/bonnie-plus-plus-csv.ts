import type { FileSet, RunResult } from '../../report/results.js';
import { escapeFormula, sanitize } from '../../text/escape.js';
import { KIB } from '../../text/units.js';
import { bonniePlusPlusCells, chunkText, fileCountText, largestText, sizeText } from './bonnie-plus-plus.js';
import { type BonnieCsvColumn, CSV_COLUMNS, TEST_COLUMNS } from './bonnie-tests.js';

/** Missing fields are printed empty. */
type Fields = Partial<Record<BonnieCsvColumn, string | number | null>>;

export function createBonniePlusPlusCsv(version: keyof typeof CSV_COLUMNS) {
  const rowLine = (run: RunResult): string => {
    const values = { format_version: version, ...toFields(run) };
    const fields = version === '1.03' ? combineFields(values) : values;
    return `${CSV_COLUMNS[version].map((column) => fields[column] ?? '').join(',')}\n`;
  };
  return (runs: readonly RunResult[]): string => runs.map(rowLine).join('');
}

export const BONNIE_PLUS_PLUS_CSV_HEADER = CSV_COLUMNS['1.98'].join(',');

/** 1.03 prints size and chunk in one field, `1G:64k`, and the file settings in another field, `16:1000:10/5`. */
function combineFields(fields: Fields): Fields {
  const join = (...values: readonly unknown[]) => values.filter(Boolean).join(':');
  const { file_size, io_chunk_size, num_files, max_size, min_size, num_dirs } = fields;
  const files = join(num_files, max_size, min_size);
  return {
    ...fields,
    file_size: join(file_size, io_chunk_size),
    num_files: Number(num_dirs) > 1 ? `${files}/${num_dirs}` : files,
  };
}

function toFields(run: RunResult): Fields {
  const { program, label, threads, seed, sizeBytes, blockBytes, seeks, seekThreads, files } = run;
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
    bonnie_version: textField(program.version ?? ''),
    name: textField(label),
    concurrency: threads,
    seed: textField(seed ?? ''),
    ...(sizeBytes !== null && {
      file_size: sizeText(sizeBytes),
      io_chunk_size: chunkText(blockBytes),
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
  const chunk = hasData ? chunkText(files.blockBytes) : '';
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
