import { phaseNamed } from '../../../workers/phases/catalogue.js';
import type { Phase } from '../../../workers/phases/phase.js';
import { isInOneFile } from '../../plan/files.js';
import type { Plan } from '../../plan/plan.js';
import { secondsAt, writtenBytesOf } from '../../plan/work.js';
import { harmlessJson, shown } from '../../text/escape.js';
import { counted, MB, MIB, showBytes, showSeconds } from '../../text/units.js';
import { warningLine } from './sentences.js';

/** Readers can place their own disk among these. */
const TYPICAL_DISKS = [
  { name: 'a hard disk at 150 MB/s', bytesPerSecond: 150 * MB },
  { name: 'a SATA SSD at 500 MB/s', bytesPerSecond: 500 * MB },
  { name: 'an NVMe SSD at 2000 MB/s', bytesPerSecond: 2000 * MB },
] as const;

/** The text of `--dry-run`. */
export function planText(plan: Plan): string {
  const { options, machine, threads } = plan;
  const { target } = machine;
  const disk = [
    target.filesystem,
    target.device && `on ${shown(target.device)}`,
    target.mount && `mounted at ${shown(target.mount)}`,
  ];
  const lines = [
    `Would measure in ${shown(target.directory)}${target.exists ? '' : ' (would be created, then removed)'}`,
    `  filesystem: ${disk.filter(Boolean).join(' ') || 'unknown'}, ${showBytes(target.availableBytes)} free`,
    `  threads: ${threads}, ${isInOneFile(options) ? 'all in one file' : 'one file each'}:`,
    ...(plan.slices.length > 0 ? filesText(plan) : []),
    `  access: ${accessText(options)}`,
    `  phases, ${repetitionText(options)}${stonewallText(options)}:`,
    ...plan.phases.map((name) => `    ${name}: ${workText(phaseNamed(name), plan)}`),
    ...roughTimes(plan),
    `  seed: ${options.seed}`,
    ...plan.warnings.map((warning) => `  ${warningLine(warning)}`),
    'Nothing was written.',
  ];
  return `${lines.join('\n')}\n`;
}

function workText(
  { moves, access, runBy }: Phase,
  { options, totalBytes, byteWiseTotalBytes, transfer }: Plan,
): string {
  switch (moves) {
    case 'pieces':
      return `${showSeconds(options.iopsDuration)} of random operations of ${showBytes(transfer.ioSizeBytes)}`;
    case 'files':
      return `${counted(options.files, 'file')}${options.fileSize > 0 && access === 'creates' ? ` of up to ${showBytes(options.fileSize)}` : ''}`;
    case 'bytes':
      return `${showBytes(byteWiseTotalBytes)} byte by byte (${options.byteMode})`;
    case 'blocks':
      return runBy === 'seek-threads'
        ? `${options.seeks} random blocks of ${showBytes(options.blockSize)}`
        : `${showBytes(totalBytes)} (${Math.floor(totalBytes / MIB)} MiB) in blocks of ${showBytes(options.blockSize)}`;
  }
}

/** Estimates for phases whose time depends on the disk's rate. */
function roughTimes(plan: Plan): readonly string[] {
  const { runs, untilStable, maxRuns, stonewall } = plan.options;
  const writtenBytes = writtenBytesOf(plan);
  if (writtenBytes === 0) return [];
  const atMost = stonewall === undefined ? '' : 'at most ';
  const most = untilStable === undefined ? runs : Math.max(runs, maxRuns);
  const counts = [...new Set([1, most])];
  return counts.flatMap((count) => [
    `  ${count === 1 ? 'a run' : `${untilStable === undefined ? '' : 'up to '}${count} runs`}: writes ${atMost}${showBytes(count * writtenBytes)}, roughly`,
    ...TYPICAL_DISKS.map(
      ({ name, bytesPerSecond }) => `    ${showSeconds(count * secondsAt(bytesPerSecond, plan))} on ${name}`,
    ),
  ]);
}

export function planJson(plan: Plan): string {
  return harmlessJson(plan);
}

function filesText({ options, slices, threads, totalBytes }: Plan): readonly string[] {
  if (isInOneFile(options))
    return [
      `    ${slices[0]?.file}: ${showBytes(totalBytes)}, about ${showBytes(totalBytes / threads)} each`,
    ];
  // One line for all slices of the same length.
  const lengths = [...new Set(slices.map(({ lengthBytes }) => lengthBytes))];
  return lengths.map((lengthBytes) => {
    const files = slices.filter((slice) => slice.lengthBytes === lengthBytes).map(({ file }) => file);
    const [first, last] = [files[0], files.at(-1)];
    const size = showBytes(lengthBytes);
    return first === last ? `    ${first}: ${size}` : `    ${first} to ${last}: ${size} each`;
  });
}

function accessText({ direct, cache, fsync }: Plan['options']): string {
  const access = direct ? 'direct, bypassing the page cache' : `through the page cache (--cache ${cache})`;
  return fsync ? `${access}, sync included in the time of the write` : access;
}

function stonewallText({ stonewall }: Plan['options']): string {
  return stonewall === undefined ? '' : `, those with a size cut after ${showSeconds(stonewall)}`;
}

function repetitionText({ runs, seconds, untilStable, maxRuns }: Plan['options']): string {
  const until = [
    seconds > 0 && `for at least ${showSeconds(seconds)}`,
    untilStable &&
      `until each 95 % interval is within ${untilStable} %, up to ${Math.max(runs, maxRuns)} runs`,
  ].filter(Boolean);
  const times = runs === 1 ? 'one run' : `${runs} runs`;
  return until.length === 0 ? times : `${times}, repeated ${until.join(' and ')}`;
}
