import { comparedProperties, findDifferences, incomparableError } from '../../compare/differences.js';
import { compareReportsOfAb } from '../../compare/winners.js';
import type { Screen } from '../../format/human/screen.js';
import { renderReports } from '../../format/index.js';
import type { Options } from '../../options/options-schema.js';
import { plan, type RunPlan } from '../../plan/plan.js';
import { formatAmount } from '../../report/amount.js';
import type { RunEvent } from '../../report/events/event-record.js';
import { isServedByDevice, primaryRateOf, primaryRateUnit } from '../../report/rate.js';
import { toResults } from '../../report/report-to-results.js';
import type { Outcome, Report, Run } from '../../report/schema/report.js';
import { minMax } from '../../report/statistics/statistics.js';
import { areStable } from '../../report/statistics/step-statistics.js';
import { emptyReport } from '../../run/empty-report.js';
import { runInterleaved } from '../../run/interleave.js';
import { display } from '../../text/escape.js';
import { GIB } from '../../text/units.js';
import { isUrgent } from '../../warnings/warning-catalogue.js';
import type { CliOptions } from '../argv/cli-options.js';
import { stallLine } from '../interruption.js';
import { reportAnnotations } from '../output/github-report.js';
import { formatLogTime, type LogFormatter, logLines, logWarningLines } from '../output/log-format.js';
import { directoryWarningLines } from '../output/terminal-messages.js';
import { initialRunCounter } from '../progress/state.js';
import { countCompleteRuns, runPreflight, type Session } from './session.js';

export function prepareBenchmarkRuns(
  plans: readonly RunPlan[],
  { quiet, verbose, allowCached }: CliOptions,
  maxRegressionPercent: number | null,
  log: (line: string) => void,
) {
  let reports: readonly Report[] = [];
  return {
    plans,
    targets: plans.map(({ machine }) => machine.target),
    notes: [],
    outFormats: undefined,
    /** Measures in turn until there are enough rounds, and logs the warnings. */
    async measure(
      { signal, files, watcher, updateProgress, screen, paint }: Session,
      hasEnoughRounds: (rounds: number, elapsedSeconds: number) => boolean,
    ): Promise<Outcome> {
      let hasUrgent = false;
      const onEvent = (event: RunEvent, plan: RunPlan, run: number) => {
        const { runs, seconds, untilStable } = plan.options;
        const counter = initialRunCounter(runs, seconds > 0 || untilStable !== undefined, run);
        updateProgress?.(event, { directory: plan.directory, run: counter });
        if (event.type === 'stall') log(stallLine(event));
        if (event.type === 'warning') {
          // Every run repeats the warning that the watcher is gone. Other warnings are logged after the last run.
          if (hasUrgent || !isUrgent(event.warning)) return;
          hasUrgent = true;
        }
        if (!quiet) for (const line of eventLines(plan.machine.target, event, verbose, screen)) log(line);
      };
      const hooks = {
        signal,
        allowCached,
        maxRegressionPercent,
        onEvent,
        hasEnoughRounds: (reportsSoFar: readonly Report[], elapsedSeconds: number) => {
          reports = reportsSoFar;
          files.update((format) => renderReports(format, reports));
          return hasEnoughRounds(reports[0]?.runs.length ?? 0, elapsedSeconds);
        },
      };
      const measured = await runInterleaved(plans, hooks, watcher);
      reports = measured.reports;
      for (const report of quiet ? [] : reports) {
        const formatLog: LogFormatter = (event) => eventLines(report.target, event, false, screen);
        const lines = screen
          ? directoryWarningLines(report, screen)
          : logWarningLines(report.warnings, formatLog, paint);
        for (const line of lines) log(line);
      }
      return measured.outcome;
    },
    areStable: (withinPercent: number) => reports.every(({ runs }) => areStable(runs, withinPercent)),
    describeCompleted: () => countCompleteRuns(reports.flatMap(({ runs }) => runs)),
    compare: (look: 'early' | 'last') => compareReportsOfAb(reports.map(toResults), look),
    writeFiles: ({ files }: Session) => files.write((format) => renderReports(format, reports)),
    annotations: () => reports.flatMap(annotateReport),
  };
}

/**
 * Plans the same work for all directories: the largest size that fits in every directory, and operations of the largest
 * unit. Throws if the work of a step differs all the same.
 */
export async function planEqualWork(
  directories: readonly string[],
  options: Options,
  { dryRun }: CliOptions,
  log: (line: string) => void,
): Promise<readonly RunPlan[]> {
  const plans: RunPlan[] = [];
  for (const dir of directories) {
    const ownOptions = { ...options, dir };
    plans.push(plan(ownOptions, await runPreflight(ownOptions, { dryRun, needsDirectory: true }, log)));
  }
  const { min: minBytes } = minMax(plans.map(({ totalBytes }) => totalBytes));
  const { max: ioSize } = minMax(plans.map(({ transfer }) => transfer.ioSizeBytes));
  const equalPlans = plans.map((candidate) => {
    const { options, machine, totalBytes, transfer } = candidate;
    if (totalBytes === minBytes && transfer.ioSizeBytes === ioSize) return candidate;
    return plan({ ...options, size: minBytes / GIB, ioSize }, machine);
  });
  rejectUnlikePlans(equalPlans);
  return equalPlans;
}

/** Throws if plans differ in more than their disks: a device may need larger operations than a step sets. */
function rejectUnlikePlans(plans: readonly RunPlan[]): void {
  const sides = plans.map((planned) => ({
    name: planned.directory,
    properties: comparedProperties({ report: emptyReport(planned), runs: [] }),
  }));
  const [before] = sides;
  for (const after of sides) {
    if (!before) return;
    const { differences } = findDifferences(before, after, true);
    if (differences.length > 0)
      throw incomparableError(
        { before: before.name, after: after.name, differences },
        'pass --steps that suit all directories',
      );
  }
}

/** Formats an event as lines that name the directory: the results of a run are one line. Only logs have times. */
function eventLines(
  target: Pick<Report['target'], 'directory' | 'isMemory'>,
  event: RunEvent,
  isVerbose: boolean,
  screen: Screen | null,
): readonly string[] {
  const time = screen ? '' : `${formatLogTime(new Date())} `;
  const prefix = `${time}${display(target.directory)}: `;
  if (event.type === 'run-end') return [prefix + runLine(event.result, target)];
  const lines = isVerbose || event.type === 'warning' ? logLines(event, true) : [];
  return lines.map((line) => prefix + line);
}

/** `write 748.2 MB/s, read 1025 MB/s (partly cached), iops 23832/s`. */
function runLine({ measurements }: Run, { isMemory }: Pick<Report['target'], 'isMemory'>): string {
  return measurements
    .map((measurement) => {
      const text = formatAmount(primaryRateOf(measurement), primaryRateUnit(measurement));
      const isCached = !isMemory && !isServedByDevice(measurement.device.share);
      return `${measurement.step} ${text}${isCached ? ' (partly cached)' : ''}`;
    })
    .join(', ');
}

function annotateReport(report: Report) {
  return reportAnnotations(report).map((annotation) => ({
    ...annotation,
    message: `${display(report.target.directory)}: ${annotation.message}`,
  }));
}
