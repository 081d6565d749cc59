import { MAX_DURATION_SECONDS } from '../../../options/option-catalogue.js';
import {
  estimateSeconds,
  estimateWrittenBytes,
  hasOpenWrites,
  TYPICAL_DISKS,
} from '../../../plan/estimate.js';
import { countMostRuns, isInOneFile } from '../../../plan/files.js';
import type { RunPlan } from '../../../plan/plan.js';
import type { Step } from '../../../plan/steps.js';
import { whyRamMatters } from '../../../plan/target.js';
import { minMax } from '../../../report/statistics/statistics.js';
import { display } from '../../../text/escape.js';
import { formatBytes, formatNs, formatSeconds, NS_PER_MS, pluralize } from '../../../text/units.js';
import { addTitle } from '../../../warnings/summary.js';
import { warningLine } from '../sentences.js';

/** Renders the output of `--dry-run`. A comparison may need more runs than the options say; `note` replaces the estimate. */
export function planText(
  plan: RunPlan,
  mostRuns: number = countMostRuns(plan.options),
  note?: string,
): string {
  const { options, machine, layout } = plan;
  const { target } = machine;
  const otherBytes = plan.neededBytes - plan.totalBytes;
  const sizeText = defaultSizeText(plan);
  const device = target.device && `on ${display(target.device)}`;
  const disk = [target.filesystem, device, target.mount && `mounted at ${display(target.mount)}`];
  const lines = [
    `Would measure in ${display(target.directory)}`,
    `  filesystem: ${disk.filter(Boolean).join(' ') || 'unknown'}, ${formatBytes(target.availableBytes)} free`,
    ...fileLines(plan),
    ...(otherBytes > 0 ? [`  files of single steps: at most ${formatBytes(otherBytes)}`] : []),
    ...(sizeText === null ? [] : [`  ${sizeText}`]),
    `  access: ${accessText(plan)}${options.noFsync ? ', write time without the final sync' : ''}`,
    ...(layout ? [`  layout: ${[stepText(layout, options), ...limitText(layout)].join(', ')}`] : []),
    `  steps, ${repetitionText(options, mostRuns)}:`,
    ...plan.steps.map((step) => `    ${step.name}: ${stepText(step, options)}, ${loadText(step, options)}`),
    ...(note ? [`  ${note}`] : estimateLines(plan, mostRuns)),
    `  seed: ${options.seed}`,
    ...plan.warnings.map((warning) => `  ${warningLine(addTitle(warning, plan.steps))}`),
    'Nothing was written.',
  ];
  return `${lines.join('\n')}\n`;
}

function stepText(step: Step, { fileSize }: RunPlan['options']) {
  const { phase, goal, transfer } = step;
  const { amount, unit } = goal;
  const { ioUnit, access, runBy } = phase;
  const blockText = formatBytes(transfer.blockSizeBytes);
  switch (ioUnit) {
    case 'random-blocks':
      return randomText(step);
    case 'files':
      return `${pluralize(amount, 'file')}${fileSize > 0 && access === 'creates' ? ` of up to ${formatBytes(fileSize)}` : ''}`;
    case 'tool-calls':
      return unit === 'seconds' ? `${formatSeconds(amount)} of commits` : pluralize(amount, 'file');
    case 'bytes':
      return `${formatBytes(amount)} byte by byte`;
    case 'blocks':
      if (step.beside !== null) return `${formatBytes(amount)} again and again in blocks of ${blockText}`;
      return runBy === 'seek-threads'
        ? `${amount} random blocks of ${blockText}`
        : `${formatBytes(amount)} in blocks of ${blockText}`;
  }
}

function randomText({ goal, transfer, maxOperationsPerWorker, assignments, beside }: Step): string {
  const maxBytes = (maxOperationsPerWorker ?? 0) * assignments.length * transfer.ioSizeBytes;
  const isOpen = beside !== null || goal.amount === MAX_DURATION_SECONDS;
  const limits = [
    !isOpen && formatSeconds(goal.amount),
    maxBytes > 0 && `at most ${formatBytes(maxBytes)}`,
  ].filter(Boolean);
  const operations = `random operations of ${formatBytes(transfer.ioSizeBytes)}`;
  return limits.length > 0 ? `${limits.join(', ')} of ${operations}` : operations;
}

/** Returns the time limit of a step that moves a given amount, if it has one. */
function limitText({ goal }: Step): readonly string[] {
  const { timeLimitSeconds = MAX_DURATION_SECONDS } = goal.unit === 'seconds' ? {} : goal;
  return timeLimitSeconds < MAX_DURATION_SECONDS ? [`for at most ${formatSeconds(timeLimitSeconds)}`] : [];
}

function loadText(step: Step, { noFsync }: RunPlan['options']): string {
  const { assignments, transfer, beside, pauseSeconds } = step;
  const { direct, fsync, syncPerWrite, intervalMs } = transfer;
  const parts = [
    intervalMs !== null && `one every ${formatNs(intervalMs * NS_PER_MS)} per thread`,
    ...limitText(step),
    beside !== null && `beside ${beside}`,
    pluralize(assignments.length, 'thread'),
    direct && 'direct',
    // The line about access has the sync of the run.
    fsync === noFsync && (fsync ? 'synced at the end' : 'without the final sync'),
    syncPerWrite && `${syncPerWrite} per write`,
    pauseSeconds > 0 && `after a pause of ${formatSeconds(pauseSeconds)}`,
  ];
  return parts.filter(Boolean).join(', ');
}

