import { formatErrorLine } from '../../errors.js';
import { rankLines } from '../../format/human/host-lines.js';
import type { Screen } from '../../format/human/screen.js';
import { type Column, INDENT, textTable, usedColumns } from '../../format/human/table.js';
import { estimateSeconds, estimateWrittenBytes, hasOpenWrites, TYPICAL_DISKS } from '../../plan/estimate.js';
import type { RunPlan } from '../../plan/plan.js';
import type { Step } from '../../plan/steps.js';
import { formatAmount } from '../../report/amount.js';
import { deviceShareText, findMemoryCeiling, primaryRateOf, primaryRateUnit } from '../../report/rate.js';
import type { Measurement, Report, Warning } from '../../report/schema/report.js';
import { sum } from '../../report/statistics/statistics.js';
import { cacheMethodsFor } from '../../run/cache/cache-method.js';
import { whyCacheIsKept } from '../../run/cache/page-cache.js';
import { display, sanitize } from '../../text/escape.js';
import { formatBytes, formatNs, formatSeconds, GIB, MS_PER_SECOND, pluralize } from '../../text/units.js';
import { hangingIndent, wrapParts } from '../../text/wrap.js';
import { version } from '../../version.js';
import type { CliOptions } from '../argv/cli-options.js';
import { withProgramName } from '../argv/program-name.js';
import { type Audience, isDeferred, type Verbosity, verdictLines, warningsAtEnd } from './verdict-lines.js';

/** The limit of the writes of `quick`. */
const QUICK_BYTES = 4 * GIB;

const DETAIL_COLUMNS: readonly Column<Measurement>[] = [
  {
    title: 'amount',
    value: ({ primaryRate, bytes, operations }) =>
      primaryRate === 'bytes' ? formatBytes(bytes) : `${operations} ops`,
  },
  { title: 'time', value: ({ seconds }) => formatSeconds(seconds) },
  { title: 'CPU', value: ({ cpu }) => `${cpu.percent.toFixed(0)} %` },
  { title: 'device', value: deviceShareText },
  { title: 'longest', value: ({ latencyNs }) => (latencyNs ? formatNs(latencyNs.max) : '') },
];

/**
 * Messages for interactive use on a terminal. With `showsTable`, the table is on the same screen, so it needs a headline
 * and closing lines.
 */
export function terminalAudience(
  plan: RunPlan,
  screen: Screen,
  showsTable: boolean,
  cliOptions: Verbosity & Pick<CliOptions, 'out'>,
  mostRuns: number,
): Audience {
  const { verbose, out } = cliOptions;
  const startMs = performance.now();
  return {
    // Details would scroll the results away.
    holdsResults: showsTable && verbose,
    forEvent: (event) => {
      if (event.type === 'start' && showsTable) return headlines(plan, screen, mostRuns);
      if (event.type !== 'warning' || isDeferred(event)) return [];
      return warningLines([event.warning], screen);
    },
    beforeResults: ({ report }) => (verbose ? detailLines(report, screen) : []),
    afterResults: (verdict) => {
      const { report } = verdict;
      const ranks = verbose ? rankLines(report, screen) : [];
      const warnings = warningLines(warningsAtEnd(report, verbose), screen);
      const verdicts = verdictLines(verdict, cliOptions, screen.paint, screen);
      if (!showsTable) return [...ranks, ...warnings, ...verdicts];
      const closing = closingParts(report, plan, performance.now() - startMs, out);
      return [
        ...ranks,
        ...(warnings.length > 0 ? ['', ...warnings] : []),
        ...verdicts,
        ...(closing.length > 0 ? ['', ...wrapParts(closing, screen.columns, INDENT)] : []),
      ];
    },
  };
}

/** Returns the warnings of one of several directories, below its name. */
export function directoryWarningLines(report: Report, screen: Screen): readonly string[] {
  const lines = warningLines(warningsAtEnd(report), screen);
  return lines.length === 0 ? [] : ['', `${INDENT}${display(report.target.directory)}`, ...lines];
}

/** Returns an estimate if the run will be long, and the plan of the run. */
function headlines(plan: RunPlan, { columns }: Screen, mostRuns: number): readonly string[] {
  const { options, machine, directory, totalBytes, threads, transfer, steps } = plan;
  const { target } = machine;
  const disk = [target.filesystem, target.device && `on ${display(target.device)}`].filter(Boolean).join(' ');
  const settings = [
    totalBytes > 0 && formatBytes(totalBytes),
    plan.sharesData ? pluralize(steps.length, 'step') : pluralize(threads, 'thread'),
    accessText(steps),
    plan.sharesData && engineText(steps),
    cacheText(plan),
  ];
  const parts = [
    `gobonnie ${version}`,
    `${display(directory)}: ${disk}`,
    settings.filter(Boolean).join(', '),
  ];
  if (options.phases.includes('iops'))
    parts.push(`iops: ${formatBytes(transfer.ioSizeBytes)}, ${transfer.readPercent} % reads`);
  // Of fill, the note has it; a step with pauses has no end of its own.
  const isOpen = steps.some(({ phase, transfer }) => phase.name === 'fill' || transfer.intervalMs !== null);
  const isLong = !isOpen && (mostRuns > 1 || !isQuick(plan));
  const estimate = isLong ? wrapParts([writeEstimateText(plan, mostRuns)], columns) : [];
  return [...estimate, ...wrapParts(parts, columns), ''];
}

