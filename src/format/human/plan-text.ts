import { getPhase } from '../../../workers/phases/phase-catalogue.js';
import { isInOneFile } from '../../plan/files.js';
import type { RunPlan } from '../../plan/plan.js';
import { estimateSeconds, estimateWrittenBytes, type Step } from '../../plan/steps.js';
import { minMax } from '../../report/statistics/statistics.js';
import { display } from '../../text/escape.js';
import { formatBytes, formatSeconds, MB, pluralize } from '../../text/units.js';
import { warningLine } from './sentences.js';

/** Examples for readers to compare their own disk with. */
const TYPICAL_DISKS = [
  { name: 'a hard disk at 150 MB/s', bytesPerSecond: 150 * MB },
  { name: 'a SATA SSD at 500 MB/s', bytesPerSecond: 500 * MB },
  { name: 'an NVMe SSD at 2000 MB/s', bytesPerSecond: 2000 * MB },
] as const;

/** Renders the output of `--dry-run`. */
export function planText(plan: RunPlan): string {
  const { options, machine, threads, layout } = plan;
  const { target } = machine;
  const device = target.device && `on ${display(target.device)}`;
  const disk = [target.filesystem, device, target.mount && `mounted at ${display(target.mount)}`];
  const cached = `through the page cache (--cache ${options.cache})`;
  const access = options.direct ? 'direct, bypassing the page cache' : cached;
  const lines = [
    `Would measure in ${display(target.directory)}${target.exists ? '' : ' (would be created, then removed)'}`,
    `  filesystem: ${disk.filter(Boolean).join(' ') || 'unknown'}, ${formatBytes(target.availableBytes)} free`,
    `  threads: ${threads}, ${isInOneFile(options) ? 'sharing one file' : 'one file each'}:`,
    ...fileLines(plan),
    `  access: ${access}${options.noFsync ? ', write time without the final sync' : ''}`,
    ...(layout ? [`  layout: ${stepText(layout, options)}`] : []),
    `  ${layout ? 'steps' : 'phases'}, ${repetitionText(options)}:`,
    ...plan.steps.map((step) => `    ${step.name}: ${stepText(step, options)}${layout ? ownText(step) : ''}`),
    ...estimateLines(plan),
    `  seed: ${options.seed}`,
    ...plan.warnings.map((warning) => `  ${warningLine(warning)}`),
    'Nothing was written.',
  ];
  return `${lines.join('\n')}\n`;
}

function stepText({ phase, goal: { amount, unit }, transfer }: Step, { fileSize }: RunPlan['options']) {
  const { ioUnit, access, runBy } = getPhase(phase);
  const blockText = formatBytes(transfer.blockSizeBytes);
  switch (ioUnit) {
    case 'random-blocks':
      return `${formatSeconds(amount)} of random operations of ${formatBytes(transfer.ioSizeBytes)}`;
    case 'files':
      return `${pluralize(amount, 'file')}${fileSize > 0 && access === 'creates' ? ` of up to ${formatBytes(fileSize)}` : ''}`;
    case 'tool-calls':
      return unit === 'seconds' ? `${formatSeconds(amount)} of commits` : pluralize(amount, 'file');
    case 'bytes':
      return `${formatBytes(amount)} byte by byte`;
    case 'blocks':
      return runBy === 'seek-threads'
        ? `${amount} random blocks of ${blockText}`
        : `${formatBytes(amount)} in blocks of ${blockText}`;
  }
}

function ownText({ assignments, transfer }: Step): string {
  const { direct, fsync, syncPerWrite } = transfer;
  const parts = [
    pluralize(assignments.length, 'thread'),
    direct && 'direct',
    fsync && 'synced at the end',
    syncPerWrite && `${syncPerWrite} per write`,
  ];
  return `, ${parts.filter(Boolean).join(', ')}`;
}

/** Estimates the phases whose time depends on the disk's rate. */
function estimateLines(plan: RunPlan): readonly string[] {
  const { runs, untilStable, maxRuns, stonewall } = plan.options;
  if (estimateWrittenBytes(plan, 1) === 0) return [];
  const atMost = stonewall === undefined ? '' : 'at most ';
  const most = untilStable === undefined ? runs : Math.max(runs, maxRuns);
  const upTo = untilStable === undefined ? '' : 'up to ';
  return [...new Set([1, most])].flatMap((count) => {
    const size = formatBytes(estimateWrittenBytes(plan, count));
    const times = TYPICAL_DISKS.map(({ name, bytesPerSecond }) => {
      return `    ${formatSeconds(estimateSeconds(bytesPerSecond, plan, count))} on ${name}`;
    });
    const what = count === 1 ? 'a run' : `${upTo}${count} runs`;
    return [`  ${what}: writes ${atMost}${size}, roughly`, ...times];
  });
}

function fileLines({ options, slices, threads, totalBytes }: RunPlan): readonly string[] {
  const [first] = slices;
  const last = slices.at(-1);
  if (!first || !last) return [];
  if (isInOneFile(options))
    return [`    ${first.file}: ${formatBytes(totalBytes)}, about ${formatBytes(totalBytes / threads)} each`];
  const { min, max } = minMax(slices.map(({ lengthBytes }) => lengthBytes));
  const size = [...new Set([formatBytes(min), formatBytes(max)])].join(' to ');
  return [first === last ? `    ${first.file}: ${size}` : `    ${first.file} to ${last.file}: ${size} each`];
}

function repetitionText({ runs, seconds, untilStable, maxRuns, stonewall }: RunPlan['options']): string {
  const until = [
    seconds > 0 && `for at least ${formatSeconds(seconds)}`,
    untilStable &&
      `until each 95 % interval is within ${untilStable} %, up to ${Math.max(runs, maxRuns)} runs`,
  ].filter(Boolean);
  const times = runs === 1 ? 'one run' : `${runs} runs`;
  const repeated = until.length === 0 ? '' : `, repeated ${until.join(' and ')}`;
  return times + repeated + (stonewall === undefined ? '' : `, stonewall after ${formatSeconds(stonewall)}`);
}
