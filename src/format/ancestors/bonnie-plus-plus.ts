import type { FileSet, RunResult } from '../../report/results.js';
import { sanitize } from '../../text/escape.js';
import { GIB, KIB, MIB } from '../../text/units.js';
import { fitted } from '../writing/width.js';
import {
  type Cell,
  cellsOf,
  chunkText,
  fileCountText,
  fixed,
  largestText,
  sizeText,
} from './bonnie-plus-plus-cells.js';

/** The width before the columns. */
const SUBJECT_WIDTH = 19;

/** Defaults are not shown. */
const DEFAULT_CHUNK_BYTES = 8192;
const DEFAULT_CONCURRENCY = 1;
const DEFAULT_SEEKS = 8192;
/** bonnie++ shows ten seekers or more, never fewer, though its default is five. */
const FEWEST_SEEKERS_NAMED = 10;

/** Up to these a rate is shown in the smaller unit. */
const MOST_KIB = 10_000;
const MOST_MIB_WITH_A_DECIMAL = 100;
const MOST_MIB = 1000;

/** bonnie++'s two tables for each run. A table without any test is left out. */
export function bonniePlusPlusText(runs: readonly RunResult[]): string {
  return runs
    .flatMap((run) => {
      const cells = cellsOf(run, byteRateText);
      const [io, files] = [ioTable(run, cells.io), fileTable(run, cells.files)];
      // bonnie++ ends the file tests' table with a line break, even if there is no table.
      return io.length > 0 && files.length === 0 ? [...io, ''] : [...io, ...files];
    })
    .map((line) => `${line}\n`)
    .join('');
}

function ioTable(run: RunResult, cells: readonly Cell[]): readonly string[] {
  return tableOf(cells, [
    `${versionOf(run)}------Sequential Output------ --Sequential Input- --Random-`,
    `${' '.repeat(SUBJECT_WIDTH)} -Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- --Seeks--`,
    'Name:Size etc'.padEnd(SUBJECT_WIDTH) + '  /sec %CP'.repeat(cells.length),
    ioSubject(run) + columnsOf(cells),
  ]);
}

function fileTable(run: RunResult, cells: readonly Cell[]): readonly string[] {
  return tableOf(cells, [
    `${versionOf(run)}------Sequential Create------ --------Random Create--------`,
    `${fitted(sanitize(run.label), SUBJECT_WIDTH)} -Create-- --Read--- -Delete-- -Create-- --Read--- -Delete--`,
    filesTitle(run.files) + '  /sec %CP'.repeat(cells.length),
    filesSubject(run.files) + columnsOf(cells),
  ]);
}

/** Old formats have no latencies. */
function tableOf(cells: readonly Cell[], lines: readonly string[]): readonly string[] {
  if (cells.every(({ rate }) => rate === '')) return [];
  if (cells.every(({ latency }) => latency === '')) return lines;
  const latencies = cells.map(({ latency }) => ` ${latency.padStart(9)}`);
  return [...lines, 'Latency'.padEnd(17) + latencies.join('')];
}

/** The version of whichever program measured. */
function versionOf({ program }: RunResult): string {
  return `${fitted(`Version ${sanitize(program.version ?? '').padStart(5)}`, SUBJECT_WIDTH)} `;
}

/** `size:chunk:concurrency:seeks:seekers` without defaults, after as much of the machine's name as fits. */
function ioSubject({ label, sizeBytes, chunkBytes, threads, seeks, seekThreads }: RunResult): string {
  const details = [
    sizeText(sizeBytes),
    chunkBytes === DEFAULT_CHUNK_BYTES ? '' : chunkText(chunkBytes),
    threads === DEFAULT_CONCURRENCY ? '' : threads,
    seeks === DEFAULT_SEEKS ? '' : (seeks ?? ''),
    seekThreads !== null && seekThreads >= FEWEST_SEEKERS_NAMED ? seekThreads : '',
  ];
  const text = details.join(':').replace(/:+$/, '');
  const room = SUBJECT_WIDTH - 1 - text.length;
  return room < 0 ? text : `${fitted(sanitize(label), room)} ${text}`;
}

function filesTitle(files: FileSet | null): string {
  if (!files || largestText(files) === '') return 'files'.padStart(SUBJECT_WIDTH);
  const title = files.kind === 'files' && files.minBytes > 0 ? 'files:max:min' : 'files:max';
  return title.padEnd(SUBJECT_WIDTH);
}

function filesSubject(files: FileSet | null): string {
  if (!files) return ' '.repeat(SUBJECT_WIDTH);
  const { kind, minBytes, directories } = files;
  const largest = largestText(files);
  const smallest = kind === 'files' && largest !== '' ? String(minBytes) : '';
  const text = [fileCountText(files), largest, smallest].filter(Boolean).join(':');
  return `${text}${directories > 1 ? `/${directories}` : ''}`.padStart(SUBJECT_WIDTH);
}

function columnsOf(cells: readonly Cell[]): string {
  return cells.map(({ rate, cpu }) => ` ${rate.padStart(5)} ${cpu.padStart(3)}`).join('');
}

/** `1961k`, `97.7m`, `122m`, `1.2g`. */
function byteRateText(bytesPerSecond: number): string {
  const kib = bytesPerSecond / KIB;
  const mib = bytesPerSecond / MIB;
  if (kib < MOST_KIB) return `${Math.floor(kib)}k`;
  if (mib < MOST_MIB_WITH_A_DECIMAL) return `${fixed(mib, 1)}m`;
  return mib < MOST_MIB ? `${Math.floor(mib + 0.5)}m` : `${fixed(bytesPerSecond / GIB, 1)}g`;
}
