import type { Phase } from '../../workers/phases/phase.js';
import { shown } from '../text/escape.js';
import { MB, showBytes, showSeconds } from '../text/units.js';
import type { Measurement } from './schema/measured.js';

/** What is wrong, and what to do about it. */
interface Told {
  readonly message: string;
  readonly hint: string;
}

type Moves = Phase['moves'];
type Of<Key extends keyof Measurement> = Pick<Measurement, 'title' | Key>;

const STILL_BUFFERED =
  'this filesystem takes --direct (O_DIRECT) and still buffers: measure another directory';
const EMPTIES = '--cache auto empties the page cache if it can, best as root';
const READ_FROM_DEVICE: Readonly<Record<Moves, string>> = {
  blocks: `pass --direct or a larger --size; ${EMPTIES}`,
  pieces: `pass --direct or a larger --size; ${EMPTIES}`,
  bytes: `pass a larger --size; ${EMPTIES}`,
  files: 'they were made a moment before; pass more --files or a larger --file-size than memory holds',
};
const WRITE_TO_DEVICE: Readonly<Record<Moves, string>> = {
  blocks: 'pass --fsync, --direct or a larger --size',
  pieces: 'pass --fsync, --direct or a larger --size',
  bytes: 'pass --fsync or a larger --size',
  files: 'pass --sync-writes',
};

/** Marks a warning that helps only while the run goes on: it is printed at once, the others after the figures. */
function urgent<Facts>(tell: (facts: Facts) => Told) {
  return Object.assign(tell, { isUrgent: true });
}

/**
 * Every warning: what it says of the facts. A new one is an entry here and its explanation in
 * src/cli/explain/warnings.ts; the report's schema knows it from here.
 */
