import type { RemoteKind } from '../machine/filesystem.js';
import { isSupportedOn } from '../options/platform-support.js';
import { describeInMemory, type MountInfo } from '../report/rate.js';
import type { Warning } from '../report/schema/report.js';
import { display } from '../text/escape.js';
import { formatBytes, formatSeconds, pluralize } from '../text/units.js';
import { howToBypassLoopCache, MAY_BE_CACHED } from './hint.js';

/** The share of a file that a device served, or why it is unknown, and the loop device that is the reason. */
export type ServedShare =
  | 'memory'
  | { readonly share: number }
  | { readonly share: null; readonly reason: string; readonly loopDevice: string | null };

/**
 * The warnings that are not about a measurement; measurement-warnings.ts has the warnings about measurements. A
 * new warning needs an entry in either file, and a section in docs/warnings.md.
 */
export const warningCatalogue = {
  'size-reduced': (facts: {
    wantedBytes: number;
    usedBytes: number;
    directory: string;
    mayBeCached: boolean;
  }) => ({
    message:
      `${display(facts.directory)} has no room for ${formatBytes(facts.wantedBytes)}, the default; ` +
      `using ${formatBytes(facts.usedBytes)} instead${facts.mayBeCached ? ', so some reads may be cached' : ''}`,
    hint: 'free some space or measure another directory',
  }),
  'layout-stopped': (facts: { wantedBytes: number; usedBytes: number; seconds: number }) => ({
    message: `only ${formatBytes(facts.usedBytes)} was written in ${formatSeconds(facts.seconds)}; the steps use that instead of ${formatBytes(facts.wantedBytes)}`,
    hint: 'pass a --size that the disk writes in that time',
  }),
  'threads-reduced': (facts: { wanted: number; threads: number; memoryBytes: number }) => ({
    message:
      `not enough RAM (${formatBytes(facts.memoryBytes)}) for one thread on each of ${facts.wanted} cores: ` +
      `using ${pluralize(facts.threads, 'thread')}`,
    hint: 'raise the memory limit to use more threads',
  }),
  'size-below-memory': (facts: { totalBytes: number; memoryBytes: number; platform: string }) => ({
    message:
      `${formatBytes(facts.totalBytes)} of data is less than the RAM (${formatBytes(facts.memoryBytes)}): ` +
      "the results may show the page cache's speed, not the disk's",
    hint: `pass a larger -s${isSupportedOn('direct', facts.platform) ? ', or -o_direct' : ''}`,
  }),
  'io-size-raised': (facts: { ioSizeBytes: number; askedBytes: number; why: string }) => ({
    message: `random operations move ${facts.ioSizeBytes} instead of ${facts.askedBytes} bytes: ${facts.why}`,
    hint: `use an io-size of ${facts.ioSizeBytes} to silence this`,
  }),
  'uring-unavailable': (facts: { reason: string }) => ({
    message: `io_uring cannot be used (${facts.reason}): as many threads keep the same number of requests in flight`,
    hint: 'pass --engine threads to silence this',
  }),
  'memory-filesystem': (facts: MountInfo) => ({
    message: `${describeInMemory(facts)}, so the results do not show a disk's speed`,
    hint: 'use a directory on the disk to measure',
  }),
  'remote-filesystem': (facts: { directory: string; server: RemoteKind; filesystem: string | null }) => ({
    message:
      `${display(facts.directory)} is served by ${FILE_SERVERS[facts.server].name} through ${facts.filesystem}: ` +
      'every operation is a round trip, and may be served from its cache',
    hint:
      facts.server === 'network'
        ? 'use a --size that is also well above its RAM'
        : `keep files that must be fast ${FILE_SERVERS[facts.server].fasterPlace}`,
  }),
  'compressing-filesystem': (facts: { directory: string; compression: string; hasOwnData: boolean }) => ({
    message: `${display(facts.directory)} is compressed (${facts.compression}), and the default data, a repeated block, may compress well`,
    hint: facts.hasOwnData
      ? 'compare these results only with those of other filesystems that compress'
      : 'pass --unique, and --compressible if your data compresses',
  }),
  'zero-filled': (facts: { filesystem: string | null; threads: number; option: string }) => ({
    message:
      `${facts.filesystem} fills the file that ${facts.threads} threads share with zeros up to each thread's first write, ` +
      'so writes may look much too slow',
    hint: `leave out ${facts.option} to give each thread its own file`,
  }),
  'cache-not-dropped': (facts: CacheDropFailure) => ({
    message: `the page cache was not dropped (${facts.reason}): some reads may be cached, so read and IOPS may be too high`,
    hint: cacheHint(facts),
  }),
  'direct-io-unavailable': (facts: { file: string; platform: string }) => ({
    message: `${display(facts.file)} cannot be read with O_DIRECT: some reads may be cached, so the rates may be too high`,
    hint: DIRECT_READ_HINTS[facts.platform] ?? 'read the underlying device instead',
  }),
  'not-read-from-device': ({ file, served }: { file: string; served: ServedShare }) => {
    const hint = "do not rely on these rates: they are not a disk's";
    if (served === 'memory') return { message: `${display(file)} is in memory`, hint };
    if (served.share === null)
      return {
        message: `how much of ${display(file)} was cached is unknown (${served.reason})`,
        hint: served.loopDevice === null ? MAY_BE_CACHED : howToBypassLoopCache(served.loopDevice),
      };
    return {
      message:
        `only ${Math.floor(served.share * 100)} % of ${display(file)} was read from a device: ` +
        'the rest was cached, a hole or compressed',
      hint,
    };
  },
  'not-stable': (facts: { runs: number; withinPercent: number; maxRuns: number }) => ({
    message: `after ${facts.runs} runs, some confidence intervals are still wider than ±${facts.withinPercent} % of the mean`,
    hint: `stop other programs, or pass a larger --until-stable or --max-runs than ${facts.maxRuns}`,
  }),
  bimodal: (facts: { low: string; lowRuns: number; high: string; highRuns: number }) => ({
    message:
      `results are bimodal: about ${facts.low} in ${pluralize(facts.lowRuns, 'run')}, ${facts.high} in ` +
      `${pluralize(facts.highRuns, 'run')}; the mean matches neither`,
    hint: 'find out what differs between the runs: a cache, throttling, another program',
  }),
  outliers: (facts: { values: string }) => ({
    message: `some runs are outliers: ${facts.values}`,
    hint: 'run again when the machine is idle',
  }),
  'no-cleanup-process': (facts: { loss: string }) => ({
    message: facts.loss,
    hint: 'if this run is killed, the next run or gobonnie clean removes its files',
  }),
  'writable-by-others': (facts: { directory: string }) => ({
    message:
      `other users can write to ${display(facts.directory)}, and could move gobonnie's files aside during a run, ` +
      'which gobonnie notices before the next phase',
    hint: `on a shared machine, measure another directory, or run chmod go-w ${display(facts.directory)}`,
  }),
} satisfies Readonly<Record<string, (facts: never) => Pick<Warning, 'message' | 'hint'>>>;

