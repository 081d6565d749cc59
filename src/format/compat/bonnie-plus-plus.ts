import { primaryRateOf } from '../../report/rate.js';
import type { FileSet, RunResult, StepValues } from '../../report/results.js';
import { sanitize } from '../../text/escape.js';
import { formatShortSize, GIB, KIB, MIB, NS_PER_MS, NS_PER_SECOND, NS_PER_US } from '../../text/units.js';
import { padOrTruncate } from '../../text/width.js';
import { type BonnieTest, DEFAULT_CHUNK_BYTES, FILE_TESTS, FILES_UNIT, IO_TESTS } from './bonnie-tests.js';

const ROW_LABEL_WIDTH = 19;

/** bonnie++'s defaults, which its tables do not show. */
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
function ioRowLabel({ label, sizeBytes, blockBytes, threads, seeks, seekThreads }: RunResult): string {
  const details = [
    sizeText(sizeBytes),
    chunkText(blockBytes),
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

/** Shorter tests get plus signs instead of results. */
const MIN_SECONDS = 0.5;
/** Seek rates from here on have no decimals. */
const MANY_SEEKS = 1000;

/** First microseconds in the next unit; bonnie++ switches at 99999, before a sixth digit. */
const FIRST_IN_MS = 99_999;
const FIRST_IN_S = 99_999_999;

type Cell = ReturnType<typeof bonniePlusPlusCells>['io'][number];

/** Returns the texts of each test: empty if it did not run; rate and %CPU are plus signs if it was too short. */
export function bonniePlusPlusCells({ steps }: RunResult, byteRateText: (perSecond: number) => string) {
  const rateText = ({ step, primaryRate }: StepValues, rate: number) => {
    if (step === 'seeks') return printfFixed(rate, rate < MANY_SEEKS ? 1 : 0);
    return primaryRate === 'bytes' ? byteRateText(rate) : String(Math.floor(rate));
  };
  const toCell = (test: BonnieTest) => {
    const result = steps.find(({ step }) => step === test);
    if (!result) return { test, rate: '', cpu: '', latency: '' };
    const { cpuPercent, seconds } = result;
    const rate = primaryRateOf(result);
    const latency = latencyText(result);
    if (rate === null || (seconds !== null && seconds < MIN_SECONDS))
      return { test, rate: '+++++', cpu: '+++', latency };
    const cpu = cpuPercent === null ? '' : String(Math.floor(cpuPercent));
    return { test, rate: rateText(result, rate), cpu, latency };
  };
  return { io: IO_TESTS.map(toCell), files: FILE_TESTS.map(toCell) };
}

/** Returns the longest operation, rounded down; for bonnie++ also that of a write into the page cache. Empty if unknown. */
function latencyText({ latencyNs, measurement }: StepValues): string {
  const longestNs = latencyNs.max ?? measurement?.copyLatencyNs?.max;
  if (longestNs === undefined) return '';
  const us = Math.floor(longestNs / NS_PER_US);
  if (us < FIRST_IN_MS) return `${us}us`;
  return us < FIRST_IN_S
    ? `${Math.floor(longestNs / NS_PER_MS)}ms`
    : `${Math.floor(longestNs / NS_PER_SECOND)}s`;
}

/** Formats sizes as `64M` or `2G`. Sizes that bonnie++ cannot have are rounded to MiB or, below 1 MiB, to KiB. */
export function sizeText(sizeBytes: number | null): string {
  if (sizeBytes === null) return '';
  if (sizeBytes < MIB) return `${Math.round(sizeBytes / KIB)}k`;
  const megabytes = Math.round(sizeBytes / MIB);
  return megabytes % (GIB / MIB) === 0 ? `${megabytes / (GIB / MIB)}G` : `${megabytes}M`;
}

/** Formats a size as `512` or `1m`. Empty if unknown, and for the default: readers convert the field to an integer. */
export function chunkText(blockBytes: number | null): string {
  return blockBytes === null || blockBytes === DEFAULT_CHUNK_BYTES ? '' : formatShortSize(blockBytes);
}

/** Returns the number in units of 1024 files. It may be a fraction because gobonnie accepts any number. */
export function fileCountText({ count }: FileSet): string {
  return String(Number((count / FILES_UNIT).toFixed(3)));
}

/** Returns the maximum size, or the kind of link. Empty for empty files. */
export function largestText({ kind, maxBytes }: FileSet): string {
  if (kind === 'hard-links') return 'link';
  if (kind === 'symlinks') return 'symlink';
  return maxBytes === 0 ? '' : String(maxBytes);
}

/** Rounds half to even, like C's printf; toFixed rounds half up. */
function printfFixed(value: number, decimals: 0 | 1): string {
  const isDownwards = decimals === 0 ? value % 2 === 0.5 : value % 1 === 0.25;
  return (isDownwards ? value - 0.01 : value).toFixed(decimals);
}
