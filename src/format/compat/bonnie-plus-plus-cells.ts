import type { BonnieTest } from '../../report/bonnie-plus-plus-columns.js';
import { FILE_TESTS, IO_TESTS } from '../../report/bonnie-tests.js';
import { primaryRateOf } from '../../report/rate.js';
import type { FileSet, PhaseFigures, RunResult } from '../../report/results.js';
import { GIB, KIB, MIB, NS_PER_US } from '../../text/units.js';

/** Shorter tests are not trusted. */
const MIN_SECONDS = 0.5;
/** The number of files is given in units of this many. */
const FILES_UNIT = 1024;
/** Higher rates of seeks are shown without decimals. */
const MANY_SEEKS = 1000;

const US_PER_MS = 1000;
const US_PER_S = 1_000_000;
/** The first in the next unit; bonnie++ stops one short of five digits. */
const FIRST_IN_MS = 99_999;
const FIRST_IN_S = 99_999_999;

type FormatRate = (perSecond: number) => string;

/** What is shown of a test: empty if it did not run, plus signs for its rate and %CPU if it was too short. */
export interface Cell {
  readonly test: BonnieTest;
  readonly rate: string;
  readonly cpu: string;
  readonly latency: string;
}

export function bonniePlusPlusCells({ phases }: RunResult, byteRateText: FormatRate) {
  const toCell = (test: BonnieTest, rateText: FormatRate): Cell => {
    const result = phases.find(({ phase }) => phase === test);
    if (!result) return { test, rate: '', cpu: '', latency: '' };
    return { test, ...rateAndCpu(result, rateText), latency: latencyText(result) };
  };
  return {
    io: IO_TESTS.map((test) => toCell(test, test === 'seeks' ? seekRateText : byteRateText)),
    files: FILE_TESTS.map((test) => toCell(test, wholeRateText)),
  };
}

function rateAndCpu(result: PhaseFigures, rateText: FormatRate): Pick<Cell, 'rate' | 'cpu'> {
  const { cpuPercent, seconds } = result;
  const rate = primaryRateOf(result);
  if (rate === null || (seconds !== null && seconds < MIN_SECONDS)) return { rate: '+++++', cpu: '+++' };
  return { rate: rateText(rate), cpu: cpuPercent === null ? '' : String(Math.floor(cpuPercent)) };
}

function seekRateText(perSecond: number): string {
  return printfFixed(perSecond, perSecond < MANY_SEEKS ? 1 : 0);
}

function wholeRateText(perSecond: number): string {
  return String(Math.floor(perSecond));
}

/** Rounded down. Empty if unknown. */
function latencyText({ latencyNs: { max } }: PhaseFigures): string {
  if (max === undefined) return '';
  const us = Math.floor(max / NS_PER_US);
  if (us < FIRST_IN_MS) return `${us}us`;
  return us < FIRST_IN_S ? `${Math.floor(us / US_PER_MS)}ms` : `${Math.floor(us / US_PER_S)}s`;
}

/** `64M`, `2G`; sizes that bonnie++ cannot have are rounded to megabytes or, below one, to kilobytes. */
export function sizeText(sizeBytes: number | null): string {
  if (sizeBytes === null) return '';
  if (sizeBytes < MIB) return `${Math.round(sizeBytes / KIB)}k`;
  const megabytes = Math.round(sizeBytes / MIB);
  return megabytes % (GIB / MIB) === 0 ? `${megabytes / (GIB / MIB)}G` : `${megabytes}M`;
}

/** `512`, `8k`, `1m`. */
export function chunkText(chunkBytes: number | null): string {
  if (chunkBytes === null) return '';
  if (chunkBytes % MIB === 0) return `${chunkBytes / MIB}m`;
  return chunkBytes % KIB === 0 ? `${chunkBytes / KIB}k` : String(chunkBytes);
}

/** In units of 1024 files; a fraction, as gobonnie takes any number. */
export function fileCountText({ count }: FileSet): string {
  return String(Number((count / FILES_UNIT).toFixed(3)));
}

/** The largest size, or the kind of link. Empty for empty files. */
export function largestText({ kind, maxBytes }: FileSet): string {
  if (kind === 'hard-links') return 'link';
  if (kind === 'symlinks') return 'symlink';
  return maxBytes === 0 ? '' : String(maxBytes);
}

/** Rounds half to even, like C's printf; toFixed rounds half up. */
export function printfFixed(value: number, decimals: 0 | 1): string {
  const isDownwards = decimals === 0 ? value % 2 === 0.5 : value % 1 === 0.25;
  return (isDownwards ? value - 0.01 : value).toFixed(decimals);
}
