import { type ListedStep, listCompleteSteps } from '../../report/listed-steps.js';
import { metricOfRuns } from '../../report/metrics.js';
import { listReports, type Results } from '../../report/results.js';
import { isComplete } from '../../report/runs.js';
import type { Report } from '../../report/schema/report.js';
import { sanitize } from '../../text/escape.js';
import { groupBy } from '../../text/group-by.js';
import { formatBytes, KIB, MB, MIB, NS_PER_US, pluralize } from '../../text/units.js';
import { toText } from '../../text/wrap.js';

/** The phases of steps that CrystalDiskMark also measures. */
export const DISK_MARK_PHASES = ['read', 'write', 'random'] as const;

const RULE = '-'.repeat(78);
const CACHE_TEXTS = { drop: 'dropped', evict: 'evicted', keep: 'kept' } as const;

/** Renders CrystalDiskMark's text result, with the means of the complete runs. */
export function crystalDiskMarkText(results: readonly Results[]): string {
  return listReports(results).map(reportText).join('\n');
}

function reportText(report: Report): string {
  const tests = listCompleteSteps(report, DISK_MARK_PHASES);
  const sorted = tests.toSorted((one, other) => sectionOrder(one) - sectionOrder(other));
  const sections = groupBy(sorted, sectionTitle);
  const lines = [
    RULE,
    `gobonnie ${plainName(report.version)}: means in the format of CrystalDiskMark`,
    RULE,
    '* MB/s = 1,000,000 bytes/s [SATA/600 = 600,000,000 bytes/s]',
    '* KB = 1000 bytes, KiB = 1024 bytes',
    '',
    ...sections.flatMap((section) => [sectionTitle(section[0]), ...section.map(testLine), '']),
    ...settingLines(report, tests),
  ];
  return toText(lines);
}

function sectionTitle({ step: { mixPercent } }: ListedStep): string {
  if (mixPercent === 100) return '[Read]';
  return mixPercent === 0 ? '[Write]' : `[Mix] Read ${mixPercent}%/Write ${100 - mixPercent}%`;
}

/** Reads come first, then writes, then mixes. */
function sectionOrder(test: ListedStep): number {
  return ['[Read]', '[Write]', sectionTitle(test)].indexOf(sectionTitle(test));
}

/** An unknown rate is 0, which CrystalDiskMark prints for tests that did not run. */
function testLine(test: ListedStep): string {
  const { phase, ioBytes } = test.step;
  const mean = (name: string) => (test.isKnown ? (metricOfRuns(test.rows, name) ?? 0) : 0);
  const { queue, threads } = queueAndThreads(test);
  const rate = (mean('throughput') / MB).toFixed(3).padStart(9);
  const iops = mean('ops').toFixed(1).padStart(9);
  const latency = (mean('mean') / NS_PER_US).toFixed(2).padStart(9);
  const name = `${phase === 'random' ? 'RND' : 'SEQ'} ${blockText(ioBytes)}`;
  return `  ${name} (Q=${pad(queue, 3)}, T=${pad(threads, 2)}): ${rate} MB/s [${iops} IOPS] <${latency} us>`;
}

/** Reads `-q8t1` in the step's name if a thread for each operation replaced that queue. */
function queueAndThreads({ step: { name, threads, depth } }: ListedStep) {
  const [, queue = 0, queueThreads = 0] = (/-q(\d+)t(\d+)\b/.exec(name) ?? []).map(Number);
  const isReplaced = depth === 1 && queue * queueThreads === threads;
  return isReplaced ? { queue, threads: queueThreads } : { queue: depth, threads };
}

/** Formats a block size as `   1MiB`, ` 128KiB` or ` 512B`. */
function blockText(bytes: number): string {
  if (bytes % MIB === 0) return `${pad(bytes / MIB, 4)}MiB`;
  return bytes % KIB === 0 ? `${pad(bytes / KIB, 4)}KiB` : `${pad(bytes, 4)}B`;
}

function settingLines(report: Report, tests: readonly ListedStep[]): readonly string[] {
  const { target, machine, options, cache } = report;
  const runs = report.runs.filter(isComplete).length;
  // Other steps have only a time limit.
  const timed = tests.filter(({ step }) => step.phase === 'random');
  const isReal = tests.every(({ step: { threads, depth } }) => threads * depth === 1);
  const isDirect = tests.every(({ step }) => step.direct);
  const isAllKnown = tests.every(({ isKnown }) => isKnown);
  return [
    `Profile: ${isReal ? 'Real' : 'Default'}`,
    `   Test: ${formatBytes(options.sizeBytes)} (x${runs}) [${plainName(target.device ?? target.directory)}]`,
    `   Mode: ${target.isMemory ? 'in memory, ' : ''}${isDirect ? 'direct' : `page cache ${CACHE_TEXTS[cache.applied]}`}`,
    `   Time: Measure ${Math.max(0, ...timed.map(({ step }) => step.seconds ?? 0))} sec / Interval 0 sec`,
    `   Date: ${report.startedAt.slice(0, 19).replaceAll('-', '/').replace('T', ' ')}`,
    `     OS: ${plainName(machine.os)} (${plainName(machine.arch)})`,
    `Comment: ${plainName(report.label)}, mean of ${pluralize(runs, 'run')}${isAllKnown ? '' : '; 0.000 is unknown'}`,
  ];
}

/** Replaces the characters by which parsers recognize settings, sections and tests. */
function plainName(name: string): string {
  return sanitize(name).replace(/[:[\]]/g, '-');
}

function pad(value: number, width: number): string {
  return String(value).padStart(width);
}
