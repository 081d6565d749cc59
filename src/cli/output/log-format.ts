import { getPhase } from '../../../workers/phases/phase-catalogue.js';
import { rankLines } from '../../format/human/host-lines.js';
import type { Paint, Screen } from '../../format/human/screen.js';
import { warningLine } from '../../format/human/sentences.js';
import { formatAmount, formatShare } from '../../report/amount.js';
import type { RunEvent } from '../../report/events/event-record.js';
import { metricOfRuns } from '../../report/metrics.js';
import { primaryRateOf, primaryRateUnit } from '../../report/rate.js';
import { groupByStep, toResults } from '../../report/results.js';
import { runsToShow } from '../../report/runs.js';
import type { Measurement, Report } from '../../report/schema/report.js';
import type { RemovalResult } from '../../scratch/leftovers.js';
import { pathIndependentHint, systemReason } from '../../system-error.js';
import { display } from '../../text/escape.js';
import { formatNs, MB, MIB } from '../../text/units.js';
import { version } from '../../version.js';
import type { Verdict } from '../pass-criteria.js';
import { type Audience, isDeferred, type Verbosity, verdictLines, warningsAtEnd } from './verdict-lines.js';

/** Returns the lines to print to stderr for an event. */
export type LogFormatter = (event: RunEvent, isVerbose: boolean) => readonly string[];

/** Formats events like gobonniego's log. */
export const formatLog: LogFormatter = (event, isVerbose) =>
  logLines(event, isVerbose).map((line) => `${formatLogTime(new Date())} ${line}`);

/** Returns log lines without timestamps. */
export function logLines(event: RunEvent, isVerbose: boolean): readonly string[] {
  switch (event.type) {
    case 'start':
      return startLines(event.report, isVerbose);
    case 'step-end':
      return [...repeatLines(event.measurement), ...(isVerbose ? measurementLines(event.measurement) : [])];
    case 'end':
      return isVerbose ? ceilingLines(event.report) : [];
    case 'warning':
      return [warningLine(event.warning)];
    case 'activity':
      return event.activity === 'waiting-for-space' ? ['waiting for free space'] : [];
    default:
      return [];
  }
}

function startLines({ options, machine, target }: Report, isVerbose: boolean): readonly string[] {
  const { runs, minimumSeconds, threads, steps, sizeBytes } = options;
  // Each step has its own number of threads.
  const load = steps ? `steps: ${steps.length}` : `threads: ${threads}`;
  const space = sizeBytes > 0 ? `, disk space to use (MiB): ${Math.floor(sizeBytes / MIB)}` : '';
  const start = `gobonnie starting. version: ${version}, runs: ${runs}, seconds: ${minimumSeconds}, ${load}${space}`;
  if (!isVerbose) return [start];
  return [
    start,
    `Number of CPU cores: ${machine.cores}`,
    `Total system RAM (MiB): ${Math.floor(machine.memoryBytes / MIB)}`,
    `Bonnie working directory: ${display(target.scratchDirectory)}`,
  ];
}

/** A repeated step measures other I/O than the user requested. */
function repeatLines({ title, cached }: Measurement): readonly string[] {
  return cached ? [`${title}: measured again with direct I/O, because the page cache served a part`] : [];
}

function measurementLines(measurement: Measurement): readonly string[] {
  const { phase, primaryRate, bytes, operations, seconds } = measurement;
  const { amountLabel } = getPhase(phase);
  const amounts =
    primaryRate === 'bytes'
      ? [
          `${amountLabel} (MiB): ${Math.floor(bytes / MIB)}`,
          `${amountLabel} (MB): ${(bytes / MB).toFixed(6)}`,
        ]
      : [`${amountLabel} ${operations}`];
  return [...amounts, `Duration (seconds): ${seconds.toFixed(6)}`, conditionsLine(measurement)];
}

function conditionsLine(measurement: Measurement): string {
  const { title, device, cached, latencyNs, cpu } = measurement;
  const parts = [
    device.share === null
      ? `device share unknown (${device.reason ?? 'no data was moved'})`
      : `device share ${formatShare(device.share)}`,
    latencyNs &&
      `latency p50 ${formatNs(latencyNs.p50)}, p99 ${formatNs(latencyNs.p99)}, max ${formatNs(latencyNs.max)}`,
    `CPU ${cpu.percent.toFixed(0)} %`,
    cached &&
      `through the page cache ${formatAmount(primaryRateOf({ ...measurement, ...cached }), primaryRateUnit(measurement))}`,
  ];
  return `${title}: ${parts.filter(Boolean).join('; ')}`;
}

/** Returns a line with the rates of the page cache alone, if known. */
function ceilingLines(report: Report): readonly string[] {
  const parts = groupByStep(runsToShow(toResults(report).runs)).flatMap((rows) => {
    const ceiling = metricOfRuns(rows, 'ceiling');
    if (ceiling === null) return [];
    const [first] = rows;
    const share = formatShare((metricOfRuns(rows, 'timed') ?? 0) / ceiling);
    return [`${first.step} ${formatAmount(ceiling, primaryRateUnit(first))} (the result is ${share} of it)`];
  });
  return parts.length === 0 ? [] : [`Memory ceiling: ${parts.join(', ')}`];
}

/** Messages of a log. `screen` is the terminal that shows it, if any. The log of a gate begins with the verdict. */
export function logAudience(
  format: LogFormatter,
  cliOptions: Verbosity,
  paint: Paint,
  screen: Screen | null,
  isGate = false,
): Audience {
  const isHidden = (event: RunEvent) => isDeferred(event) || (isGate && event.type === 'start');
  const formatVerdict = (verdict: Verdict) => verdictLines(verdict, cliOptions, paint, screen);
  return {
    holdsResults: isGate,
    forEvent: (event) => (isHidden(event) ? [] : format(event, cliOptions.verbose)),
    beforeResults: (verdict) => (isGate ? formatVerdict(verdict) : []),
    afterResults: (verdict) => [
      ...(cliOptions.verbose ? rankLines(verdict.report, screen ?? undefined) : []),
      ...logWarningLines(verdict.report, format, paint, cliOptions.verbose),
      ...(isGate ? [] : formatVerdict(verdict)),
    ],
  };
}

/** Returns the lines of the warnings to print after the run. */
export function logWarningLines(report: Report, format: LogFormatter, paint: Paint, isVerbose = false) {
  return warningsAtEnd(report, isVerbose).flatMap((warning) =>
    format({ type: 'warning', warning }, false).map((line) => line.replace('warning:', paint.caution)),
  );
}

/** Formats local time like Go's log: `2018/04/12 06:20:09`. */
export function formatLogTime(now: Date): string {
  const pad = (value: number) => String(value).padStart(2, '0');
  const date = [now.getFullYear(), pad(now.getMonth() + 1), pad(now.getDate())].join('/');
  return `${date} ${[now.getHours(), now.getMinutes(), now.getSeconds()].map(pad).join(':')}`;
}

export function removalLine({ path, error }: RemovalResult): string {
  if (!error) return `gobonnie: removed ${display(path)}, left by a killed run`;
  return (
    `gobonnie: could not remove ${display(path)}, left by a killed run: ${systemReason(error)}; ` +
    (pathIndependentHint(error) ?? 'remove it by hand, or fix that and run gobonnie clean')
  );
}