export const warningCatalogue = {
  'size-cut': (facts: { wantedBytes: number; usedBytes: number; directory: string }): Told => ({
    message:
      `twice the memory (${showBytes(facts.wantedBytes)}) does not fit in ${shown(facts.directory)}: ` +
      `measuring with ${showBytes(facts.usedBytes)}, so memory may serve some of the reads`,
    hint: 'free some space, or measure another directory, to measure with twice the memory',
  }),
  'size-below-memory': (facts: { totalBytes: number; memoryBytes: number }): Told => ({
    message:
      `${showBytes(facts.totalBytes)} is less than the memory, ${showBytes(facts.memoryBytes)}: ` +
      'the figures may be those of memory, not of the disk',
    hint: 'pass a larger -s, or -o_direct',
  }),
  'io-size-raised': (facts: { ioSizeBytes: number; askedBytes: number; why: string }): Told => ({
    message: `the random operations move ${facts.ioSizeBytes} instead of ${facts.askedBytes} bytes: ${facts.why}`,
    hint: `pass --io-size ${facts.ioSizeBytes} to silence this`,
  }),
  'memory-filesystem': (facts: { directory: string; filesystem: string | null }): Told => ({
    message: `${shown(facts.directory)} is in memory (${facts.filesystem}), so the figures do not show a disk's speed`,
    hint: 'use a directory on the disk to measure',
  }),
  'compressing-filesystem': (facts: { directory: string; compression: string }): Told => ({
    message: `${shown(facts.directory)} is compressed (${facts.compression}), and one repeated block may compress well`,
    hint: 'pass --unique, with --compressible if your data compresses',
  }),
  'cache-not-emptied': (facts: { reason: string; platform: string; isRoot: boolean }): Told => ({
    message: `the page cache was not emptied (${facts.reason}): memory may serve some of the reads, so read and IOPS may look too good`,
    hint: cacheHint(facts),
  }),
  'memory-served': (facts: Of<'device'> & { isDirect: boolean; moves: Moves }): Told => ({
    message: `${facts.title}: only ${percent(facts.device.share)} of it came from the device, memory served the rest`,
    hint: facts.isDirect ? STILL_BUFFERED : READ_FROM_DEVICE[facts.moves],
  }),
  'still-dirty': (facts: Of<'device' | 'durable'> & { isDirect: boolean; moves: Moves }): Told => ({
    message:
      `${facts.title}: only ${percent(facts.device.share)} of it had reached the device when the clock stopped, the rest was still in memory` +
      (facts.durable
        ? `; until all of it was there, it was ${megabytes(facts.durable.bytesPerSecond)} MB/s`
        : ''),
    hint: facts.isDirect ? STILL_BUFFERED : WRITE_TO_DEVICE[facts.moves],
  }),
  'not-direct': (facts: { file: string }): Told => ({
    message: `${shown(facts.file)} cannot be read with O_DIRECT: memory may serve some of it, so the rates may look too good`,
    hint: 'read the device under it instead',
  }),
  'not-from-device': (facts: { file: string; share: number }): Told => ({
    message:
      `only ${Math.floor(facts.share * 100)} % of what was read of ${shown(facts.file)} came from a device: ` +
      'the rest was in memory, or is a hole or compressed',
    hint: 'do not take the rates for those of a disk',
  }),
  cliff: (facts: Of<'figure'> & { cliff: NonNullable<Measurement['cliff']> }): Told => {
    const rate = (perSecond: number) =>
      facts.figure === 'bytes' ? `${megabytes(perSecond)} MB/s` : `${perSecond.toFixed(0)} a second`;
    const { atSeconds, beforePerSecond, afterPerSecond } = facts.cliff;
    return {
      message:
        `${facts.title}: ${rate(beforePerSecond)} for ${showSeconds(atSeconds)}, then ${rate(afterPerSecond)}: ` +
        'a cache was full or a credit used up, and the figure mixes the two',
      hint: 'a larger --size or --iops-duration shows what lasts',
    };
  },
  suspended: (facts: Of<'seconds'> & { suspendedSeconds: number }): Told => ({
    message:
      `${facts.title}: gobonnie was suspended for ${showSeconds(facts.suspendedSeconds)} of ${showSeconds(facts.seconds)} ` +
      '(Ctrl-Z, a paused container or VM): the figure is too low',
    hint: 'measure again, and let it run',
  }),
  'others-busy': (facts: { title: string; othersBytes: number }): Told => ({
    message: `${facts.title}: others moved ${megabytes(facts.othersBytes)} MB on the same device meanwhile`,
    hint: 'stop what else uses the device, and measure again',
  }),
  'cpu-stolen': (facts: { title: string; stealShare: number }): Told => ({
    message: `${facts.title}: the hypervisor gave ${percent(facts.stealShare)} of the processors' time to others`,
    hint: "the figure is not the disk's alone: measure again when the host is quiet, with --runs 5 or --until-stable 5",
  }),
  'cpu-saturated': (facts: { title: string; busyShare: number }): Told => ({
    message: `${facts.title}: the processors were busy for ${percent(facts.busyShare)} of the time: they may be the limit, not the disk`,
    hint: 'pass a larger --block-size or --io-size, or stop what else runs',
  }),
  'not-stable': (facts: { runs: number; withinPercent: number; maxRuns: number }): Told => ({
    message: `after ${facts.runs} runs the figures are still not within ${facts.withinPercent} % of their means`,
    hint: `look for what else uses the machine, or pass a larger --until-stable or --max-runs than ${facts.maxRuns}`,
  }),
  unwatched: urgent((facts: { loss: string }) => ({
    message: facts.loss,
    hint: 'if this run is killed, the next run or gobonnie clean removes its files',
  })),
  'renamable-directory': (facts: { directory: string }): Told => ({
    message: `other users can rename ${shown(facts.directory)}, so files are opened through /proc`,
    hint: 'create, stat and delete take a few microseconds longer than in a directory of your own',
  }),
} as const;

/** Only what works on this system, as this user. */
function cacheHint({ platform, isRoot }: { platform: string; isRoot: boolean }): string {
  const ways = [
    ...(platform === 'linux' ? ['pass --direct'] : []),
    ...(!isRoot && (platform === 'linux' || platform === 'darwin') ? ['run as root'] : []),
    'use a --size well above the RAM',
  ];
  return ways.join(', or ');
}

export type WarningCode = keyof typeof warningCatalogue;
type Facts<Code extends WarningCode> = Parameters<(typeof warningCatalogue)[Code]>[0];

export const WARNING_CODES = Object.keys(warningCatalogue) as [WarningCode, ...WarningCode[]];

/** The warning of that code. `phase` is the one whose figure it is about; without it, it is about all. */
export function warningOf<Code extends WarningCode>(
  code: Code,
  facts: Facts<Code>,
  phase: string | null = null,
): { code: Code; phase: string | null; message: string; hint: string } {
  const tell = warningCatalogue[code] as (facts: Facts<Code>) => Told;
  return { code, phase, ...tell(facts) };
}

export function isUrgent({ code }: { code: WarningCode }): boolean {
  return 'isUrgent' in warningCatalogue[code];
}

/** What a warning is about. Several runs say the same of it. */
export function warningKey({ code, phase }: { code: WarningCode; phase: string | null }): string {
  return `${code} ${phase ?? ''}`;
}

function percent(share: number | null): string {
  return `${((share ?? 0) * 100).toFixed(1)} %`;
}

function megabytes(bytes: number): string {
  return (bytes / MB).toFixed(0);
}