/** Returns the engine of each step of a list, which the machine decides. */
export function engineLines({ sharesData, steps }: RunPlan): readonly string[] {
  if (!sharesData) return [];
  return steps.map(({ name, assignments, transfer: { engine, depth } }) => {
    const threads = pluralize(assignments.length, 'thread');
    return `${name}: engine ${engine}, ${threads}, depth ${depth}`;
  });
}

/** Estimates the phases whose time depends on the disk's rate. */
function estimateLines(plan: RunPlan, mostRuns: number): readonly string[] {
  const { runs, stonewall } = plan.options;
  const isEndless = plan.steps.some(
    ({ goal, maxOperationsPerWorker }) =>
      goal.unit === 'seconds' && goal.amount === MAX_DURATION_SECONDS && maxOperationsPerWorker === null,
  );
  if (estimateWrittenBytes(plan, 1) === 0)
    return plan.neededBytes > 0
      ? ['  time: depends on how fast the disk creates and removes small files']
      : [];
  if (isEndless) return ['  until Ctrl-C'];
  const mayEndEarly = plan.steps.some(
    (step) =>
      step.maxOperationsPerWorker !== null || step.phase.name === 'fill' || limitText(step).length > 0,
  );
  const limited = mayEndEarly || stonewall !== undefined ? 'at most ' : '';
  const atMost = plan.steps.some(hasOpenWrites) ? 'about ' : limited;
  const upTo = mostRuns > runs ? 'up to ' : '';
  return [...new Set([1, mostRuns])].flatMap((count) => {
    const disks = Object.values(TYPICAL_DISKS);
    const sizes = disks.map((disk) => formatBytes(estimateWrittenBytes(plan, count, disk)));
    const isSame = new Set(sizes).size === 1;
    const times = disks.map((disk, index) => {
      const time = `    ${formatSeconds(estimateSeconds(disk, plan, count))} on ${disk.name}`;
      return isSame ? time : `${time}, which writes ${atMost}${sizes[index]}`;
    });
    const oneRun = plan.layout && mostRuns > 1 ? 'the first run' : 'a run';
    const what = count === 1 ? oneRun : `${upTo}${count} runs`;
    return [`  ${what}: ${isSame ? `writes ${atMost}${sizes[0]}, ` : ''}roughly`, ...times];
  });
}

/** Returns the reason why a run uses so much data without a --size. Null if it uses less than twice the RAM. */
export function defaultSizeText({ options, machine, sharesData, totalBytes }: RunPlan): string | null {
  const reason = whyRamMatters(options, machine);
  if (reason === null || sharesData || totalBytes === 0 || options.size !== undefined) return null;
  return `uses ${formatBytes(totalBytes)}, because ${reason}: RAM could hold less data; pass --size for less`;
}

function fileLines({ options, sharesData, slices, threads, totalBytes }: RunPlan): readonly string[] {
  const [first] = slices;
  const last = slices.at(-1);
  if (!first || !last) return [];
  const size = formatBytes(totalBytes);
  if (sharesData && first === last) return ['  one file for all steps:', `    ${first.file}: ${size}`];
  if (isInOneFile(options)) {
    const part = formatBytes(totalBytes / threads);
    return [`  threads: ${threads}, sharing one file:`, `    ${first.file}: ${size}, about ${part} each`];
  }
  const { min, max } = minMax(slices.map(({ lengthBytes }) => lengthBytes));
  const sizes = [...new Set([formatBytes(min), formatBytes(max)])].join(' to ');
  return [
    sharesData
      ? `  ${slices.length} files for all steps:`
      : `  threads: ${threads}, ${options.dataFiles > 1 ? `${options.dataFiles} files` : 'one file'} each:`,
    first === last ? `    ${first.file}: ${sizes}` : `    ${first.file} to ${last.file}: ${sizes} each`,
  ];
}

function accessText({ options, steps }: RunPlan): string {
  const cached = `through the page cache (--cache ${options.cache})`;
  if (steps.every(({ transfer }) => transfer.direct)) return 'direct, bypassing the page cache';
  return steps.some(({ transfer }) => transfer.direct)
    ? `direct where a step says so, otherwise ${cached}`
    : cached;
}

function repetitionText(options: RunPlan['options'], mostRuns: number): string {
  const { runs, seconds, untilStable, stonewall, steps } = options;
  const goal =
    untilStable === undefined ? 'the comparison is decided' : `each 95 % interval is within ${untilStable} %`;
  const until = [
    seconds > 0 && `for at least ${formatSeconds(seconds)}`,
    (untilStable !== undefined || mostRuns > runs) && `until ${goal}, up to ${mostRuns} runs`,
  ].filter(Boolean);
  const times = runs === 1 ? 'one run' : `${runs} runs`;
  const repeated = until.length === 0 ? '' : `, repeated ${until.join(' and ')}`;
  // A list of steps has its own limits; --stonewall limits only the layout.
  const limit = steps || stonewall === undefined ? '' : `, stonewall after ${formatSeconds(stonewall)}`;
  return times + repeated + limit;
}
