import { type FileSet, type PhaseFigures, type RunResult, rateOf } from '../../report/results.js';
import { GIB, KIB, MIB, NS_PER_US } from '../../text/units.js';

/** Shorter tests are not trusted. */
const SHORTEST_SECONDS = 0.5;
/** The number of files is given in units of this many. */
const FILES_UNIT = 1024;
/** Higher rates of seeks are shown without decimals. */
const MANY_SEEKS = 1000;

const US_PER_MS = 1000;
const US_PER_S = 1_000_000;
/** The first in the next unit; bonnie++ stops one short of five digits. */
const FIRST_IN_MS = 99_999;
const FIRST_IN_S = 99_999_999;

export interface Cell {
  readonly rate: string;
  readonly cpu: string;
}

/** Empty if the test did not run, plus signs if it was too short. */
export function cellOf(result: PhaseFigures | undefined, rateText: (perSecond: number) => string): Cell {
  if (!result) return { rate: '', cpu: '' };
  const { cpuPercent, seconds } = result;
  const rate = rateOf(result);
  if (rate === null || (seconds !== null && seconds < SHORTEST_SECONDS)) return { rate: '+++++', cpu: '+++' };
  return { rate: rateText(rate), cpu: cpuPercent === null ? '' : String(Math.floor(cpuPercent)) };
}

export function seekRateText(perSecond: number): string {
  return fixed(perSecond, perSecond < MANY_SEEKS ? 1 : 0);
}

export function fileRateText(perSecond: number): string {
  return String(Math.floor(perSecond));
}

/** Rounded down. Empty if unknown. */
export function latencyText(result: PhaseFigures | undefined): string {
  const longestNs = result?.latencyNs.max;
  if (longestNs === undefined) return '';
  const us = Math.floor(longestNs / NS_PER_US);
  if (us < FIRST_IN_MS) return `${us}us`;
  if (us < FIRST_IN_S) return `${Math.floor(us / US_PER_MS)}ms`;
  return `${Math.floor(us / US_PER_S)}s`;
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
  for (const [unit, name] of [
    [MIB, 'm'],
    [KIB, 'k'],
  ] as const) {
    if (chunkBytes % unit === 0) return `${chunkBytes / unit}${name}`;
  }
  return String(chunkBytes);
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

/** The figures of each test; undefined if it did not run. */
export function resultsOfTests(
  { phases }: RunResult,
  tests: readonly string[],
): readonly (PhaseFigures | undefined)[] {
  return tests.map((test) => phases.find(({ phase }) => phase === test));
}

/** As C's printf: rounds half to even, where toFixed rounds half up. */
export function fixed(value: number, decimals: 0 | 1): string {
  const isDownwards = decimals === 0 ? value % 2 === 0.5 : value % 1 === 0.25;
  return (isDownwards ? value - 0.01 : value).toFixed(decimals);
}
