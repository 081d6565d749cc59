import { formatAmount, formatDeviceShare } from '../../report/amount.js';
import { groupByHost, groupRanks, type HostSummary, type StepByHost } from '../../report/host-summary.js';
import { primaryRateUnit } from '../../report/rate.js';
import { isComplete } from '../../report/runs.js';
import type { Measurement, Report } from '../../report/schema/report.js';
import { averageRuns, minMax } from '../../report/statistics/statistics.js';
import { sanitize } from '../../text/escape.js';
import { groupBy } from '../../text/group-by.js';
import { formatNs, formatSeconds, pluralize } from '../../text/units.js';
import { truncateStart } from '../../text/width.js';
import { hangingIndent, wrapLine } from '../../text/wrap.js';
import { PLAIN_PAINT, type Screen } from './screen.js';
import { rateTitle } from './step-table.js';
import { type Column, INDENT, textTable } from './table.js';

/** Rows per phase, the slowest hosts first. The other hosts are only counted. */
const MAX_ROWS = 20;
const NAME_COLUMNS = 24;
/** Layout for a log instead of a terminal. */
const LOG_SCREEN: Screen = { columns: 120, paint: PLAIN_PAINT };

const READ_SOURCE_TEXTS: Readonly<Record<NonNullable<NonNullable<Report['job']>['readSource']>, string>> = {
  'next-host': "each host read another host's files",
  'own-single-host': 'single host: each rank read its own files',
  'own-requested': 'each host read its own files (--read-own-files)',
  'own-not-shared': 'each rank read its own files: the hosts do not share files',
};

export const HOST_COLUMNS: readonly Column<HostSummary>[] = [
  { title: 'p99', value: ({ latencyNs }) => (latencyNs ? formatNs(latencyNs.p99) : '') },
  { title: 'longest', value: ({ latencyNs }) => (latencyNs ? formatNs(latencyNs.max) : '') },
  { title: 'ranks', value: ({ ranks }) => String(ranks) },
  { title: 'device', value: ({ deviceShare }) => formatDeviceShare(deviceShare) },
  { title: 'began', value: ({ startOffsetSeconds }) => formatSeconds(startOffsetSeconds) },
  { title: 'done', value: ({ endSeconds }) => formatSeconds(endSeconds) },
  { title: 'CPU', value: ({ cpuPercent }) => `${Math.round(cpuPercent)} %` },
];

/** Returns a table of the hosts for each phase of a job, the slowest host first. Empty without a job. */
export function hostLines(report: Report, screen: Screen): readonly string[] {
  if (!report.job) return [];
  const { ranks, failedStep } = report.job;
  const phases = groupByHost(report).flatMap((phase) => phaseLines(phase, report, screen));
  const lines = [...phases, ...jobLines(report, screen)];
  const addIncomplete = (measured: string) =>
    lines.push(...wrapLine(`${INDENT}incomplete: ${measured}, not comparable`, screen.columns));
  if (failedStep) {
    lines.push(...phaseLines(groupRanks([failedStep], report.target), report, screen));
    addIncomplete(`${failedStep.ranks.length} of ${pluralize(ranks, 'rank')}`);
  } else if (phases.length > 0 && !report.runs.some(isComplete)) addIncomplete('no run completed');
  return lines;
}

/** Returns a table of the ranks for each phase of a job. Empty without a job. */
export function rankLines(report: Report, screen: Screen = LOG_SCREEN): readonly string[] {
  if (!report.job) return [];
  const ranks = groupByHost(report, ({ rank, host }) => `${rank} on ${host}`);
  return ranks.flatMap((phase) => phaseLines(phase, report, screen, Number.POSITIVE_INFINITY));
}

function phaseLines(
  { step, primaryRate, rows }: StepByHost,
  { target }: Pick<Report, 'target'>,
  screen: Screen,
  maxRows = MAX_ROWS,
): readonly string[] {
  const shownRows = rows.slice(0, maxRows);
  const outliers = rows.filter(({ isOutlier }) => isOutlier).map(({ name }) => sanitize(name));
  const columns: readonly Column<HostSummary>[] = [
    { title: sanitize(step), value: ({ name }) => truncateStart(sanitize(name), NAME_COLUMNS) },
    {
      title: rateTitle(target),
      value: ({ perSecond }) =>
        perSecond === null ? 'unknown' : formatAmount(perSecond, primaryRateUnit({ primaryRate })),
    },
    ...HOST_COLUMNS,
  ];
  const lines = ['', ...textTable(columns, shownRows, screen)];
  const hiddenCount = rows.length - shownRows.length;
  if (hiddenCount > 0) lines.push(`${INDENT}and ${pluralize(hiddenCount, 'faster host')}`);
  if (outliers.length > 0)
    lines.push(...wrapLine(`${INDENT}outliers: ${outliers.join(', ')}`, screen.columns));
  return lines;
}

/** Returns the rates until the first and until the last rank is done, the start offsets and the barrier times. */
function jobLines(report: Report, screen: Screen): readonly string[] {
  const measurements = report.runs.filter(isComplete).flatMap((run) => run.measurements);
  if (measurements.length === 0 || !report.job) return [];
  const startOffsets = measurements.flatMap(({ ranks = [] }) => ranks.map((one) => one.startOffsetSeconds));
  const barriers = measurements.map((one) => one.barrierSeconds).filter((one) => one !== undefined);
  const { ranks, hosts, readSource } = report.job;
  let starts = `${INDENT}all ranks started each phase within ${formatSeconds(minMax(startOffsets).max)}`;
  if (barriers.length > 0)
    starts += `; the barrier before it took at most ${formatSeconds(minMax(barriers).max)}`;
  const lines = [
    '',
    `${INDENT}${pluralize(ranks, 'rank')} on ${pluralize(hosts.length, 'host')}, as timed:`,
    ...groupBy(measurements, ({ step }) => step).flatMap((group) => doneLines(group, screen)),
    ...wrapLine(starts, screen.columns),
  ];
  if (readSource) lines.push(...wrapLine(`${INDENT}${READ_SOURCE_TEXTS[readSource]}`, screen.columns));
  return lines;
}

/** Returns a phase's mean rates until the first and until the last rank was done. Empty if the first is unknown. */
function doneLines(group: readonly [first: Measurement, ...others: Measurement[]], { columns }: Screen) {
  const [{ step, primaryRate }] = group;
  const firstDones = group.map(({ firstDone }) => firstDone).filter((one) => one !== undefined);
  if (firstDones.length === 0) return [];
  const unit = primaryRateUnit({ primaryRate });
  const describe = (all: readonly Pick<Measurement, 'seconds' | typeof unit>[], which: string) => {
    const seconds = averageRuns(all.map((one) => one.seconds));
    const rate = averageRuns(all.map((one) => one[unit]));
    return `${formatAmount(rate, unit)} ${which} done (${formatSeconds(seconds)})`;
  };
  const text = `${describe(firstDones, 'first')}; ${describe(group, 'last')}`;
  return hangingIndent(`${INDENT}${sanitize(step)}: `, text, columns);
}
