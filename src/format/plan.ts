import { shown } from '../errors.js';
import type { Plan } from '../plan.js';
import { MB, MIB, showBytes, showSeconds } from '../units.js';

/** Rates that a reader can place his own disk between. */
const TYPICAL_DISKS = [
  { name: 'a hard disk at 150 MB/s', bytesPerSecond: 150 * MB },
  { name: 'a SATA SSD at 500 MB/s', bytesPerSecond: 500 * MB },
  { name: 'an NVMe SSD at 2000 MB/s', bytesPerSecond: 2000 * MB },
] as const;

/** `--dry-run`: what would be done. */
export function planText(plan: Plan): string {
  const { options, machine, threads, totalBytes, transfer } = plan;
  const { target } = machine;
  const disk = [
    target.filesystem,
    target.device && `on ${shown(target.device)}`,
    target.mount && `mounted at ${shown(target.mount)}`,
  ];
  const lines = [
    `Would measure in ${shown(target.directory)}${target.exists ? '' : ' (would be made, and removed again)'}`,
    `  filesystem: ${disk.filter(Boolean).join(' ') || 'unknown'}, ${showBytes(target.availableBytes)} free`,
    `  threads: ${threads}, ${options.oneFile ? 'all in one file' : 'each with a file of its own'}:`,
    ...filesText(plan),
    `  access: ${accessText(options)}`,
    `  phases: ${plan.phases.join(', ')}; ${repetitionText(options)}`,
    `  written in each run: ${showBytes(totalBytes)} (${Math.floor(totalBytes / MIB)} MiB) in blocks of ` +
      `${showBytes(options.blockSize)}, then read, then ${showSeconds(options.iopsDuration)} of random ` +
      `operations of ${showBytes(transfer.ioSizeBytes)}`,
    `  rough time of a run:`,
    ...TYPICAL_DISKS.map(({ name, bytesPerSecond }) => {
      const seconds = (2 * totalBytes) / bytesPerSecond + options.iopsDuration;
      return `    ${showSeconds(seconds)} on ${name}`;
    }),
    `  seed: ${options.seed}`,
    ...plan.warnings.map(({ message, hint }) => `  warning: ${message}; ${hint}`),
    'Nothing was written.',
  ];
  return `${lines.join('\n')}\n`;
}

export function planJson(plan: Plan): string {
  return `${JSON.stringify(plan)}\n`;
}

function filesText({ options, slices, threads, totalBytes }: Plan): readonly string[] {
  if (options.oneFile)
    return [
      `    ${slices[0]?.file}: ${showBytes(totalBytes)}, about ${showBytes(totalBytes / threads)} for each`,
    ];
  // Slices of one length are one line, however many threads there are.
  const lengths = [...new Set(slices.map(({ lengthBytes }) => lengthBytes))];
  return lengths.map((lengthBytes) => {
    const group = slices.filter((slice) => slice.lengthBytes === lengthBytes);
    const first = group[0]?.file;
    const last = group.at(-1)?.file;
    return `    ${first === last ? first : `${first} to ${last}`}: ${showBytes(lengthBytes)}${first === last ? '' : ' each'}`;
  });
}

function accessText({ direct, cache, fsync }: Plan['options']): string {
  const way = direct ? 'past the page cache (O_DIRECT)' : `through the page cache (--cache ${cache})`;
  return fsync ? `${way}, synced within the time of the write` : way;
}

function repetitionText({ runs, seconds, untilStable, maxRuns }: Plan['options']): string {
  const until = [
    seconds > 0 && `until ${showSeconds(seconds)} are over`,
    untilStable && `until every figure is known to ${untilStable} %, up to ${maxRuns} runs`,
  ].filter(Boolean);
  const times = runs === 1 ? 'one run' : `${runs} runs`;
  return until.length === 0 ? times : `${times}, and again ${until.join(' and ')}`;
}
