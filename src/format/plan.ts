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
  const { options, machine, slices, threads, totalBytes } = plan;
  const { target } = machine;
  const disk = [
    target.filesystem,
    target.device && `on ${shown(target.device)}`,
    target.mount && `mounted at ${shown(target.mount)}`,
  ];
  const lines = [
    `Would measure in ${shown(target.directory)}${target.exists ? '' : ' (would be made, and removed again)'}`,
    `  filesystem: ${disk.filter(Boolean).join(' ') || 'unknown'}, ${showBytes(target.availableBytes)} free`,
    `  threads: ${threads}, each with a file of its own:`,
    ...slicesText(slices),
    `  phases: ${plan.phases.join(', ')}; ${repetitionText(options.runs, options.seconds)}`,
    `  written in each run: ${showBytes(totalBytes)} (${Math.floor(totalBytes / MIB)} MiB) in blocks of ` +
      `${showBytes(options.blockSize)}, then read, then ${showSeconds(options.iopsDuration)} of random ` +
      `operations of ${showBytes(options.ioSize)}`,
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

/** Slices of one length are one line, however many threads there are. */
function slicesText(slices: Plan['slices']): readonly string[] {
  const lengths = [...new Set(slices.map(({ lengthBytes }) => lengthBytes))];
  return lengths.map((lengthBytes) => {
    const group = slices.filter((slice) => slice.lengthBytes === lengthBytes);
    const first = group[0]?.file;
    const last = group.at(-1)?.file;
    return `    ${first === last ? first : `${first} to ${last}`}: ${showBytes(lengthBytes)}${first === last ? '' : ' each'}`;
  });
}

function repetitionText(runs: number, seconds: number): string {
  const times = runs === 1 ? 'one run' : `${runs} runs`;
  return seconds === 0 ? times : `${times}, and again until ${showSeconds(seconds)} are over`;
}
