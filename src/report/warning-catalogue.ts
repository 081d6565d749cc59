import type { RemoteKind } from '../machine/filesystem.js';
import { isSupportedOn } from '../options/platform-support.js';
import { display } from '../text/escape.js';
import { formatBytes, pluralize } from '../text/units.js';
import { describeInMemory, type MountInfo } from './in-memory.js';
import { howToBypassLoopCache } from './measure/hint.js';
import { measurementWarnings, type WarningText } from './measure/measurement-warnings.js';

/** How much of a file a device served, or why that is unknown, and the loop device that is the reason. */
export type ServedShare =
  | 'memory'
  | { readonly share: number }
  | { readonly share: null; readonly reason: string; readonly loopDevice: string | null };

/**
 * The warnings that are not about a measurement: the text of each, from its facts. Those about one are in
 * measure/measurement-warnings.ts. A new one is an entry in either file, and a section of docs/warnings.md.
 */
export const warningCatalogue = {
  'size-reduced': (facts: {
    wantedBytes: number;
    usedBytes: number;
    directory: string;
    /** Other runs that will write there. */
    beside: string | null;
  }) => ({
    message:
      `twice the memory (${formatBytes(facts.wantedBytes)}) does not fit in ${display(facts.directory)}` +
      `${facts.beside === null ? '' : ` beside ${facts.beside}`}: ` +
      `measuring with ${formatBytes(facts.usedBytes)}, so memory may serve some of the reads`,
    hint: 'free some space, or measure another directory, to measure with twice the memory',
  }),
  'threads-reduced': (facts: { wanted: number; threads: number; memoryBytes: number }) => ({
    message:
      `not enough memory (${formatBytes(facts.memoryBytes)}) for one thread on each of ${facts.wanted} cores: ` +
      `measuring with ${pluralize(facts.threads, 'thread')}`,
    hint: 'raise the memory limit to measure with more',
  }),
  'size-below-memory': (facts: { totalBytes: number; memoryBytes: number; platform: string }) => ({
    message:
      `${formatBytes(facts.totalBytes)} is less than the memory, ${formatBytes(facts.memoryBytes)}: ` +
      'the figures may be those of memory, not of the disk',
    hint: `pass a larger -s${isSupportedOn('direct', facts.platform) ? ', or -o_direct' : ''}`,
  }),
  'io-size-raised': (facts: { ioSizeBytes: number; askedBytes: number; why: string }) => ({
    message: `the random operations move ${facts.ioSizeBytes} instead of ${facts.askedBytes} bytes: ${facts.why}`,
    hint: `pass --io-size ${facts.ioSizeBytes} to silence this`,
  }),
  'memory-filesystem': (facts: MountInfo) => ({
    message: `${describeInMemory(facts)}, so the figures do not show a disk's speed`,
    hint: 'use a directory on the disk to measure',
  }),
  'remote-filesystem': (facts: { directory: string; server: RemoteKind; filesystem: string | null }) => ({
    message:
      `${display(facts.directory)} is served by ${REMOTE_KINDS[facts.server].name} through ${facts.filesystem}: ` +
      'each operation crosses into it, and its memory may answer',
    hint: REMOTE_KINDS[facts.server].hint,
  }),
  'compressing-filesystem': (facts: { directory: string; compression: string }) => ({
    message: `${display(facts.directory)} is compressed (${facts.compression}), and one repeated block may compress well`,
    hint: 'pass --unique, with --compressible if your data compresses',
  }),
  'zero-filled': (facts: { filesystem: string | null; threads: number; option: string }) => ({
    message:
      `${facts.filesystem} fills the file that ${facts.threads} threads share with zeros up to the first write of each, ` +
      'so writing may look much too slow',
    hint: `leave out ${facts.option}, so that each thread has a file of its own`,
  }),
  'cache-not-dropped': (facts: CacheDropFailure) => ({
    message: `the page cache was not emptied (${facts.reason}): memory may serve some of the reads, so read and IOPS may look too good`,
    hint: cacheHint(facts),
  }),
  'direct-io-unavailable': (facts: { file: string; platform: string }) => ({
    message: `${display(facts.file)} cannot be read with O_DIRECT: memory may serve some of it, so the rates may look too good`,
    hint: DIRECT_READ_HINTS[facts.platform] ?? 'read the device under it instead',
  }),
  'not-read-from-device': ({ file, served }: { file: string; served: ServedShare }) => {
    const ofMemory = 'do not rely on these rates: they are not those of a disk';
    if (served === 'memory') return { message: `${display(file)} is in memory`, hint: ofMemory };
    if (served.share === null)
      return {
        message: `how much of ${display(file)} was in memory is unknown (${served.reason})`,
        hint:
          served.loopDevice === null
            ? 'do not rely on these rates: they may be those of memory'
            : howToBypassLoopCache(served.loopDevice),
      };
    return {
      message:
        `only ${Math.floor(served.share * 100)} % of ${display(file)} was read from a device: ` +
        'the rest was in memory, a hole or compressed',
      hint: ofMemory,
    };
  },
  'not-stable': (facts: { runs: number; withinPercent: number; maxRuns: number }) => ({
    message: `after ${facts.runs} runs the figures are still not within ${facts.withinPercent} % of their means`,
    hint: `look for what else uses the machine, or pass a larger --until-stable or --max-runs than ${facts.maxRuns}`,
  }),
  bimodal: (facts: { low: string; lowRuns: number; high: string; highRuns: number }) => ({
    message:
      `two speeds: about ${facts.low} in ${pluralize(facts.lowRuns, 'run')} and ${facts.high} in ` +
      `${pluralize(facts.highRuns, 'run')}, so the mean is neither`,
    hint: 'look for what differs between the runs: a cache, a throttle, another program',
  }),
  outliers: (facts: { values: string }) => ({
    message: `some runs are far from the others: ${facts.values}`,
    hint: 'look at the median, or measure again when the machine is quiet',
  }),
  'no-cleanup-process': (facts: { loss: string }) => ({
    message: facts.loss,
    hint: 'if this run is killed, the next run or gobonnie clean removes its files',
  }),
  'writable-by-others': (facts: { directory: string }) => ({
    message: `other users of this system can write to the files in ${display(facts.directory)}, as it is mounted that way`,
    hint: 'on a shared machine, measure a directory of your own on another mount',
  }),
  'renamable-directory': (facts: { directory: string }) => ({
    message: `other users can rename ${display(facts.directory)}, so files are opened through /proc`,
    hint: 'create, stat and delete take a few microseconds longer than in a directory of your own',
  }),
} satisfies Readonly<Record<string, (facts: never) => WarningText>>;

