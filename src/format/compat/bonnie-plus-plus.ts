import type { FileSet, RunResult } from '../../report/results.js';
import { sanitize } from '../../text/escape.js';
import { GIB, KIB, MIB } from '../../text/units.js';
import { padOrTruncate } from '../../text/width.js';
import {
  bonniePlusPlusCells,
  type Cell,
  chunkText,
  fileCountText,
  largestText,
  printfFixed,
  sizeText,
} from './bonnie-plus-plus-cells.js';

const ROW_LABEL_WIDTH = 19;

/** bonnie++'s defaults, which its tables do not show. */
const DEFAULT_CHUNK_BYTES = 8192;
const DEFAULT_CONCURRENCY = 1;
const DEFAULT_SEEKS = 8192;
/** bonnie++ shows ten seekers or more, never fewer, though its default is five. */
const MIN_SEEKERS_SHOWN = 10;

/** Rates up to these limits stay in the smaller unit. */
const MAX_KIB = 10_000;
const MAX_MIB_WITH_DECIMAL = 100;
const MAX_MIB = 1000;

/** Renders bonnie++'s two tables for each run. Omits a table if none of its tests ran. */
export function bonniePlusPlusText(runs: readonly RunResult[]): string {
  return runs
    .flatMap((run) => {
      const cells = bonniePlusPlusCells(run, byteRateText);
      const io = ioTable(run, cells.io);
      const files = fileTable(run, cells.files);
      // bonnie++ prints the line break after the file tests' table even without the table.
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
  const { title, label } = fileLabels(run.files);
  return tableLines(cells, [
    `${versionLabel(run)}------Sequential Create------ --------Random Create--------`,
    `${padOrTruncate(sanitize(run.label), ROW_LABEL_WIDTH)} -Create-- --Read--- -Delete-- -Create-- --Read--- -Delete--`,
    title.padEnd(ROW_LABEL_WIDTH) + '  /sec %CP'.repeat(cells.length),
    label.padStart(ROW_LABEL_WIDTH) + formatCells(cells),
  ]);
}

/** Omits the latency line for old formats, which have no latencies. */
function tableLines(cells: readonly Cell[], lines: readonly string[]): readonly string[] {
  if (cells.every(({ rate }) => rate === '')) return [];
  if (cells.every(({ latency }) => latency === '')) return lines;
  const latencies = cells.map(({ latency }) => ` ${latency.padStart(9)}`);
  return [...lines, 'Latency'.padEnd(17) + latencies.join('')];
}

function versionLabel({ program }: RunResult): string {
  return `${padOrTruncate(`Version ${sanitize(program.version ?? '').padStart(5)}`, ROW_LABEL_WIDTH)} `;
}

/** Returns as much of the machine's name as fits, then `size:chunk:concurrency:seeks:seekers` without defaults. */
function ioRowLabel({ label, sizeBytes, chunkBytes, threads, seeks, seekThreads }: RunResult): string {
  const details = [
    sizeText(sizeBytes),
    chunkBytes === DEFAULT_CHUNK_BYTES ? '' : chunkText(chunkBytes),
    threads === DEFAULT_CONCURRENCY ? '' : threads,
    seeks === DEFAULT_SEEKS ? '' : (seeks ?? ''),
    seekThreads !== null && seekThreads >= MIN_SEEKERS_SHOWN ? seekThreads : '',
  ];
  const text = details.join(':').replace(/:+$/, '');
  const nameWidth = ROW_LABEL_WIDTH - 1 - text.length;
  return nameWidth < 0 ? text : `${padOrTruncate(sanitize(label), nameWidth)} ${text}`;
}

function fileLabels(files: FileSet | null) {
  const shortTitle = 'files'.padStart(ROW_LABEL_WIDTH);
  if (!files) return { title: shortTitle, label: '' };
  const { kind, minBytes, directories } = files;
  const largest = largestText(files);
  const hasSizes = kind === 'files' && largest !== '';
  const counts = [fileCountText(files), largest, hasSizes ? String(minBytes) : ''].filter(Boolean).join(':');
  const label = directories > 1 ? `${counts}/${directories}` : counts;
  if (largest === '') return { title: shortTitle, label };
  return { title: hasSizes && minBytes > 0 ? 'files:max:min' : 'files:max', label };
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
