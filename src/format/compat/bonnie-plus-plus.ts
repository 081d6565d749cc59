import type { FileSet, RunResult } from '../../report/results.js';
import { sanitize } from '../../text/escape.js';
import { GIB, KIB, MIB } from '../../text/units.js';
import { padOrTruncate } from '../writing/width.js';
import {
  bonniePlusPlusCells,
  type Cell,
  chunkText,
  fileCountText,
  largestText,
  printfFixed,
  sizeText,
} from './bonnie-plus-plus-cells.js';

/** The width before the columns. */
const ROW_LABEL_WIDTH = 19;

/** Defaults are not shown. */
const DEFAULT_CHUNK_BYTES = 8192;
const DEFAULT_CONCURRENCY = 1;
const DEFAULT_SEEKS = 8192;
/** bonnie++ shows ten seekers or more, never fewer, though its default is five. */
const MIN_SEEKERS_SHOWN = 10;

/** Up to these a rate is shown in the smaller unit. */
const MAX_KIB = 10_000;
const MAX_MIB_WITH_DECIMAL = 100;
const MAX_MIB = 1000;

/** bonnie++'s two tables for each run. A table without any test is left out. */
export function bonniePlusPlusText(runs: readonly RunResult[]): string {
  return runs
    .flatMap((run) => {
      const cells = bonniePlusPlusCells(run, byteRateText);
      const [io, files] = [ioTable(run, cells.io), fileTable(run, cells.files)];
      // bonnie++ ends the file tests' table with a line break, even if there is no table.
      return io.length > 0 && files.length === 0 ? [...io, ''] : [...io, ...files];
    })
    .map((line) => `${line}\n`)
    .join('');
}

function ioTable(run: RunResult, cells: readonly Cell[]): readonly string[] {
  return tableLines(cells, [
    `${versionLabel(run)}------Sequential Output------ --Sequential Input- --Random-`,
    `${' '.repeat(ROW_LABEL_WIDTH)} -Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- --Seeks--`,
    'Name:Size etc'.padEnd(ROW_LABEL_WIDTH) + '  /sec %CP'.repeat(cells.length),
    ioRowLabel(run) + formatCells(cells),
  ]);
}

function fileTable(run: RunResult, cells: readonly Cell[]): readonly string[] {
  return tableLines(cells, [
    `${versionLabel(run)}------Sequential Create------ --------Random Create--------`,
    `${padOrTruncate(sanitize(run.label), ROW_LABEL_WIDTH)} -Create-- --Read--- -Delete-- -Create-- --Read--- -Delete--`,
    fileColumnTitle(run.files) + '  /sec %CP'.repeat(cells.length),
    fileRowLabel(run.files) + formatCells(cells),
  ]);
}

/** Old formats have no latencies. */
function tableLines(cells: readonly Cell[], lines: readonly string[]): readonly string[] {
  if (cells.every(({ rate }) => rate === '')) return [];
  if (cells.every(({ latency }) => latency === '')) return lines;
  const latencies = cells.map(({ latency }) => ` ${latency.padStart(9)}`);
  return [...lines, 'Latency'.padEnd(17) + latencies.join('')];
}

/** The version of whichever program measured. */
function versionLabel({ program }: RunResult): string {
  return `${padOrTruncate(`Version ${sanitize(program.version ?? '').padStart(5)}`, ROW_LABEL_WIDTH)} `;
}

/** `size:chunk:concurrency:seeks:seekers` without defaults, after as much of the machine's name as fits. */
function ioRowLabel({ label, sizeBytes, chunkBytes, threads, seeks, seekThreads }: RunResult): string {
  const details = [
    sizeText(sizeBytes),
    chunkBytes === DEFAULT_CHUNK_BYTES ? '' : chunkText(chunkBytes),
    threads === DEFAULT_CONCURRENCY ? '' : threads,
    seeks === DEFAULT_SEEKS ? '' : (seeks ?? ''),
    seekThreads !== null && seekThreads >= MIN_SEEKERS_SHOWN ? seekThreads : '',
  ];
  const text = details.join(':').replace(/:+$/, '');
  const room = ROW_LABEL_WIDTH - 1 - text.length;
  return room < 0 ? text : `${padOrTruncate(sanitize(label), room)} ${text}`;
}

function fileColumnTitle(files: FileSet | null): string {
  if (!files || largestText(files) === '') return 'files'.padStart(ROW_LABEL_WIDTH);
  const title = files.kind === 'files' && files.minBytes > 0 ? 'files:max:min' : 'files:max';
  return title.padEnd(ROW_LABEL_WIDTH);
}

function fileRowLabel(files: FileSet | null): string {
  if (!files) return ' '.repeat(ROW_LABEL_WIDTH);
  const { kind, minBytes, directories } = files;
  const largest = largestText(files);
  const smallest = kind === 'files' && largest !== '' ? String(minBytes) : '';
  const text = [fileCountText(files), largest, smallest].filter(Boolean).join(':');
  return `${text}${directories > 1 ? `/${directories}` : ''}`.padStart(ROW_LABEL_WIDTH);
}

function formatCells(cells: readonly Cell[]): string {
  return cells.map(({ rate, cpu }) => ` ${rate.padStart(5)} ${cpu.padStart(3)}`).join('');
}

/** `1961k`, `97.7m`, `122m`, `1.2g`. */
function byteRateText(bytesPerSecond: number): string {
  const kib = bytesPerSecond / KIB;
  const mib = bytesPerSecond / MIB;
  if (kib < MAX_KIB) return `${Math.floor(kib)}k`;
  if (mib < MAX_MIB_WITH_DECIMAL) return `${printfFixed(mib, 1)}m`;
  return mib < MAX_MIB ? `${Math.floor(mib + 0.5)}m` : `${printfFixed(bytesPerSecond / GIB, 1)}g`;
}