function accessText(steps: readonly Step[]): string {
  const direct = steps.filter(({ transfer }) => transfer.direct).length;
  if (direct === 0) return 'buffered';
  return direct === steps.length ? 'direct' : `${direct} direct`;
}

/** Names what keeps the operations in flight: io_uring, or the threads of the step with the most. */
function engineText(steps: readonly Step[]): string {
  if (steps.some(({ transfer }) => transfer.engine === 'uring')) return 'io_uring';
  return pluralize(Math.max(...steps.map(({ assignments }) => assignments.length)), 'thread');
}

/** True for runs that take about as long as `quick`, and write no more. */
function isQuick(plan: RunPlan): boolean {
  return estimateWrittenBytes(plan, plan.options.runs) <= QUICK_BYTES;
}

function cacheText(plan: RunPlan): string | null {
  const { options, machine } = plan;
  if (whyCacheIsKept(plan) !== null) return null;
  if (options.cache === 'keep') return 'cache kept';
  return cacheMethodsFor(options.cache, machine).length > 0 ? 'cache dropped before reads' : null;
}

/** Returns `Writes 20 GiB in 5 runs, about 4 min at 500 MB/s; gobonnie quick takes 30 s`. */
function writeEstimateText(plan: RunPlan, runs: number): string {
  const upTo = runs > plan.options.runs ? 'up to ' : '';
  const inRuns = runs > 1 ? ` in ${upTo}${runs} runs` : '';
  // The time of steps that only create files is unknown.
  if (estimateWrittenBytes(plan, runs) === 0)
    return `Uses at most ${formatBytes(plan.neededBytes)} of space${inRuns}`;
  const timeOn = (disk: keyof typeof TYPICAL_DISKS) =>
    formatSeconds(estimateSeconds(TYPICAL_DISKS[disk], plan, runs));
  const limit = plan.steps.some(hasOpenWrites) ? 'about' : 'at most';
  const [slow, fast] = [TYPICAL_DISKS.sataSsd, TYPICAL_DISKS.nvmeSsd].map((disk) =>
    formatBytes(estimateWrittenBytes(plan, runs, disk)),
  );
  // Beside another step, a fast disk writes more.
  if (slow !== fast)
    return `Writes ${limit} ${slow} at 500 MB/s, ${fast} at 2000 MB/s${inRuns}, about ${timeOn('sataSsd')}`;
  const quicker = isQuick(plan) ? '' : '; gobonnie quick takes 30 s';
  // The rate of a disk does not show how long its syncs take.
  const time = plan.steps.some(({ transfer }) => transfer.syncPerWrite !== null)
    ? `${timeOn('nvmeSsd')} on an NVMe SSD, ${timeOn('hardDisk')} on a hard disk`
    : `${timeOn('sataSsd')} at 500 MB/s`;
  return `Writes ${limit} ${slow}${inRuns}, about ${time}${quicker}`;
}

/** Returns one line per warning, with its code at the end. */
function warningLines(warnings: readonly Warning[], { paint, columns }: Screen): readonly string[] {
  return warnings.flatMap((warning) => {
    const text = `${sanitize(withProgramName(formatErrorLine(warning), process.env))}   ${paint.faint(warning.code)}`;
    return hangingIndent(`${INDENT}${paint.caution('!')} `, text, columns);
  });
}

/** Returns `18 s, 1.1 GB written, all removed.` for a completed run. Otherwise, the error reports remaining files. */
function closingParts(report: Report, { neededBytes, options }: RunPlan, ms: number, out: readonly string[]) {
  const { layout, runs, warnings, outcome } = report;
  const stepBytes = runs.flatMap(({ measurements }) => measurements.map((one) => one.writtenBytes));
  const bytes = sum([layout?.bytes ?? 0, ...stepBytes]);
  const parts: string[] = [];
  if (outcome.state === 'completed') {
    // Some steps measure no writes, but create files.
    const written = bytes > 0 ? `${formatBytes(bytes)} written, ` : '';
    const end = neededBytes === 0 ? 'nothing written' : `${written}all removed`;
    parts.push(`${formatSeconds(ms / MS_PER_SECOND)}, ${end}.`);
    if (options.verify) parts.push('All data read is as written.');
    if (out.length > 0) parts.push(`Wrote ${out.map((file) => display(file)).join(', ')}.`);
  }
  const [first] = warnings;
  // Named before the parts are wrapped, because the name changes their width.
  if (first) parts.push(withProgramName(`For details: gobonnie explain ${first.code}`, process.env));
  return parts;
}

/** Returns a table of what the table of results does not have, for the last run. */
function detailLines({ runs, memoryCeiling }: Report, screen: Screen): readonly string[] {
  const measurements = runs.at(-1)?.measurements ?? [];
  const formatRate = (measurement: Measurement, perSecond: number | null) =>
    perSecond === null ? '' : formatAmount(perSecond, primaryRateUnit(measurement));
  const columns: readonly Column<Measurement>[] = [
    ...DETAIL_COLUMNS,
    {
      title: 'page cache',
      value: (one) => (one.cached ? formatRate(one, primaryRateOf({ ...one, ...one.cached })) : ''),
    },
    { title: 'ceiling', value: (one) => formatRate(one, findMemoryCeiling(one.step, memoryCeiling)) },
  ];
  if (measurements.length === 0) return [];
  const name: Column<Measurement> = { title: `run ${runs.length}`, value: ({ step }) => sanitize(step) };
  return [...textTable([name, ...usedColumns(columns, measurements)], measurements, screen), ''];
}