const REMOTE_KINDS: Readonly<Record<RemoteKind, { readonly name: string; readonly hint: string }>> = {
  windows: {
    name: 'Windows',
    hint: 'keep what has to be fast in the Linux filesystem, or in a volume of the container',
  },
  docker: { name: 'Docker Desktop', hint: 'keep what has to be fast in a volume, not in a bind mount' },
  machine: {
    name: 'another system of this machine',
    hint: 'keep what has to be fast on a disk of this system',
  },
  network: { name: 'another machine', hint: 'use a --size well above its RAM, too' },
};

/** The methods by which zones can read without the page cache on systems other than Linux. */
const DIRECT_READ_HINTS: Readonly<Record<string, string>> = {
  darwin: 'read the disk under it instead, such as /dev/rdisk0 (it needs root)',
  win32: 'read a file well above the RAM',
};

interface CacheDropFailure {
  readonly reason: string;
  /** What makes the method that failed work, if that is known. */
  readonly remedy: string | null;
  readonly platform: string;
  readonly isRoot: boolean;
  /** Whether --direct was passed, which does not apply to all phases. */
  readonly isDirect: boolean;
}

/** Only the methods that work on this system for this user. */
function cacheHint({ remedy, platform, isRoot, isDirect }: CacheDropFailure): string {
  const ways = [
    ...(!isDirect && isSupportedOn('direct', platform) ? ['pass --direct'] : []),
    ...(!isRoot && isSupportedOn('drop', platform) ? ['run as root'] : []),
    ...(remedy === null ? [] : [remedy]),
    'use a --size well above the RAM',
  ];
  return ways.join(', or ');
}

type CatalogueCode = keyof typeof warningCatalogue;
type WarningFacts<Code extends CatalogueCode> = Parameters<(typeof warningCatalogue)[Code]>[0];

export type WarningCode = CatalogueCode | keyof typeof measurementWarnings;
export const WARNING_CODES = Object.keys({ ...warningCatalogue, ...measurementWarnings }) as [
  WarningCode,
  ...WarningCode[],
];

/** `phase` is the one whose figure the warning is about; null if it is about all. */
export function createWarning<Code extends CatalogueCode>(
  code: Code,
  facts: WarningFacts<Code>,
  phase: string | null = null,
): { code: Code; phase: string | null; message: string; hint: string } {
  const renderText = warningCatalogue[code] as (facts: WarningFacts<Code>) => WarningText;
  return { code, phase, ...renderText(facts) };
}

/** True if it matters during the run. It is then printed immediately; other warnings follow the results. */
export function isUrgent({ code }: { code: WarningCode }): boolean {
  return code === 'no-cleanup-process';
}

/** Returns the warnings to print after the results. The other warnings have been printed by then. */
export function withoutUrgent<Known extends { code: WarningCode }>(
  warnings: readonly Known[],
): readonly Known[] {
  return warnings.filter((warning) => !isUrgent(warning));
}

/** Equal for the warnings of several runs about the same thing. */
export function warningKey({ code, phase }: { code: WarningCode; phase: string | null }): string {
  return `${code} ${phase ?? ''}`;
}
