import { primaryRateOf } from '../../report/rate.js';
import type { FileSet, RunResult, StepValues } from '../../report/results.js';
import { formatShortSize, GIB, KIB, MIB, NS_PER_US } from '../../text/units.js';
import { type BonnieTest, FILE_TESTS, IO_TESTS } from './bonnie-tests.js';

/** Shorter tests get plus signs instead of results. */
const MIN_SECONDS = 0.5;
const FILES_UNIT = 1024;
/** Seek rates from here on have no decimals. */
const MANY_SEEKS = 1000;

const US_PER_MS = 1000;
const US_PER_S = 1_000_000;
/** First values in the next unit; bonnie++ switches at 99999, before a sixth digit. */
const FIRST_IN_MS = 99_999;
const FIRST_IN_S = 99_999_999;

/** Texts for a test: empty if it did not run; rate and %CPU are plus signs if it was too short. */
export interface Cell {
  readonly test: BonnieTest;
  readonly rate: string;
  readonly cpu: string;
  readonly latency: string;
}

export function bonniePlusPlusCells({ steps }: RunResult, byteRateText: (perSecond: number) => string) {
  const rateText = ({ step, primaryRate }: StepValues, rate: number) => {
    if (step === 'seeks') return printfFixed(rate, rate < MANY_SEEKS ? 1 : 0);
    return primaryRate === 'bytes' ? byteRateText(rate) : String(Math.floor(rate));
  };
  const toCell = (test: BonnieTest): Cell => {
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

/** Rounds down. Empty if unknown. */
function latencyText({ latencyNs: { max } }: StepValues): string {
  if (max === undefined) return '';
  const us = Math.floor(max / NS_PER_US);
  if (us < FIRST_IN_MS) return `${us}us`;
  return us < FIRST_IN_S ? `${Math.floor(us / US_PER_MS)}ms` : `${Math.floor(us / US_PER_S)}s`;
}

/** Formats sizes as `64M` or `2G`. Sizes that bonnie++ cannot have are rounded to MiB or, below 1 MiB, to KiB. */
export function sizeText(sizeBytes: number | null): string {
  if (sizeBytes === null) return '';
  if (sizeBytes < MIB) return `${Math.round(sizeBytes / KIB)}k`;
  const megabytes = Math.round(sizeBytes / MIB);
  return megabytes % (GIB / MIB) === 0 ? `${megabytes / (GIB / MIB)}G` : `${megabytes}M`;
}

/** Formats a size as `512`, `8k` or `1m`. Empty if unknown. */
export function chunkText(chunkBytes: number | null): string {
  return chunkBytes === null ? '' : formatShortSize(chunkBytes);
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
export function printfFixed(value: number, decimals: 0 | 1): string {
  const isDownwards = decimals === 0 ? value % 2 === 0.5 : value % 1 === 0.25;
  return (isDownwards ? value - 0.01 : value).toFixed(decimals);
}