/** Where another system or process serves the files, and where files are faster. */
export const FILE_SERVERS = {
  windows: { name: 'Windows', fasterPlace: 'in the Linux filesystem or in a container volume' },
  docker: { name: 'Docker Desktop', fasterPlace: 'in a volume, not in a bind mount' },
  machine: { name: 'another system on this machine', fasterPlace: 'on a disk of this system' },
  network: { name: 'another machine', fasterPlace: 'on a local disk' },
  process: { name: 'another process', fasterPlace: 'on a filesystem of the kernel' },
} as const satisfies Readonly<Record<RemoteKind | 'process', unknown>>;

/** How zones can bypass the page cache on systems other than Linux. */
const DIRECT_READ_HINTS: Readonly<Record<string, string>> = {
  darwin: 'read the underlying disk instead, such as /dev/rdisk0 (needs root)',
  win32: 'read a file that is much larger than the RAM',
};

interface CacheDropFailure {
  readonly reason: string;
  /** How to make the failed method work. Null if unknown. */
  readonly remedy: string | null;
  readonly platform: string;
  readonly isRoot: boolean;
  /** True if --direct was passed, which does not apply to all phases, or if the command or each step sets direct I/O itself. */
  readonly isDirect: boolean;
}

/** Suggests only methods that work on this system for this user. */
function cacheHint({ remedy, platform, isRoot, isDirect }: CacheDropFailure): string {
  const methods: string[] = [];
  if (!isDirect && isSupportedOn('direct', platform)) methods.push('pass --direct');
  if (!isRoot && isSupportedOn('drop', platform)) methods.push('run as root');
  if (remedy !== null) methods.push(remedy);
  methods.push('use a --size well above the RAM');
  return methods.join(', or ');
}

type CatalogueCode = keyof typeof warningCatalogue;
type WarningFacts<Code extends CatalogueCode> = Parameters<(typeof warningCatalogue)[Code]>[0];

/** `step` is the step whose result the warning is about; null for all steps. */
export function createWarning<Code extends CatalogueCode>(
  code: Code,
  facts: WarningFacts<Code>,
  step: string | null = null,
): { code: Code; step: string | null; message: string; hint: string } {
  const renderText = warningCatalogue[code] as (
    facts: WarningFacts<Code>,
  ) => Pick<Warning, 'message' | 'hint'>;
  return { code, step, ...renderText(facts) };
}

/** True if it matters during the run. It is then printed immediately; other warnings follow the results. */
export function isUrgent({ code }: { code: string }): boolean {
  return code === 'no-cleanup-process';
}

/** A key that is equal for warnings of several runs about the same problem. */
export function warningKey({ code, step }: { code: string; step: string | null }): string {
  return `${code} ${step ?? ''}`;
}
